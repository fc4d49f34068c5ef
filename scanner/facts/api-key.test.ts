import { describe, expect, it } from 'vitest';
import { applicationRestrictionOf, isDeleted } from './api-key.ts';

const referrers = (...allowedReferrers: string[]) =>
  applicationRestrictionOf({ restrictions: { browserKeyRestrictions: { allowedReferrers } } });
const addresses = (...allowedIps: string[]) =>
  applicationRestrictionOf({ restrictions: { serverKeyRestrictions: { allowedIps } } });

describe('the referrers of an API key', () => {
  it.each([
    '*',
    ' * ',
    '*/*',
    'http://*',
    'https://*/*',
    '*://*/*',
    '*.com',
    '*.com/*',
    'https://*.com',
    '*:8080/*',
    '*.*',
  ])('%j let everybody in', (pattern) => {
    expect(referrers('https://shop.example/*', pattern)?.isOpen).toBe(true);
  });

  it.each([
    'https://shop.example/*',
    '*.shop.example/*',
    'https://*.shop.example',
    'shop.example',
    'https://shop.example/*.com',
    '*shop.example/*',
    'http://localhost:*',
  ])('%j do not', (pattern) => {
    expect(referrers(pattern)?.isOpen).toBe(false);
  });
});

describe('the addresses of an API key', () => {
  it.each([['0.0.0.0/0'], ['::/0'], ['0.0.0.0'], ['::0'], ['0.0.0.0/1', '128.0.0.0/1']])(
    'let everybody in as %s %s',
    (...list) => {
      expect(addresses(...list.filter((one) => one !== undefined))?.isOpen).toBe(true);
    },
  );

  it('do not as a network or an address', () => {
    expect(addresses('203.0.113.0/24', '2001:db8::1')?.isOpen).toBe(false);
  });
});

it('lists without entries restrict nothing', () => {
  for (const restrictions of [
    {},
    { apiTargets: [{ service: 'maps-backend.googleapis.com' }] },
    { browserKeyRestrictions: {} },
    { browserKeyRestrictions: { allowedReferrers: [] } },
    { serverKeyRestrictions: { allowedIps: [] } },
    { androidKeyRestrictions: { allowedApplications: [] } },
    { iosKeyRestrictions: { allowedBundleIds: [''].slice(1) } },
  ]) {
    expect(applicationRestrictionOf({ restrictions })).toBeNull();
  }
  expect(applicationRestrictionOf({})).toBeNull();
});

it('apps restrict', () => {
  const android = { allowedApplications: [{ packageName: 'example.shop', sha1Fingerprint: '00' }] };
  const restrictions = [
    { androidKeyRestrictions: android },
    { iosKeyRestrictions: { allowedBundleIds: ['example.shop'] } },
    { browserKeyRestrictions: {}, iosKeyRestrictions: { allowedBundleIds: ['example.shop'] } },
  ];
  for (const one of restrictions) {
    expect(applicationRestrictionOf({ restrictions: one })).toMatchObject({
      entries: ['example.shop'],
      isOpen: false,
    });
  }
});

it('a key is deleted from its deletion on', () => {
  expect(isDeleted({ deleteTime: '2026-01-01T00:00:00Z' })).toBe(true);
  expect(isDeleted({ deleteTime: '' })).toBe(false);
  expect(isDeleted({})).toBe(false);
});
