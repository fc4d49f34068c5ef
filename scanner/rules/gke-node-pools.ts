import { isEnum } from '../facts/enumeration.ts';
import { isAffirmative } from '../facts/metadata.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import type { Rule } from '../rule.ts';
import { type GkeDemand, nodePoolRule } from './gke-demand.ts';

const UPDATE = 'gcloud container node-pools update POOL --cluster=CLUSTER';

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-secure-boot',
    title: 'Nodes start software that nobody signed',
    severity: 'low',
    description:
      'With Secure Boot a node starts only what is signed, so that a changed boot loader or kernel module does not survive a restart. It is set for each node pool.',
    remediation:
      'It is settled when a pool is made: make one with gcloud container node-pools create POOL --cluster=CLUSTER --shielded-secure-boot and move over.',
    message: 'Secure Boot is off.',
    paths: ['config.shieldedInstanceConfig.enableSecureBoot'],
    admits: (pool) => isTrue(shieldedConfigOf(pool), 'enableSecureBoot'),
  },
  {
    id: 'gke-integrity-monitoring',
    title: 'Nodes are not watched for changes of how they start',
    severity: 'low',
    description:
      'Integrity monitoring compares how a node starts with how it should, and reports a difference, which is how a hidden change of its system shows. It is set for each node pool.',
    remediation:
      'It is settled when a pool is made: make one with gcloud container node-pools create POOL --cluster=CLUSTER --shielded-integrity-monitoring and move over.',
    message: 'Integrity monitoring is off.',
    paths: ['config.shieldedInstanceConfig.enableIntegrityMonitoring'],
    admits: (pool) => isTrue(shieldedConfigOf(pool), 'enableIntegrityMonitoring'),
  },
  {
    id: 'gke-node-auto-upgrade',
    title: 'Nodes are not upgraded by themselves',
    severity: 'medium',
    description:
      'Nodes that are upgraded by hand stay behind their control plane, and keep flaws that were mended long ago.',
    remediation: `Switch it on: ${UPDATE} --enable-autoupgrade.`,
    message: 'Automatic upgrades are off.',
    paths: ['management.autoUpgrade'],
    admits: (pool) => isTrue(child(pool, 'management'), 'autoUpgrade'),
  },
  {
    id: 'gke-node-auto-repair',
    title: 'Nodes are not repaired by themselves',
    severity: 'medium',
    description:
      'A node that fails its health checks is made anew where automatic repair is on. Without it broken nodes keep taking work, or capacity shrinks unseen.',
    remediation: `Switch it on: ${UPDATE} --enable-autorepair.`,
    message: 'Automatic repair is off.',
    paths: ['management.autoRepair'],
    admits: (pool) => isTrue(child(pool, 'management'), 'autoRepair'),
  },
  {
    id: 'gke-legacy-metadata',
    title: 'Nodes serve the old metadata endpoints',
    severity: 'medium',
    description:
      'The old endpoints of the metadata server answer requests without a header that says they are meant, so that a pod that fetches any address it is given hands out the credentials of its node.',
    remediation:
      'It is settled when a pool is made: make one with gcloud container node-pools create POOL --cluster=CLUSTER --metadata=disable-legacy-endpoints=true and move over.',
    message: 'The old metadata endpoints are not disabled.',
    paths: ['config.metadata.disable-legacy-endpoints'],
    admits: (pool) =>
      isAffirmative(child(child(pool, 'config'), 'metadata')?.['disable-legacy-endpoints']),
  },
  {
    id: 'gke-cos-image',
    title: 'Nodes run another system than Container-Optimized OS',
    severity: 'low',
    description:
      'Container-Optimized OS holds little more than what runs containers, with a read-only root that is verified as it starts. It is what a pool has that names no image.',
    remediation:
      'Change the image: gcloud container clusters upgrade CLUSTER --node-pool=POOL --image-type=cos_containerd.',
    message: 'The image is not Container-Optimized OS.',
    paths: ['config.imageType'],
    admits: hasCosImage,
  },
];

export const GKE_NODE_POOL_RULES: readonly Rule[] = DEMANDS.map(nodePoolRule);

function shieldedConfigOf(pool: JsonObject): JsonObject | null {
  return child(child(pool, 'config'), 'shieldedInstanceConfig');
}

/** COS, COS_CONTAINERD and whatever else begins so; a pool that names no image has it by default. */
function hasCosImage(pool: JsonObject): boolean {
  const image = text(child(pool, 'config'), 'imageType');
  return image === null || image.startsWith('COS') || isEnum(image.slice(0, 3), 'COS');
}
