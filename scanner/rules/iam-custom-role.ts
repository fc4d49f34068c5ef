import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isTrue, strings } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';

/** Permissions by which one comes by others. */
const ESCALATING: ReadonlySet<string> = new Set([
  'deploymentmanager.deployments.create',
  'iam.serviceAccountKeys.create',
  'iam.serviceAccounts.actAs',
  'iam.serviceAccounts.getAccessToken',
  'iam.serviceAccounts.signBlob',
]);

export const iamCustomRoleDangerous = resourceRule(
  {
    id: 'iam-custom-role-dangerous',
    title: 'Custom role lets its holders gain more',
    severity: 'medium',
    category: 'iam',
    assetTypes: ['iam.googleapis.com/Role'],
    description:
      'With some permissions one gives oneself all others: those that change policies, act as service accounts, make tokens, signatures or keys of them, or deploy as the account of Deployment Manager. In a role that is named after some task they are easily overlooked.',
    remediation:
      'Take these permissions out and give a predefined role to the few who need them: gcloud iam roles update ROLE --project=PROJECT --remove-permissions=PERMISSIONS.',
    compliance: NO_REQUIREMENT,
  },
  (role) => {
    if (isTrue(role, 'deleted')) return NOT_APPLICABLE;
    const permissions = strings(role, 'includedPermissions');
    if (!permissions.some(escalates)) return PASS;
    const escalating = permissions.filter(escalates);
    return fail({
      message: `Holders of this role gain more by ${escalating.join(', ')}.`,
      evidence: [cite('includedPermissions', escalating)],
    });
  },
);

function escalates(permission: string): boolean {
  return ESCALATING.has(permission) || permission.endsWith('.setIamPolicy');
}
