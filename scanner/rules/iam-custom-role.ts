import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import type { JsonValue } from '../json.ts';
import { isTrue, strings } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: iam v1, discovery revision 20261023.
 */

/** Permissions that let a member obtain further permissions. */
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
    title: 'Custom role allows privilege escalation',
    severity: 'medium',
    category: 'iam',
    assetTypes: ['iam.googleapis.com/Role'],
    description:
      'Some permissions can be used to obtain all others: those that change policies, act as service accounts, create tokens, signatures or keys for them, or deploy as the account of Deployment Manager. In a custom role they are easily overlooked.',
    remediation:
      'Remove these permissions and grant a predefined role to the few people who need them: `gcloud iam roles update ROLE --project=PROJECT --remove-permissions=PERMISSIONS`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      const removed = strings(repair.data, 'includedPermissions').filter(escalates);
      const isRemoved = (one: JsonValue) => typeof one === 'string' && escalates(one);
      const kept = repair.filterOut('', ['includedPermissions'], isRemoved);
      const owner =
        repair.part('organization') === undefined
          ? '--project={project}'
          : '--organization={organization}';
      repair.gcloud(`iam roles update {name} ${owner} --remove-permissions={removed}`, { removed });
      const level = owner.startsWith('--project') ? 'project' : 'organization';
      repair.terraform(`google_${level}_iam_custom_role`, 'permissions', kept);
      repair.caution('Grant these permissions first to those who need them, by a predefined role.');
    },
  },
  (role) => {
    if (isTrue(role, 'deleted')) return NOT_APPLICABLE;
    const permissions = strings(role, 'includedPermissions');
    if (!permissions.some(escalates)) return PASS;
    const escalating = permissions.filter(escalates);
    return fail({
      message: `Members with this role can escalate privileges with ${escalating.join(', ')}.`,
      evidence: [cite('includedPermissions', escalating)],
    });
  },
);

function escalates(permission: string): boolean {
  return ESCALATING.has(permission) || permission.endsWith('.setIamPolicy');
}
