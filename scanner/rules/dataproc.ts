import { cis } from '../compliance.ts';
import { child } from '../json.ts';
import type { Rule } from '../rule.ts';
import { requiredSettingRule } from './required-setting.ts';

const dataprocCmek = requiredSettingRule(
  {
    id: 'dataproc-cmek',
    title: 'Dataproc cluster is not encrypted with a key of yours',
    severity: 'low',
    category: 'database',
    assetTypes: ['dataproc.googleapis.com/Cluster'],
    description:
      'The disks of a cluster hold what its jobs work on. They are encrypted with keys that Google holds unless the cluster was made with one of yours. A cluster that runs on Kubernetes Engine has no disks of its own.',
    remediation:
      'Make the cluster anew with a key: gcloud dataproc clusters create CLUSTER --region=REGION --gce-pd-kms-key=KEY.',
    compliance: cis({ v2: '1.17', v4: '8.1', v5: '8.1' }),
  },
  {
    path: 'config.encryptionConfig.gcePdKmsKeyName',
    isExempt: (cluster) =>
      child(cluster, 'virtualClusterConfig') !== null && child(cluster, 'config') === null,
    message: 'The disks of this cluster are encrypted with keys that Google holds.',
  },
);

export const DATAPROC_RULES: readonly Rule[] = [dataprocCmek];
