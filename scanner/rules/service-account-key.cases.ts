import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const key = resourceCases('iam.googleapis.com/ServiceAccountKey');
const GOOGLES = key.case('a key managed by Google', {
  keyType: 'SYSTEM_MANAGED',
  keyOrigin: 'GOOGLE_PROVIDED',
  validAfterTime: '2020-01-01T00:00:00Z',
});

const made = (name: string, validAfterTime: string | null) =>
  key.case(name, { keyType: 'USER_MANAGED', validAfterTime });

export const SERVICE_ACCOUNT_KEY_CASES: readonly RuleCases[] = [
  {
    rule: 'sa-key-user-managed',
    pass: [
      key.case('a key that does not say who manages it', {}),
      key.case('a key of an unspecified type', { keyType: 'KEY_TYPE_UNSPECIFIED' }),
    ],
    fail: [
      key.case('a key managed by users', { keyType: 'USER_MANAGED' }),
      key.case('a disabled key, which can be enabled again', {
        keyType: 'USER_MANAGED',
        disabled: true,
      }),
    ],
    na: [GOOGLES],
    unknown: [...key.unknown, key.case('a key of an unknown type', { keyType: 'PARTNER_MANAGED' })],
  },
  {
    rule: 'sa-key-older-90d',
    pass: [
      made('a key of 90 days, to the second', '2026-08-22T12:00:00Z'),
      made('a key of 90 days in another time zone', '2026-08-22T14:00:00+02:00'),
      made('a key of today', '2026-11-20T00:00:00Z'),
      made('a key of tomorrow', '2026-11-21T00:00:00Z'),
      key.case('an old key that does not say who manages it', {
        validAfterTime: '2020-01-01T00:00:00Z',
      }),
    ],
    fail: [
      made('a key of 90 days and a second', '2026-08-22T11:59:59Z'),
      made('a key of 90 days and a nanosecond', '2026-08-22T11:59:59.999999999Z'),
      key.case('an old key that is disabled', {
        keyType: 'USER_MANAGED',
        validAfterTime: '2024-01-01T00:00:00Z',
        disabled: true,
      }),
    ],
    na: [GOOGLES],
    unknown: [
      ...key.unknown,
      key.case('a key of an unknown type', { keyType: 'PARTNER_MANAGED' }),
      made('a key without a time', null),
      made('a key whose time is none', 'last year'),
    ],
  },
  {
    rule: 'sa-key-uploaded',
    pass: [
      key.case('a key made by Google', { keyType: 'USER_MANAGED', keyOrigin: 'GOOGLE_PROVIDED' }),
      key.case('a key that does not say where it was made', { keyType: 'USER_MANAGED' }),
    ],
    fail: [
      key.case('an uploaded key', { keyType: 'USER_MANAGED', keyOrigin: 'USER_PROVIDED' }),
      key.case('an uploaded key of no type', { keyOrigin: 'USER_PROVIDED' }),
    ],
    na: [GOOGLES],
    unknown: [
      ...key.unknown,
      key.case('a key of an unknown origin', { keyOrigin: 'PARTNER_PROVIDED' }),
    ],
  },
];
