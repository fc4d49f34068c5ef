import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isComputeDefaultAccount } from '../facts/default-account.ts';
import { isGkeNode, scopesOf, serviceAccountsOf } from '../facts/instance.ts';
import type { JsonObject } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const INSTANCE = ['compute.googleapis.com/Instance'];

const OWN_ACCOUNT =
  'Give the instance a service account of its own with the roles that it needs, while it is stopped: gcloud compute instances set-service-account INSTANCE --zone=ZONE --service-account=ACCOUNT --scopes=cloud-platform.';

const vmDefaultSa = resourceRule(
  {
    id: 'vm-default-sa',
    title: 'Instance runs as the default service account',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'The default service account of Compute Engine is shared by all instances that name no other, and holds the role of editor in most projects: what takes over one instance has them all. Nodes of GKE are judged with their cluster.',
    remediation: OWN_ACCOUNT,
    compliance: cis({ v4: '4.1', v5: '4.1' }),
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    const account = defaultAccountOf(instance);
    if (account === undefined) return PASS;
    return fail({
      message: 'The instance runs as the default service account of Compute Engine.',
      evidence: [cite('serviceAccounts[].email', account.email)],
    });
  },
);

const vmDefaultSaFullScope = resourceRule(
  {
    id: 'vm-default-sa-full-scope',
    title: 'Instance has full access to all APIs through the default service account',
    severity: 'high',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'With the scope cloud-platform nothing but the roles of the default service account limits what the instance may do, and these are those of an editor in most projects. Nodes of GKE are judged with their cluster.',
    remediation: OWN_ACCOUNT,
    compliance: cis({ v4: '4.2', v5: '4.2' }),
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    const account = defaultAccountOf(instance);
    if (account === undefined) return PASS;
    const scopes = scopesOf(account);
    if (!scopes.some(isFullScope)) return PASS;
    return fail({
      message:
        'The instance runs as the default service account of Compute Engine, with the scope cloud-platform.',
      evidence: [
        cite('serviceAccounts[].email', account.email),
        cite('serviceAccounts[].scopes', scopes),
      ],
    });
  },
);

/** The account among those of the instance; `default` is what a request, and so a plan, may call it. */
function defaultAccountOf(instance: JsonObject): JsonObject | undefined {
  return serviceAccountsOf(instance).find(({ email }) => {
    if (typeof email !== 'string') return false;
    return email === 'default' || isComputeDefaultAccount(email);
  });
}

function isFullScope(scope: string): boolean {
  return scope === 'cloud-platform' || scope.endsWith('/auth/cloud-platform');
}

export const VM_ACCOUNT_RULES: readonly Rule[] = [vmDefaultSa, vmDefaultSaFullScope];
