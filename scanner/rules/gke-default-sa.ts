import { cite } from '../evidence.ts';
import { nodePoolsOf } from '../facts/cluster.ts';
import { isComputeDefaultAccount } from '../facts/default-account.ts';
import { child, type JsonObject, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';
import { evaluateNodePools, type GkeDemand, specOf } from './gke-demand.ts';

/*
 * Fields: container v1, discovery revision 20261027.
 */

const DEMAND: GkeDemand = {
  id: 'gke-default-sa',
  title: 'Nodes run as the default service account',
  severity: 'medium',
  description:
    'The default account of Compute Engine is created with the Editor role and shared by the whole project: a pod that obtains the credentials of its node can change nearly everything in the project.',
  remediation:
    'Create an account with the role Kubernetes Engine Default Node Service Account and a pool that uses it, then move the workloads: `gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --service-account=ACCOUNT`.',
  noFix: 'needs a service account and a new node pool',
  message: 'The nodes run as the default service account of Compute Engine.',
  paths: ['config.serviceAccount'],
  admits: (pool) => !runsAsDefault(child(pool, 'config')),
};

/** The `nodeConfig` of a cluster is deprecated; it counts only if there are no pools. */
export const gkeDefaultSa = resourceRule(specOf(DEMAND), (cluster) => {
  if (nodePoolsOf(cluster).length > 0) return evaluateNodePools(DEMAND, cluster);
  const config = child(cluster, 'nodeConfig');
  if (config === null) return NOT_APPLICABLE;
  if (!runsAsDefault(config)) return PASS;
  return fail({
    message: DEMAND.message,
    evidence: [cite('nodeConfig.serviceAccount', config.serviceAccount)],
  });
});

/** Nodes without an account use the default one, which GKE also calls `default`. */
function runsAsDefault(config: JsonObject | null): boolean {
  const account = text(config, 'serviceAccount');
  return account === null || account === 'default' || isComputeDefaultAccount(account);
}
