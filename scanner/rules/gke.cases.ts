import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const cluster = resourceCases('container.googleapis.com/Cluster');

export const GKE_CASES: readonly RuleCases[] = [
  {
    rule: 'gke-legacy-abac',
    pass: [
      cluster.case('a cluster without legacy authorization', { legacyAbac: { enabled: false } }),
      cluster.case('a cluster that does not mention it', { legacyAbac: {} }),
    ],
    fail: [cluster.case('a cluster with legacy authorization', { legacyAbac: { enabled: true } })],
    na: 'never',
    unknown: cluster.unknown,
  },
];
