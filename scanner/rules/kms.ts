import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, NINETY_DAYS } from '../facts/age.ts';
import { canRotate, hasForeignVersions, rotationPeriodSeconds } from '../facts/crypto-key.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { publicPolicyRule } from './public-policy.ts';
import { SECRET_MANAGER_RULES } from './secret-manager.ts';

/*
 * Fields: cloudkms v1, discovery revision 20260917.
 */

const SECONDS_PER_DAY = 86_400;

const kmsPublic = publicPolicyRule(
  {
    id: 'kms-public',
    title: 'Encryption key is public',
    severity: 'critical',
    category: 'kms',
    assetTypes: ['cloudkms.googleapis.com/CryptoKey', 'cloudkms.googleapis.com/KeyRing'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a key or its key ring can let anyone decrypt the protected data, create signatures or destroy the key.',
    remediation:
      'Remove the grant: `gcloud kms keys remove-iam-policy-binding KEY --keyring=RING --location=LOCATION --member=MEMBER --role=ROLE`, or for a key ring: `gcloud kms keyrings remove-iam-policy-binding RING --location=LOCATION --member=MEMBER --role=ROLE`.',
    compliance: cis({ v4: '1.9', v5: '1.10' }),
  },
  'key or key ring',
);

const kmsRotation90d = resourceRule(
  {
    id: 'kms-rotation-90d',
    title: 'Encryption key is not rotated every 90 days',
    severity: 'medium',
    category: 'kms',
    assetTypes: ['cloudkms.googleapis.com/CryptoKey'],
    description:
      'A symmetric encryption key should get a new version at least every 90 days, so that a leaked version decrypts a limited amount of data.',
    remediation:
      'Set a rotation period of 90 days or less: `gcloud kms keys update KEY --keyring=RING --location=LOCATION --rotation-period=90d --next-rotation-time=TIME`.',
    compliance: cis({ v4: '1.10', v5: '1.11' }),
    fix: (repair) => {
      if (hasForeignVersions(repair.data)) {
        repair.refuse('needs the key manager that the versions of the key come from');
      }
      const days = daysIn(repair.parameters);
      const rotation_period = `${days * SECONDS_PER_DAY}s`;
      repair.set('rotationPeriod', rotation_period);
      repair.gcloud(
        `kms keys update {name} --keyring={keyRing} --location={location} --project={project} --rotation-period=${days}d --next-rotation-time=+p1d`,
      );
      repair.terraform('google_kms_crypto_key', 'rotation_period', rotation_period);
    },
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
          ? 'The key has no rotation period, so it is never rotated automatically.'
          : `The key is rotated every ${period} seconds; the maximum is ${days} days (${days * SECONDS_PER_DAY} seconds).`,
      evidence: [cite('rotationPeriod', key.rotationPeriod)],
    });
  },
);

export const KMS_RULES: readonly Rule[] = [kmsPublic, kmsRotation90d, ...SECRET_MANAGER_RULES];
