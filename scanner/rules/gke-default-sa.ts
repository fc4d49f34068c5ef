import { cite } from '../evidence.ts';
import { nodePoolsOf } from '../facts/cluster.ts';
import { isComputeDefaultAccount } from '../facts/default-account.ts';
import { child, type JsonObject, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';
import { type GkeDemand, judgeNodePools, specOf } from './gke-demand.ts';

const DEMAND: GkeDemand = {
  id: 'gke-default-sa',
  title: 'Nodes run as the default service account',
  severity: 'medium',
  description:
    'The default account of Compute Engine is made with the role of editor, and everything in a project shares it: a pod that gets at the credentials of its node may change nearly all of the project.',
  remediation:
    'Make an account with the role Kubernetes Engine Default Node Service Account and a pool that runs as it, then move over: gcloud container node-pools create POOL --cluster=CLUSTER --service-account=ACCOUNT.',
  message: 'The nodes run as the default service account of Compute Engine.',
  paths: ['config.serviceAccount'],
  admits: (pool) => !runsAsDefault(child(pool, 'config')),
};

/** The `nodeConfig` of a cluster is deprecated; it counts only where there are no pools. */
export const gkeDefaultSa = resourceRule(specOf(DEMAND), (cluster) => {
  if (nodePoolsOf(cluster).length > 0) return judgeNodePools(DEMAND, cluster);
  const config = child(cluster, 'nodeConfig');
  if (config === null) return NOT_APPLICABLE;
  if (!runsAsDefault(config)) return PASS;
  return fail({
    message: DEMAND.message,
    evidence: [cite('nodeConfig.serviceAccount', config.serviceAccount)],
  });
});

/** Without an account the nodes have the default one, which GKE also knows by the name `default`. */
function runsAsDefault(config: JsonObject | null): boolean {
  const account = text(config, 'serviceAccount');
  return account === null || account === 'default' || isComputeDefaultAccount(account);
}
