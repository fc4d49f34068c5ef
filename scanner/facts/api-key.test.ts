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
  ])('the referrers %j of an API key allow everybody', (pattern) => {
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
  ])('the referrers %j of an API key do not allow everybody', (pattern) => {
    expect(referrers(pattern)?.isOpen).toBe(false);
  });
});

describe('the addresses of an API key', () => {
  it.each([['0.0.0.0/0'], ['::/0'], ['0.0.0.0'], ['::0'], ['0.0.0.0/1', '128.0.0.0/1']])(
    'an API key whose addresses cover the internet is open to everybody (case %#)',
    (...list) => {
      expect(addresses(...list.filter((one) => one !== undefined))?.isOpen).toBe(true);
    },
  );

  it('an API key with a network and an address is not open to everybody', () => {
    expect(addresses('203.0.113.0/24', '2001:db8::1')?.isOpen).toBe(false);
  });
});

it('empty lists of an API key restrict nothing', () => {
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

it('a list of apps restricts an API key', () => {
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

it('an API key counts as deleted from its time of deletion', () => {
  expect(isDeleted({ deleteTime: '2026-01-01T00:00:00Z' })).toBe(true);
  expect(isDeleted({ deleteTime: '' })).toBe(false);
  expect(isDeleted({})).toBe(false);
});
