import type { Rule } from '../rule.ts';
import { GKE_ACCESS_RULES } from './gke-access.ts';
import { GKE_CLUSTER_RULES } from './gke-cluster.ts';
import { gkeDefaultSa } from './gke-default-sa.ts';
import { GKE_NODE_POOL_RULES } from './gke-node-pools.ts';

export const GKE_RULES: readonly Rule[] = [
  ...GKE_ACCESS_RULES,
  ...GKE_CLUSTER_RULES,
  ...GKE_NODE_POOL_RULES,
  gkeDefaultSa,
];
