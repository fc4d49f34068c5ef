import { cite } from '../evidence.ts';
import { coversInternet } from '../facts/internet.ts';
import { child, isTrue, objects, text } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { clusterRule, type GkeDemand, specOf } from './gke-demand.ts';

/*
 * Who gets at a cluster: at its nodes and its control plane, and by which credentials.
 */

const gkeMasterAuthorizedNetworks = resourceRule(
  specOf({
    id: 'gke-master-authorized-networks',
    title: 'Control plane answers the whole internet',
    severity: 'high',
    description:
      'Authorized networks say from where the Kubernetes API can be reached. Without them, or with entries that together cover the internet, a stolen credential or a flaw of the API server is enough.',
    remediation:
      'Name the networks that need it: gcloud container clusters update CLUSTER --enable-master-authorized-networks --master-authorized-networks=RANGES.',
  }),
  (cluster) => {
    const networks = child(cluster, 'masterAuthorizedNetworksConfig');
    if (!isTrue(networks, 'enabled')) {
      return fail({
        message: 'Authorized networks are off for the control plane.',
        evidence: [cite('masterAuthorizedNetworksConfig.enabled', networks?.enabled)],
      });
    }
    const ranges = objects(networks, 'cidrBlocks').map(
      (block) => text(block, 'cidrBlock')?.trim() ?? '',
    );
    if (!coversInternet(ranges)) return PASS;
    return fail({
      message: 'The authorized networks of the control plane cover the internet.',
      evidence: [cite('masterAuthorizedNetworksConfig.cidrBlocks[].cidrBlock', ranges)],
    });
  },
);

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-private-nodes',
    title: 'Nodes have public addresses',
    severity: 'high',
    description:
      'Private nodes have internal addresses only, so that nothing on them, a pod on the host network or a kubelet with a flaw, can be reached from the internet.',
    remediation:
      'Make the nodes private: gcloud container clusters update CLUSTER --enable-private-nodes; clusters that are too old for it have to be made anew.',
    message: 'The nodes of this cluster are not private.',
    paths: ['privateClusterConfig.enablePrivateNodes'],
    admits: (cluster) => isTrue(child(cluster, 'privateClusterConfig'), 'enablePrivateNodes'),
  },
  {
    id: 'gke-private-endpoint',
    title: 'Control plane has a public address',
    severity: 'medium',
    description:
      'With a private endpoint the Kubernetes API is reached from inside your networks only. A public one, even behind authorized networks, stands where everyone can knock.',
    remediation:
      'Reach the cluster by its private endpoint alone: gcloud container clusters update CLUSTER --enable-private-endpoint.',
    message: 'The control plane of this cluster has a public endpoint.',
    paths: ['privateClusterConfig.enablePrivateEndpoint'],
    admits: (cluster) => isTrue(child(cluster, 'privateClusterConfig'), 'enablePrivateEndpoint'),
  },
  {
    id: 'gke-legacy-abac',
    title: 'Cluster uses legacy authorization',
    severity: 'high',
    description:
      'Legacy authorization (ABAC) gives every service account and every certificate in the cluster broad rights, whatever RBAC says.',
    remediation:
      'Grant what is needed by RBAC, then switch it off: gcloud container clusters update CLUSTER --no-enable-legacy-authorization.',
    message: 'Legacy authorization is on for this cluster.',
    paths: ['legacyAbac.enabled'],
    admits: (cluster) => !isTrue(child(cluster, 'legacyAbac'), 'enabled'),
  },
  {
    id: 'gke-basic-auth',
    title: 'Cluster takes a password',
    severity: 'high',
    description:
      'A user name and password for the Kubernetes API is one secret for everyone, with full rights, that can be guessed and cannot be told from its thief.',
    remediation:
      'Switch it off: gcloud container clusters update CLUSTER --no-enable-basic-auth. Google accounts and IAM serve instead.',
    message: 'This cluster has a user name and password for its administrator.',
    paths: ['masterAuth.username'],
    admits: (cluster) => text(child(cluster, 'masterAuth'), 'username') === null,
  },
  {
    id: 'gke-client-cert',
    title: 'Cluster issued a client certificate',
    severity: 'medium',
    description:
      'The client certificate that a cluster issues when it is made opens its API for years and cannot be revoked: only new credentials for the whole cluster end it.',
    remediation:
      'Make clusters without it (gcloud container clusters create --no-issue-client-certificate), and end one that leaked: gcloud container clusters update CLUSTER --start-credential-rotation.',
    message: 'This cluster issued a client certificate.',
    paths: ['masterAuth.clientCertificateConfig.issueClientCertificate'],
    admits: (cluster) =>
      !isTrue(
        child(child(cluster, 'masterAuth'), 'clientCertificateConfig'),
        'issueClientCertificate',
      ),
  },
  {
    id: 'gke-dashboard',
    title: 'Cluster runs the Kubernetes dashboard',
    severity: 'medium',
    description:
      'The dashboard runs in the cluster with an account of broad rights; whoever reaches it acts as that account. The console of Google Cloud shows the same by the rights of the viewer.',
    remediation:
      'Switch it off: gcloud container clusters update CLUSTER --update-addons=KubernetesDashboard=DISABLED.',
    message: 'The Kubernetes dashboard is not disabled in this cluster.',
    paths: ['addonsConfig.kubernetesDashboard.disabled'],
    admits: (cluster) => {
      const dashboard = child(child(cluster, 'addonsConfig'), 'kubernetesDashboard');
      return dashboard === null || isTrue(dashboard, 'disabled');
    },
  },
];

export const GKE_ACCESS_RULES: readonly Rule[] = [
  ...DEMANDS.map(clusterRule),
  gkeMasterAuthorizedNetworks,
];
