import {
  encryptsSecrets,
  enforcesBinaryAuthorization,
  enforcesNetworkPolicy,
  followsReleaseChannel,
  hasShieldedNodes,
  hasWorkloadIdentity,
  sendsTelemetry,
  usesAliasAddresses,
} from '../facts/cluster.ts';
import type { Repair } from '../fixes/repair.ts';
import { set } from '../fixes/set.ts';
import { child, isTrue, text } from '../json.ts';
import type { Rule } from '../rule.ts';
import { clusterRule, type GkeDemand } from './gke-demand.ts';
import { CLUSTER } from './gke-fixes.ts';

/*
 * How a cluster runs its workloads, and how it is maintained.
 *
 * Fields: container v1, discovery revision 20261027.
 */

function enableTelemetry(
  repair: Repair,
  kind: 'logging' | 'monitoring',
  components: readonly string[],
  option: string,
): void {
  if (text(repair.data, `${kind}Service`) !== null) {
    repair.set(`${kind}Service`, `${kind}.googleapis.com/kubernetes`);
  }
  repair.set(`${kind}Config.componentConfig.enableComponents`, components);
  repair.gcloud(`container clusters update ${CLUSTER} --${kind}=${option}`);
  const attribute = `${kind}_config.enable_components`;
  repair.terraform('google_container_cluster', attribute, components);
}

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-network-policy',
    version: 2,
    title: 'Network policies are not enforced',
    severity: 'medium',
    description:
      'Unless network policies are enforced, by the network policy add-on or by Dataplane V2, a compromised pod can reach every other pod of the cluster.',
    remediation:
      'Create clusters with Dataplane V2 (`--enable-dataplane-v2`), or enable the addon, then enforcement on the nodes: `gcloud container clusters update CLUSTER --location=LOCATION --update-addons=NetworkPolicy=ENABLED`; `gcloud container clusters update CLUSTER --location=LOCATION --enable-network-policy`.',
    fix: (repair) => {
      repair.set('networkPolicy.enabled', true);
      if (child(child(repair.data, 'addonsConfig'), 'networkPolicyConfig') !== null) {
        repair.set('addonsConfig.networkPolicyConfig.disabled', false);
      }
      repair.gcloud(`container clusters update ${CLUSTER} --update-addons=NetworkPolicy=ENABLED`);
      repair.gcloud(`container clusters update ${CLUSTER} --enable-network-policy`);
      const resource = 'google_container_cluster';
      repair.terraform(resource, 'addons_config.network_policy_config.disabled', false);
      repair.terraform(resource, 'network_policy.enabled', true);
      repair.caution('All nodes are recreated.');
    },
    message: 'Network policies have no effect in this cluster.',
    paths: ['networkPolicy.enabled', 'networkConfig.datapathProvider'],
    admits: enforcesNetworkPolicy,
  },
  {
    id: 'gke-workload-identity',
    version: 2,
    title: 'Workload Identity is disabled',
    severity: 'medium',
    description:
      'Without Workload Identity every pod uses the service account of its node, and keys of other accounts are stored in secrets. With it each workload has its own account and no key.',
    remediation:
      'Set the workload identity pool: `gcloud container clusters update CLUSTER --location=LOCATION --workload-pool=PROJECT.svc.id.goog`.',
    fix: (repair) => {
      const project = repair.part('project') ?? '';
      if (!/^[a-z][a-z0-9.:-]+$/.test(project)) repair.refuse('needs the id of the project');
      const workloadPool = `${project}.svc.id.goog`;
      repair.set('workloadIdentityConfig.workloadPool', workloadPool);
      repair.gcloud(`container clusters update ${CLUSTER} --workload-pool={workloadPool}`, {
        workloadPool,
      });
      const attribute = 'workload_identity_config.workload_pool';
      repair.terraform('google_container_cluster', attribute, workloadPool);
      repair.caution('Existing node pools use it only after --workload-metadata=GKE_METADATA.');
    },
    message: 'This cluster has no workload identity pool.',
    paths: ['workloadIdentityConfig.workloadPool'],
    admits: hasWorkloadIdentity,
  },
  {
    id: 'gke-shielded-nodes',
    version: 2,
    title: 'Shielded nodes are disabled',
    severity: 'medium',
    description:
      'Shielded nodes prove with their virtual TPM that they are instances of this cluster. Otherwise credentials taken from one node can be used to impersonate another.',
    remediation:
      'Enable them: `gcloud container clusters update CLUSTER --location=LOCATION --enable-shielded-nodes`.',
    fix: set(
      { 'shieldedNodes.enabled': true },
      {
        gcloud: `container clusters update ${CLUSTER} --enable-shielded-nodes`,
        terraform: { google_container_cluster: { enable_shielded_nodes: true } },
        caution: 'Nodes are recreated.',
      },
    ),
    message: 'The nodes of this cluster are not shielded.',
    paths: ['shieldedNodes.enabled'],
    admits: hasShieldedNodes,
  },
  {
    id: 'gke-logging',
    version: 2,
    title: 'Cluster logging is disabled',
    severity: 'medium',
    description:
      'The logs of nodes, pods and control plane show what happened in the cluster. With the logging service none they are lost with the pods. A cluster without a configured service uses the default, which logs.',
    remediation:
      'Enable logging: `gcloud container clusters update CLUSTER --location=LOCATION --logging=SYSTEM,WORKLOAD`.',
    fix: (repair) =>
      enableTelemetry(repair, 'logging', ['SYSTEM_COMPONENTS', 'WORKLOADS'], 'SYSTEM,WORKLOAD'),
    message: 'Logging is disabled for this cluster.',
    paths: ['loggingService', 'loggingConfig.componentConfig.enableComponents'],
    admits: (cluster) => sendsTelemetry(cluster, 'logging'),
  },
  {
    id: 'gke-monitoring',
    version: 2,
    title: 'Cluster monitoring is disabled',
    severity: 'medium',
    description:
      'With the monitoring service none, failing nodes, restarting pods or a cryptominer remain unnoticed. A cluster without a configured service uses the default, which monitors.',
    remediation:
      'Enable monitoring: `gcloud container clusters update CLUSTER --location=LOCATION --monitoring=SYSTEM`.',
    fix: (repair) => enableTelemetry(repair, 'monitoring', ['SYSTEM_COMPONENTS'], 'SYSTEM'),
    message: 'Monitoring is disabled for this cluster.',
    paths: ['monitoringService', 'monitoringConfig.componentConfig.enableComponents'],
    admits: (cluster) => sendsTelemetry(cluster, 'monitoring'),
  },
  {
    id: 'gke-alpha',
    title: 'Cluster has alpha features enabled',
    severity: 'medium',
    description:
      'An alpha cluster has all unfinished Kubernetes features enabled, gets no version updates and is deleted after 30 days. It must not run production workloads.',
    remediation:
      'Move its workloads to a cluster without alpha features, then delete it: `gcloud container clusters delete CLUSTER --location=LOCATION`.',
    noFix: 'alpha features end only with the cluster',
    message: 'This cluster has the Kubernetes alpha features enabled.',
    paths: ['enableKubernetesAlpha'],
    admits: (cluster) => !isTrue(cluster, 'enableKubernetesAlpha'),
  },
  {
    id: 'gke-binauthz',
    version: 2,
    title: 'Binary Authorization is disabled',
    severity: 'low',
    description:
      'Binary Authorization allows only images that match your policy, such as those signed by your build. Without it a deployment can run any image.',
    remediation:
      'Write a policy, then enforce it: `gcloud container clusters update CLUSTER --location=LOCATION --binauthz-evaluation-mode=PROJECT_SINGLETON_POLICY_ENFORCE`.',
    fix: set(
      { 'binaryAuthorization.evaluationMode': 'PROJECT_SINGLETON_POLICY_ENFORCE' },
      {
        gcloud: `container clusters update ${CLUSTER} --binauthz-evaluation-mode=PROJECT_SINGLETON_POLICY_ENFORCE`,
        terraform: {
          google_container_cluster: {
            'binary_authorization.evaluation_mode': 'PROJECT_SINGLETON_POLICY_ENFORCE',
          },
        },
        caution: 'Write a policy first: images that it does not admit no longer start.',
      },
    ),
    message: 'Binary Authorization is disabled for this cluster.',
    paths: ['binaryAuthorization.evaluationMode', 'binaryAuthorization.enabled'],
    admits: enforcesBinaryAuthorization,
  },
  {
    id: 'gke-secrets-encryption',
    title: 'Kubernetes secrets are not encrypted with a customer-managed key',
    severity: 'medium',
    description:
      'With a Cloud KMS key the secrets in the database of the control plane are additionally encrypted with a key that you can rotate, monitor and revoke.',
    remediation:
      'Set a key: `gcloud container clusters update CLUSTER --location=LOCATION --database-encryption-key=KEY`.',
    noFix: 'needs the name of a key',
    message: 'The secrets of this cluster are not encrypted with a Cloud KMS key.',
    paths: ['databaseEncryption.state'],
    admits: encryptsSecrets,
  },
  {
    id: 'gke-release-channel',
    version: 2,
    title: 'Cluster has no release channel',
    severity: 'low',
    description:
      'A release channel provides tested versions, including security fixes, at the pace that you choose. Without one somebody must upgrade manually.',
    remediation:
      'Choose a channel: `gcloud container clusters update CLUSTER --location=LOCATION --release-channel=regular`.',
    fix: set(
      { 'releaseChannel.channel': 'REGULAR' },
      {
        gcloud: `container clusters update ${CLUSTER} --release-channel=regular`,
        terraform: { google_container_cluster: { 'release_channel.channel': 'REGULAR' } },
        caution: 'GKE upgrades the cluster from then on.',
      },
    ),
    message: 'This cluster has no release channel.',
    paths: ['releaseChannel.channel'],
    admits: followsReleaseChannel,
  },
  {
    id: 'gke-alias-ip',
    version: 2,
    title: 'Cluster does not use alias IP ranges',
    severity: 'low',
    description:
      'With alias IP ranges the network knows the addresses of pods: firewall rules and flow logs cover them, and they cannot be spoofed. Routes-based clusters lack that, and private nodes.',
    remediation:
      'It can only be set at creation: create a cluster with `gcloud container clusters create CLUSTER --location=LOCATION --enable-ip-alias` and move the workloads.',
    noFix: 'alias ranges can only be set when a cluster is created',
    message: 'This cluster does not use alias IP ranges.',
    paths: ['ipAllocationPolicy.useIpAliases'],
    admits: usesAliasAddresses,
  },
];

export const GKE_CLUSTER_RULES: readonly Rule[] = DEMANDS.map(clusterRule);
