import type { RuleCases } from '../testing/rule-cases.ts';
import { GKE_ACCESS_CASES } from './gke-access.cases.ts';
import { GKE_CLUSTER_CASES } from './gke-cluster.cases.ts';
import { GKE_NODE_POOL_CASES } from './gke-node-pools.cases.ts';

export const GKE_CASES: readonly RuleCases[] = [
  ...GKE_ACCESS_CASES,
  ...GKE_CLUSTER_CASES,
  ...GKE_NODE_POOL_CASES,
];
