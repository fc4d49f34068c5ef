import {
  encryptsSecrets,
  enforcesBinaryAuthorization,
  enforcesNetworkPolicy,
  releaseChannelOf,
  workloadPoolOf,
} from '../facts/cluster.ts';
import { isEnum } from '../facts/enumeration.ts';
import { child, isTrue } from '../json.ts';
import type { Rule } from '../rule.ts';
import { clusterRule, type GkeDemand } from './gke-demand.ts';

/*
 * How a cluster runs what is in it, and how it is looked after.
 */

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-network-policy',
    title: 'Pods may talk to all pods',
    severity: 'medium',
    description:
      'Unless network policies take effect, by the network policy add-on or by Dataplane V2, one pod that is taken over reaches every other pod of the cluster.',
    remediation:
      'Make clusters with Dataplane V2 (--enable-dataplane-v2), or switch enforcement on for the nodes: gcloud container clusters update CLUSTER --enable-network-policy.',
    message: 'Network policies have no effect in this cluster.',
    paths: ['networkPolicy.enabled', 'networkConfig.datapathProvider'],
    admits: enforcesNetworkPolicy,
  },
  {
    id: 'gke-workload-identity',
    title: 'Pods act as their node',
    severity: 'medium',
    description:
      'Without Workload Identity every pod acts with the service account of its node, and keys of other accounts lie about in secrets. With it each workload has an account of its own and no key.',
    remediation:
      'Give the cluster its pool of identities: gcloud container clusters update CLUSTER --workload-pool=PROJECT.svc.id.goog.',
    message: 'This cluster has no workload identity pool.',
    paths: ['workloadIdentityConfig.workloadPool'],
    admits: (cluster) => workloadPoolOf(cluster) !== null,
  },
  {
    id: 'gke-shielded-nodes',
    title: 'Nodes join the cluster unverified',
    severity: 'medium',
    description:
      'Shielded nodes prove by their virtual TPM that they are instances of this cluster. Without that, credentials that were taken from one node can be used to pose as another.',
    remediation:
      'Switch them on: gcloud container clusters update CLUSTER --enable-shielded-nodes.',
    message: 'The nodes of this cluster are not shielded.',
    paths: ['shieldedNodes.enabled'],
    admits: (cluster) => isTrue(child(cluster, 'shieldedNodes'), 'enabled'),
  },
  {
    id: 'gke-logging',
    title: 'Cluster sends no logs',
    severity: 'medium',
    description:
      'The logs of nodes, pods and control plane tell what happened in the cluster. With the logging service none they are gone with the pods. A cluster that names no service has the default, which logs.',
    remediation:
      'Switch logging on: gcloud container clusters update CLUSTER --logging=SYSTEM,WORKLOAD.',
    message: 'Logging is off for this cluster.',
    paths: ['loggingService'],
    admits: ({ loggingService }) => !isEnum(loggingService, 'none'),
  },
  {
    id: 'gke-monitoring',
    title: 'Cluster sends no metrics',
    severity: 'medium',
    description:
      'With the monitoring service none nobody is told of nodes that fail, pods that restart for ever or a miner that takes all processors. A cluster that names no service has the default, which monitors.',
    remediation:
      'Switch monitoring on: gcloud container clusters update CLUSTER --monitoring=SYSTEM.',
    message: 'Monitoring is off for this cluster.',
    paths: ['monitoringService'],
    admits: ({ monitoringService }) => !isEnum(monitoringService, 'none'),
  },
  {
    id: 'gke-alpha',
    title: 'Cluster runs alpha features',
    severity: 'medium',
    description:
      'An alpha cluster has every unfinished feature of Kubernetes on, gets no updates of its version and is deleted after 30 days: nothing that matters belongs there.',
    remediation:
      'Move what it runs to a cluster without alpha features, then delete it: gcloud container clusters delete CLUSTER.',
    message: 'This cluster has the alpha features of Kubernetes on.',
    paths: ['enableKubernetesAlpha'],
    admits: (cluster) => !isTrue(cluster, 'enableKubernetesAlpha'),
  },
  {
    id: 'gke-binauthz',
    title: 'Cluster runs any image',
    severity: 'low',
    description:
      'Binary Authorization lets only images run that your policy admits, such as those that your build signed. Without it a deployment can pull whatever it names.',
    remediation:
      'Write a policy, then enforce it: gcloud container clusters update CLUSTER --binauthz-evaluation-mode=PROJECT_SINGLETON_POLICY_ENFORCE.',
    message: 'Binary Authorization is off for this cluster.',
    paths: ['binaryAuthorization.evaluationMode', 'binaryAuthorization.enabled'],
    admits: enforcesBinaryAuthorization,
  },
  {
    id: 'gke-secrets-encryption',
    title: 'Secrets of Kubernetes are not encrypted by a key of yours',
    severity: 'medium',
    description:
      'With a Cloud KMS key the secrets in the database of the control plane are encrypted once more, under a key that you rotate, watch and can take away.',
    remediation:
      'Name a key: gcloud container clusters update CLUSTER --database-encryption-key=KEY.',
    message: 'The secrets of this cluster are not encrypted by a Cloud KMS key.',
    paths: ['databaseEncryption.state'],
    admits: encryptsSecrets,
  },
  {
    id: 'gke-release-channel',
    title: 'Cluster follows no release channel',
    severity: 'low',
    description:
      'A release channel brings the cluster the versions that have proved themselves, and with them the fixes, at the pace that you choose. Without one it is up to somebody to remember.',
    remediation:
      'Choose a channel: gcloud container clusters update CLUSTER --release-channel=regular.',
    message: 'This cluster follows no release channel.',
    paths: ['releaseChannel.channel'],
    admits: (cluster) => releaseChannelOf(cluster) !== null,
  },
  {
    id: 'gke-alias-ip',
    title: 'Cluster routes pods without alias ranges',
    severity: 'low',
    description:
      'With alias addresses the network knows the addresses of pods: firewall rules and flow logs see them, and nobody can pose as them. Clusters that use routes instead lack that, and private nodes.',
    remediation:
      'It is settled when a cluster is made: make one with gcloud container clusters create CLUSTER --enable-ip-alias and move over.',
    message: 'This cluster does not use alias addresses.',
    paths: ['ipAllocationPolicy.useIpAliases'],
    admits: (cluster) => isTrue(child(cluster, 'ipAllocationPolicy'), 'useIpAliases'),
  },
];

export const GKE_CLUSTER_RULES: readonly Rule[] = DEMANDS.map(clusterRule);
