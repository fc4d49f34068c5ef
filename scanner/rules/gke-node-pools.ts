import { nodePoolsOf } from '../facts/cluster.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isAffirmative } from '../facts/metadata.ts';
import { child, isTrue, type JsonObject, text } from '../json.ts';
import type { Rule } from '../rule.ts';
import { type GkeDemand, nodePoolRule } from './gke-demand.ts';
import { poolSetting } from './gke-fixes.ts';

/*
 * Fields: container v1, discovery revision 20261027.
 */

const UPDATE = 'gcloud container node-pools update POOL --cluster=CLUSTER --location=LOCATION';

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-secure-boot',
    title: 'Secure Boot is disabled for nodes',
    severity: 'low',
    description:
      'With Secure Boot a node starts only signed software, so that a modified boot loader or kernel module does not survive a restart. It is set for each node pool.',
    remediation:
      'It can only be set at creation: create a pool with `gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --shielded-secure-boot` and move the workloads.',
    noFix: 'it can only be set when a node pool is created',
    message: 'Secure Boot is disabled.',
    paths: ['config.shieldedInstanceConfig.enableSecureBoot'],
    admits: (pool) => isTrue(shieldedConfigOf(pool), 'enableSecureBoot'),
  },
  {
    id: 'gke-integrity-monitoring',
    title: 'Integrity monitoring is disabled for nodes',
    severity: 'low',
    description:
      'Integrity monitoring compares the boot sequence of a node with a baseline and reports differences, which reveals hidden changes of the system. It is set for each node pool.',
    remediation:
      'It can only be set at creation: create a pool with `gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --shielded-integrity-monitoring` and move the workloads.',
    noFix: 'it can only be set when a node pool is created',
    message: 'Integrity monitoring is disabled.',
    paths: ['config.shieldedInstanceConfig.enableIntegrityMonitoring'],
    admits: (pool) => isTrue(shieldedConfigOf(pool), 'enableIntegrityMonitoring'),
  },
  {
    id: 'gke-node-auto-upgrade',
    title: 'Automatic node upgrades are disabled',
    severity: 'medium',
    description:
      'Nodes that are upgraded manually lag behind their control plane and keep known vulnerabilities.',
    remediation: `Enable it: \`${UPDATE} --enable-autoupgrade\`.`,
    fix: poolSetting({
      admits: upgradesItself,
      path: 'management.autoUpgrade',
      value: true,
      gcloud: 'node-pools update {pool}',
      option: '--enable-autoupgrade',
      attribute: 'management.auto_upgrade',
    }),
    message: 'Automatic upgrades are disabled.',
    paths: ['management.autoUpgrade'],
    admits: upgradesItself,
  },
  {
    id: 'gke-node-auto-repair',
    title: 'Automatic node repair is disabled',
    severity: 'medium',
    description:
      'With automatic repair, a node that fails its health checks is recreated. Without it, broken nodes keep receiving work or capacity shrinks unnoticed.',
    remediation: `Enable it: \`${UPDATE} --enable-autorepair\`.`,
    fix: poolSetting({
      admits: repairsItself,
      path: 'management.autoRepair',
      value: true,
      gcloud: 'node-pools update {pool}',
      option: '--enable-autorepair',
      attribute: 'management.auto_repair',
    }),
    message: 'Automatic repair is disabled.',
    paths: ['management.autoRepair'],
    admits: repairsItself,
  },
  {
    id: 'gke-legacy-metadata',
    title: 'Nodes have legacy metadata endpoints enabled',
    severity: 'medium',
    description:
      'The legacy endpoints of the metadata server do not require the protective header, so a pod that fetches arbitrary URLs can leak the credentials of its node.',
    remediation:
      'It can only be set at creation: create a pool with `gcloud container node-pools create POOL --cluster=CLUSTER --location=LOCATION --metadata=disable-legacy-endpoints=true` and move the workloads.',
    noFix: 'it can only be set when a node pool is created',
    message: 'The legacy metadata endpoints are not disabled.',
    paths: ['config.metadata.disable-legacy-endpoints'],
    admits: (pool) =>
      isAffirmative(child(child(pool, 'config'), 'metadata')?.['disable-legacy-endpoints']),
  },
  {
    id: 'gke-cos-image',
    title: 'Nodes do not use Container-Optimized OS',
    severity: 'low',
    description:
      'Container-Optimized OS contains only what containers need, with a read-only root that is verified at boot. It is the default of a pool without an image type. Windows containers need Windows nodes: mute the finding of such a pool.',
    remediation:
      'Change the image of a pool on Linux: `gcloud container clusters upgrade CLUSTER --location=LOCATION --node-pool=POOL --image-type=cos_containerd`.',
    fix: (repair) => {
      if (nodePoolsOf(repair.data).some(runsWindows)) {
        repair.refuse('a node pool on Windows cannot run Container-Optimized OS');
      }
      useCosImage(repair);
    },
    message: 'The image is not Container-Optimized OS.',
    paths: ['config.imageType'],
    admits: hasCosImage,
  },
];

export const GKE_NODE_POOL_RULES: readonly Rule[] = DEMANDS.map(nodePoolRule);

function upgradesItself(pool: JsonObject): boolean {
  return isTrue(child(pool, 'management'), 'autoUpgrade');
}

function repairsItself(pool: JsonObject): boolean {
  return isTrue(child(pool, 'management'), 'autoRepair');
}

function shieldedConfigOf(pool: JsonObject): JsonObject | null {
  return child(child(pool, 'config'), 'shieldedInstanceConfig');
}

const useCosImage = poolSetting({
  admits: hasCosImage,
  path: 'config.imageType',
  value: 'COS_CONTAINERD',
  gcloud: 'clusters upgrade',
  option: '--image-type=COS_CONTAINERD',
  attribute: 'node_config.image_type',
  caution: 'The nodes of the pool are recreated.',
});

function runsWindows(pool: JsonObject): boolean {
  return /^WINDOWS/i.test(text(child(pool, 'config'), 'imageType') ?? '');
}

/** COS, COS_CONTAINERD and other variants of COS; COS is also the default of a pool without an image. */
function hasCosImage(pool: JsonObject): boolean {
  const image = text(child(pool, 'config'), 'imageType');
  return image === null || /^COS(?:_|$)/i.test(image) || isEnum(image, 'COS_CONTAINERD');
}
