import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';
import { requiredSettingRule } from './required-setting.ts';

const SECRET = ['secretmanager.googleapis.com/Secret'];

const secretPublic = publicPolicyRule(
  {
    id: 'secret-public',
    title: 'Secret is open to everyone',
    severity: 'critical',
    category: 'kms',
    assetTypes: SECRET,
    description:
      'A role for allUsers or allAuthenticatedUsers on a secret tells anyone in the world of it, with most roles its very value.',
    remediation:
      'Remove the grant, then replace the value, which is no secret any more: gcloud secrets remove-iam-policy-binding SECRET --member=MEMBER --role=ROLE; gcloud secrets versions add SECRET --data-file=FILE.',
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
      'With a rotation period Secret Manager reminds whoever changes the value that it is time, by a message to a topic. Without one a value stays until somebody thinks of it.',
    remediation:
      'Name a topic and a period: gcloud secrets update SECRET --add-topics=TOPIC --rotation-period=PERIOD --next-rotation-time=TIME.',
    compliance: NO_REQUIREMENT,
  },
  {
    path: 'rotation.rotationPeriod',
    message: 'This secret has no rotation period.',
  },
);

export const SECRET_MANAGER_RULES: readonly Rule[] = [secretNoRotation, secretPublic];
