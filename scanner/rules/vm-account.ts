import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isComputeDefaultAccount } from '../facts/default-account.ts';
import { isGkeNode, scopesOf, serviceAccountsOf } from '../facts/instance.ts';
import type { Repair } from '../fixes/repair.ts';
import type { JsonObject } from '../json.ts';
import { isObject, items, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const INSTANCE = ['compute.googleapis.com/Instance'];

const OWN_ACCOUNT =
  'Assign the instance its own service account with the required roles, while it is stopped: `gcloud compute instances set-service-account INSTANCE --zone=ZONE --service-account=ACCOUNT --scopes=cloud-platform`.';

const vmDefaultSa = resourceRule(
  {
    id: 'vm-default-sa',
    title: 'Instance runs as the default service account',
    severity: 'medium',
    category: 'compute',
    assetTypes: INSTANCE,
    description:
      'The default service account of Compute Engine is shared by all instances without a specific account, and has the Editor role in most projects: an intruder on one instance controls all of them. GKE nodes are checked with their cluster.',
    remediation: OWN_ACCOUNT,
    compliance: cis({ v4: '4.1', v5: '4.1' }),
    noFix: 'needs the service account of the workload',
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
      'With the scope cloud-platform only the roles of the default service account limit what the instance may do; in most projects that is the Editor role. GKE nodes are checked with their cluster.',
    remediation: OWN_ACCOUNT,
    compliance: cis({ v4: '4.2', v5: '4.2' }),
    fix: useDefaultScopes,
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

/** The scopes that Google gives instances by default. */
const DEFAULT_SCOPES = [
  'https://www.googleapis.com/auth/devstorage.read_only',
  'https://www.googleapis.com/auth/logging.write',
  'https://www.googleapis.com/auth/monitoring.write',
  'https://www.googleapis.com/auth/service.management.readonly',
  'https://www.googleapis.com/auth/servicecontrol',
  'https://www.googleapis.com/auth/trace.append',
];

/** Replaces the full scope, and keeps the account and its other scopes. */
function useDefaultScopes(repair: Repair): void {
  for (const spelling of ['serviceAccounts', 'serviceAccount']) {
    items(repair.data, spelling).forEach((account, index) => {
      if (!isObject(account) || !isDefault(account)) return;
      const member = items(account, 'scopes').length > 0 ? 'scopes' : 'scope';
      const kept = scopesOf(account).filter((scope) => !isFullScope(scope));
      const scopes = [...new Set([...kept, ...DEFAULT_SCOPES])];
      repair.set([spelling, index, member], scopes);
      repair.gcloud(
        'compute instances set-service-account {name} --zone={zone} --project={project} --service-account={email} --scopes={scopes}',
        { email: text(account, 'email') ?? undefined, scopes },
      );
      repair.terraform('google_compute_instance', 'service_account.scopes', scopes);
    });
  }
  repair.caution(
    'The instance must be stopped for the change. The command replaces all scopes with those of the inventory and the default ones.',
  );
}

/** The default account of an instance; a request, and so a plan, may call it `default`. */
function defaultAccountOf(instance: JsonObject): JsonObject | undefined {
  return serviceAccountsOf(instance).find(isDefault);
}

function isDefault({ email }: JsonObject): boolean {
  if (typeof email !== 'string') return false;
  return email === 'default' || isComputeDefaultAccount(email);
}

function isFullScope(scope: string): boolean {
  return scope === 'cloud-platform' || scope.endsWith('/auth/cloud-platform');
}

export const VM_ACCOUNT_RULES: readonly Rule[] = [vmDefaultSa, vmDefaultSaFullScope];
