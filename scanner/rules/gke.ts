import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { child, isTrue } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const gkeLegacyAbac = resourceRule(
  {
    id: 'gke-legacy-abac',
    title: 'Cluster uses legacy authorization',
    severity: 'high',
    category: 'gke',
    assetTypes: ['container.googleapis.com/Cluster'],
    description:
      'Legacy authorization (ABAC) gives every service account and every certificate in the cluster broad rights, whatever RBAC says.',
    remediation:
      'Grant what is needed by RBAC, then switch it off: gcloud container clusters update CLUSTER --no-enable-legacy-authorization.',
    compliance: NO_REQUIREMENT,
  },
  (cluster) => {
    if (!isTrue(child(cluster, 'legacyAbac'), 'enabled')) return PASS;
    return fail({
      message: 'Legacy authorization is on for this cluster.',
      evidence: [cite('legacyAbac.enabled', true)],
    });
  },
);

export const GKE_RULES: readonly Rule[] = [gkeLegacyAbac];
