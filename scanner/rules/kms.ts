import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, NINETY_DAYS } from '../facts/age.ts';
import { canRotate, rotationPeriodSeconds } from '../facts/crypto-key.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { publicPolicyRule } from './public-policy.ts';
import { SECRET_MANAGER_RULES } from './secret-manager.ts';

const SECONDS_PER_DAY = 86_400;

const kmsPublic = publicPolicyRule(
  {
    id: 'kms-public',
    title: 'Encryption key is open to everyone',
    severity: 'critical',
    category: 'kms',
    assetTypes: ['cloudkms.googleapis.com/CryptoKey', 'cloudkms.googleapis.com/KeyRing'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a key, or on the ring that it is in, can let anyone in the world decrypt what it protects, sign in its name or destroy it.',
    remediation:
      'Remove the grant: gcloud kms keys remove-iam-policy-binding KEY --keyring=RING --location=LOCATION --member=MEMBER --role=ROLE, and likewise for rings (gcloud kms keyrings).',
    compliance: cis({ v4: '1.9', v5: '1.10' }),
  },
  'key or ring',
);

const kmsRotation90d = resourceRule(
  {
    id: 'kms-rotation-90d',
    title: 'Encryption key is not rotated every 90 days',
    severity: 'medium',
    category: 'kms',
    assetTypes: ['cloudkms.googleapis.com/CryptoKey'],
    description:
      'A key that encrypts and decrypts should get a new version at least every 90 days, so that a leaked version opens a limited amount of data.',
    remediation:
      'Set a rotation period of 90 days or less: gcloud kms keys update KEY --keyring=RING --location=LOCATION --rotation-period=90d --next-rotation-time=TIME.',
    compliance: cis({ v4: '1.10', v5: '1.11' }),
    parameters: NINETY_DAYS,
  },
  (key, _asset, { parameters }) => {
    if (!canRotate(key)) return NOT_APPLICABLE;
    const days = daysIn(parameters);
    const period = rotationPeriodSeconds(key);
    if (period !== null && period <= days * SECONDS_PER_DAY) return PASS;
    return fail({
      message:
        period === null
          ? 'The key has no rotation period, so it is never rotated.'
          : `The key is rotated every ${period} seconds; at most ${days} days (${days * SECONDS_PER_DAY} seconds) are allowed.`,
      evidence: [cite('rotationPeriod', key.rotationPeriod)],
    });
  },
);

export const KMS_RULES: readonly Rule[] = [kmsPublic, kmsRotation90d, ...SECRET_MANAGER_RULES];
