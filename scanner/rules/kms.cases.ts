import { finding, granted, withoutPolicy } from '../testing/policy-cases.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const KEY = 'cloudkms.googleapis.com/CryptoKey';
const RING = 'cloudkms.googleapis.com/KeyRing';
const SECRET = 'secretmanager.googleapis.com/Secret';
const secret = resourceCases(SECRET);
const key = resourceCases(KEY);
const inUse = { purpose: 'ENCRYPT_DECRYPT', primary: { state: 'ENABLED' } };

export const KMS_CASES: readonly RuleCases[] = [
  {
    rule: 'kms-rotation-90d',
    pass: [
      key.case('a key rotated every 90 days', { ...inUse, rotationPeriod: '7776000s' }),
      key.case('a key rotated every 30 days', { ...inUse, rotationPeriod: '2592000s' }),
    ],
    fail: [
      key.case('a key without a rotation period', inUse),
      key.case('a key rotated every 90 days and one second', {
        ...inUse,
        rotationPeriod: '7776001s',
      }),
      key.case('a key whose period is half a second too long', {
        ...inUse,
        rotationPeriod: '7776000.5s',
      }),
      key.case('a key whose period is no duration', { ...inUse, rotationPeriod: 90 }),
      key.case('a key whose record leaves out the primary version', { purpose: 'ENCRYPT_DECRYPT' }),
    ],
    na: [
      key.case('a key that signs', { purpose: 'ASYMMETRIC_SIGN', primary: { state: 'ENABLED' } }),
      key.case('a key whose primary version is destroyed', {
        ...inUse,
        primary: { state: 'DESTROYED' },
      }),
      key.case('a key of no purpose', {}),
    ],
    unknown: key.unknown,
  },
  {
    rule: 'kms-public',
    pass: [
      granted('a key for an application', KEY, 'roles/cloudkms.viewer user:a@b.example'),
      granted('a ring without members', RING, 'roles/cloudkms.viewer'),
    ],
    fail: [
      finding(
        granted(
          'a key for everyone, in several roles',
          KEY,
          'roles/cloudkms.cryptoKeyDecrypter user:a@b.example allUsers',
          'roles/cloudkms.viewer allAuthenticatedUsers',
        ),
        'roles/cloudkms.cryptoKeyDecrypter allUsers',
        'roles/cloudkms.viewer allAuthenticatedUsers',
      ),
      granted('a ring for everyone', RING, 'roles/cloudkms.viewer allAuthenticatedUsers'),
    ],
    na: 'never',
    unknown: [withoutPolicy(KEY), withoutPolicy(RING)],
  },
  {
    rule: 'secret-public',
    pass: [granted('a secret for an application', SECRET, 'roles/viewer group:g@b.example')],
    fail: [
      finding(
        granted('a secret for everyone', SECRET, 'roles/secretmanager.secretAccessor allUsers'),
        'roles/secretmanager.secretAccessor allUsers',
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(SECRET)],
  },
  {
    rule: 'secret-no-rotation',
    pass: [secret.case('a period', { rotation: { rotationPeriod: '2592000s' } })],
    fail: [
      secret.case('no rotation', { replication: { automatic: {} } }),
      secret.case('one rotation that is due, and none after it', {
        rotation: { nextRotationTime: '2027-01-01T00:00:00Z' },
      }),
      secret.case('an empty period', { rotation: { rotationPeriod: '' } }),
    ],
    na: 'never',
    unknown: secret.unknown,
  },
];
