import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const key = resourceCases('apikeys.googleapis.com/Key');
const restricted = (name: string, restrictions: JsonObject) => key.case(name, { restrictions });
const DELETED = key.case('a deleted key', {
  createTime: '2020-01-01T00:00:00Z',
  deleteTime: '2026-11-01T00:00:00Z',
});

export const API_KEY_CASES: readonly RuleCases[] = [
  {
    rule: 'apikey-unrestricted-apis',
    pass: [
      restricted('a key for one API', { apiTargets: [{ service: 'maps-backend.googleapis.com' }] }),
      restricted('a key for two, one of them in part', {
        apiTargets: [
          { service: 'translate.googleapis.com', methods: ['google.cloud.translate.*'] },
          { service: 'places.googleapis.com' },
        ],
      }),
    ],
    fail: [
      key.case('a key without restrictions', {}),
      restricted('a key that names sites only', {
        browserKeyRestrictions: { allowedReferrers: ['shop.example'] },
      }),
      restricted('an empty list of APIs', { apiTargets: [] }),
      restricted('every API among others', {
        apiTargets: [
          { service: 'maps-backend.googleapis.com' },
          { service: 'cloudapis.googleapis.com' },
        ],
      }),
    ],
    na: [DELETED],
    unknown: key.unknown,
  },
  {
    rule: 'apikey-unrestricted-apps',
    pass: [
      restricted('sites', { browserKeyRestrictions: { allowedReferrers: ['*.shop.example/*'] } }),
      restricted('addresses', { serverKeyRestrictions: { allowedIps: ['203.0.113.0/24'] } }),
      restricted('Android apps', {
        androidKeyRestrictions: {
          allowedApplications: [{ packageName: 'example.shop', sha1Fingerprint: 'AB' }],
        },
      }),
      restricted('iOS apps', { iosKeyRestrictions: { allowedBundleIds: ['example.shop'] } }),
    ],
    fail: [
      key.case('a key without restrictions', {}),
      restricted('a key that names APIs only', { apiTargets: [{ service: 'x.googleapis.com' }] }),
      restricted('an empty list of sites', { browserKeyRestrictions: { allowedReferrers: [] } }),
      restricted('every site among others', {
        browserKeyRestrictions: { allowedReferrers: ['shop.example', '*'] },
      }),
      restricted('every site of a top-level domain', {
        browserKeyRestrictions: { allowedReferrers: ['https://*.com/*'] },
      }),
      restricted('every address', { serverKeyRestrictions: { allowedIps: ['0.0.0.0/0'] } }),
      restricted('every address of version 6', { serverKeyRestrictions: { allowedIps: ['::/0'] } }),
      restricted('every address in two halves', {
        serverKeyRestrictions: { allowedIps: ['0.0.0.0/1', '128.0.0.0/1'] },
      }),
    ],
    na: [DELETED],
    unknown: key.unknown,
  },
  {
    rule: 'apikey-older-90d',
    pass: [
      key.case('a key of 90 days, to the second', { createTime: '2026-08-22T12:00:00Z' }),
      key.case('a key of tomorrow', { createTime: '2026-11-21T12:00:00.123456Z' }),
    ],
    fail: [
      key.case('a key of 90 days and a microsecond', { createTime: '2026-08-22T11:59:59.999999Z' }),
      key.case('a key that was changed since', {
        createTime: '2021-01-01T00:00:00Z',
        updateTime: '2026-11-19T00:00:00Z',
      }),
    ],
    na: [DELETED],
    unknown: [
      ...key.unknown,
      key.case('a key without a time', {}),
      key.case('a key whose time is a number', { createTime: 1_600_000_000 }),
    ],
  },
];
