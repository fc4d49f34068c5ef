import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const key = resourceCases('cloudkms.googleapis.com/CryptoKey');
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
];
