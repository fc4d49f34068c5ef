import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';
import { requiredSettingRule } from './required-setting.ts';

/*
 * Fields: secretmanager v1, discovery revision 20260814.
 */

const SECRET = ['secretmanager.googleapis.com/Secret'];

const secretPublic = publicPolicyRule(
  {
    id: 'secret-public',
    title: 'Secret is public',
    severity: 'critical',
    category: 'kms',
    assetTypes: SECRET,
    description:
      'A role for allUsers or allAuthenticatedUsers on a secret reveals its existence to anyone, and with most roles its value.',
    remediation:
      'Remove the grant, then replace the exposed value: `gcloud secrets remove-iam-policy-binding SECRET --member=MEMBER --role=ROLE`; `gcloud secrets versions add SECRET --data-file=FILE`.',
    compliance: NO_REQUIREMENT,
  },
  'secret',
);

const secretNoRotation = requiredSettingRule(
  {
    id: 'secret-no-rotation',
    title: 'Secret has no rotation period',
    severity: 'low',
    category: 'kms',
    assetTypes: SECRET,
    description:
      'With a rotation period Secret Manager sends a message to a topic when a value should be replaced. Without one it is easily forgotten.',
    remediation:
      'Set a topic and a period: `gcloud secrets update SECRET --add-topics=TOPIC --rotation-period=PERIOD --next-rotation-time=TIME`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs a topic and a period',
  },
  {
    path: 'rotation.rotationPeriod',
    message: 'This secret has no rotation period.',
  },
);

export const SECRET_MANAGER_RULES: readonly Rule[] = [secretNoRotation, secretPublic];
