import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, isOlderThan, NINETY_DAYS } from '../facts/age.ts';
import { enumAt, isEnum } from '../facts/enumeration.ts';
import { type JsonObject, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Outcome, Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: iam v1, discovery revision 20261023.
 */

const KEY = ['iam.googleapis.com/ServiceAccountKey'];

const saKeyUserManaged = resourceRule(
  {
    id: 'sa-key-user-managed',
    title: 'Service account has a user-managed key',
    severity: 'high',
    category: 'iam',
    assetTypes: KEY,
    description:
      'A user-managed key is a password in a file: it is copied, committed and forgotten. Attached service accounts, impersonation and workload identity federation need no key. Google-managed keys never leave Google.',
    remediation:
      'Replace the key with one of those, then delete it: `gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT`.',
    compliance: cis({ v4: '1.4', v5: '1.5' }),
    noFix: 'the key must be replaced and deleted',
  },
  (key) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyType, 'USER_MANAGED')) return unlessNamed(key, 'keyType');
    return fail({
      message: 'This service account key is managed by users.',
      evidence: [cite('keyType', key.keyType)],
    });
  },
);

const saKeyOlder90d = resourceRule(
  {
    id: 'sa-key-older-90d',
    title: 'Service account key is old',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'A leaked key can be used until it is replaced. User-managed keys should be replaced within 90 days. A disabled key counts, because it can be enabled again.',
    remediation:
      'Create a new key, update its users, then delete the old one: `gcloud iam service-accounts keys create FILE --iam-account=ACCOUNT`; `gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT`.',
    compliance: cis({ v4: '1.7', v5: '1.8' }),
    noFix: 'the key must be replaced and deleted',
    parameters: NINETY_DAYS,
  },
  (key, _asset, { time, parameters }) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyType, 'USER_MANAGED')) return unlessNamed(key, 'keyType');
    const days = daysIn(parameters);
    const isOld = isOlderThan(text(key, 'validAfterTime'), days, time);
    if (isOld === null) return unknown('RESOURCE');
    if (!isOld) return PASS;
    return fail({
      message: `This service account key is older than ${days} days.`,
      evidence: [cite('validAfterTime', key.validAfterTime)],
    });
  },
);

const saKeyUploaded = resourceRule(
  {
    id: 'sa-key-uploaded',
    title: 'Service account key was uploaded',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'The key pair was created outside Google and its public half uploaded. Google does not know how the private half was created or who has copies, and secret scanners find no key file.',
    remediation:
      'Attach the service account or use federation, then delete the key: `gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT`. The policy iam.disableServiceAccountKeyUpload prevents uploads.',
    compliance: NO_REQUIREMENT,
    noFix: 'the key must be replaced and deleted',
  },
  (key) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (isEnum(key.keyOrigin, 'GOOGLE_PROVIDED')) return PASS;
    if (!isEnum(key.keyOrigin, 'USER_PROVIDED')) return unlessNamed(key, 'keyOrigin');
    return fail({
      message: 'This service account key was uploaded by a user.',
      evidence: [cite('keyOrigin', key.keyOrigin)],
    });
  },
);

/** A key without an origin passes. An unknown value may mean a user-managed key. */
function unlessNamed(key: JsonObject, member: 'keyType' | 'keyOrigin'): Outcome {
  const value = enumAt(key, member);
  const isNamed = value !== null && !UNSPECIFIED.has(value);
  return isNamed ? unknown(`a known ${member}`) : PASS;
}

const UNSPECIFIED: ReadonlySet<string> = new Set(['KEYTYPEUNSPECIFIED', 'ORIGINUNSPECIFIED']);

export const SERVICE_ACCOUNT_KEY_RULES: readonly Rule[] = [
  saKeyOlder90d,
  saKeyUploaded,
  saKeyUserManaged,
];
