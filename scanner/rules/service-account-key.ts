import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { daysIn, isOlderThan, NINETY_DAYS } from '../facts/age.ts';
import { isEnum } from '../facts/enumeration.ts';
import { text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const KEY = ['iam.googleapis.com/ServiceAccountKey'];

const saKeyUserManaged = resourceRule(
  {
    id: 'sa-key-user-managed',
    title: 'Service account has a key of its own',
    severity: 'high',
    category: 'iam',
    assetTypes: KEY,
    description:
      'A key that users manage is a password in a file: it is copied, committed and forgotten. Attached service accounts, impersonation and workload identity federation do without. Keys that Google manages never leave it.',
    remediation:
      'Change what uses the key to one of those, then delete it: gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT.',
    compliance: cis({ v4: '1.4', v5: '1.5' }),
  },
  (key) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyType, 'USER_MANAGED')) return PASS;
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
      'A key that leaked is of use until somebody replaces it. Within 90 days at most, each key that users manage should make way for a new one. A key that is disabled counts, as it can be enabled again.',
    remediation:
      'Make a new key, change what uses the old one, then delete that: gcloud iam service-accounts keys create FILE --iam-account=ACCOUNT; gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT.',
    compliance: cis({ v4: '1.7', v5: '1.8' }),
    parameters: NINETY_DAYS,
  },
  (key, _asset, { now, parameters }) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyType, 'USER_MANAGED')) return PASS;
    const days = daysIn(parameters);
    const isOld = isOlderThan(text(key, 'validAfterTime'), days, now);
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
    title: 'Service account key was made elsewhere',
    severity: 'medium',
    category: 'iam',
    assetTypes: KEY,
    description:
      'Somebody made this pair of keys and uploaded the public half. How the private half was made, and who has a copy, Google cannot tell; and whoever may upload keys leaves no file behind that a scanner of secrets would find.',
    remediation:
      'Attach the service account or federate instead, then delete the key: gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT. The policy iam.disableServiceAccountKeyUpload rules uploads out.',
    compliance: NO_REQUIREMENT,
  },
  (key) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyOrigin, 'USER_PROVIDED')) return PASS;
    return fail({
      message: 'This service account key was uploaded by a user.',
      evidence: [cite('keyOrigin', key.keyOrigin)],
    });
  },
);

export const SERVICE_ACCOUNT_KEY_RULES: readonly Rule[] = [
  saKeyOlder90d,
  saKeyUploaded,
  saKeyUserManaged,
];
