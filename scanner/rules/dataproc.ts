import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { child, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: dataproc v1, discovery revision 20261023.
 */

/** Either key encrypts the disks; `kmsKey` also encrypts the arguments of jobs. */
const KEYS = ['gcePdKmsKeyName', 'kmsKey'] as const;

const dataprocCmek = resourceRule(
  {
    id: 'dataproc-cmek',
    version: 2,
    title: 'Dataproc cluster is not encrypted with a customer-managed key',
    severity: 'low',
    category: 'database',
    assetTypes: ['dataproc.googleapis.com/Cluster'],
    description:
      'The disks of a cluster contain the data of its jobs. They are encrypted with Google-managed keys unless the cluster was created with a customer-managed key. A cluster that runs on Kubernetes Engine has no disks of its own.',
    remediation:
      'Recreate the cluster with a key: `gcloud dataproc clusters create CLUSTER --region=REGION --gce-pd-kms-key=KEY`.',
    compliance: cis({ v2: '1.17', v4: '8.1', v5: '8.1' }),
    noFix: 'needs the name of a key and a new cluster',
  },
  (cluster) => {
    const config = child(cluster, 'config');
    if (config === null && child(cluster, 'virtualClusterConfig') !== null) return NOT_APPLICABLE;
    const encryption = child(config, 'encryptionConfig');
    if (KEYS.some((key) => text(encryption, key) !== null)) return PASS;
    return fail({
      message: 'The disks of this cluster are encrypted with Google-managed keys.',
      evidence: KEYS.map((key) => cite(`config.encryptionConfig.${key}`, encryption?.[key])),
    });
  },
);

export const DATAPROC_RULES: readonly Rule[] = [dataprocCmek];
