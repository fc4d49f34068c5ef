import { cite } from '../evidence.ts';
import { defaultPrivateNodesOf, nodePoolsOf } from '../facts/cluster.ts';
import {
  authorizedNetworksOf,
  kubernetesCredentialsByDns,
  publicAddressOf,
} from '../facts/control-plane.ts';
import { coversInternet, excessOf } from '../facts/internet.ts';
import type { Repair } from '../fixes/repair.ts';
import { set } from '../fixes/set.ts';
import { child, isObject, isTrue, type JsonObject, objects, text } from '../json.ts';
import { fail, failAll, PASS } from '../outcome.ts';
import type { Outcome, Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { clusterRule, type GkeDemand, specOf } from './gke-demand.ts';
import { CLUSTER, eachNodePool, POOL } from './gke-fixes.ts';

/*
 * Access to a cluster: to its nodes and its control plane, and with which credentials.
 *
 * Fields: container v1, discovery revision 20261027.
 */

function makeNodesPrivate(repair: Repair): void {
  const { path, isPrivate } = defaultPrivateNodesOf(repair.data);
  if (!isPrivate) {
    repair.set(path, true);
    repair.gcloud(`container clusters update ${CLUSTER} --enable-private-nodes`);
    repair.terraform(
      'google_container_cluster',
      'private_cluster_config.enable_private_nodes',
      true,
    );
  }
  eachNodePool(repair, (pool, set) => {
    if (child(pool.data, 'networkConfig')?.enablePrivateNodes !== false) return;
    set('networkConfig.enablePrivateNodes', true);
    repair.gcloud(`container node-pools update {pool} ${POOL} --enable-private-nodes`, pool.values);
    repair.terraform(
      'google_container_node_pool',
      'network_config.enable_private_nodes',
      true,
      pool.match,
    );
  });
  repair.caution('Nodes are recreated, and need Cloud NAT to reach the internet.');
}

const gkePrivateNodes = resourceRule(
  specOf({
    id: 'gke-private-nodes',
    version: 2,
    title: 'Nodes have public IP addresses',
    severity: 'high',
    description:
      'Private nodes have only internal addresses, so that nothing on them (a pod on the host network, a vulnerable kubelet) can be reached from the internet. A node pool can override the setting of its cluster.',
    remediation:
      'Make the nodes private: `gcloud container clusters update CLUSTER --location=LOCATION --enable-private-nodes`, and for a pool that overrides it: `gcloud container node-pools update POOL --cluster=CLUSTER --location=LOCATION --enable-private-nodes`; older clusters must be recreated.',
    fix: makeNodesPrivate,
  }),
  (cluster) => {
    const { path, value, isPrivate } = defaultPrivateNodesOf(cluster);
    if (!isPrivate) {
      return fail({
        message: 'This cluster does not make its nodes private by default.',
        evidence: [cite(path, value)],
      });
    }
    const [first, ...more] = nodePoolsOf(cluster).flatMap((pool, index) => {
      if (child(pool, 'networkConfig')?.enablePrivateNodes !== false) return [];
      const name = text(pool, 'name') ?? String(index);
      return {
        subject: name,
        message: `Node pool ${name}: its nodes are not private, although the cluster makes nodes private by default.`,
        evidence: [cite(`nodePools[${index}].networkConfig.enablePrivateNodes`, false)],
      };
    });
    return first === undefined ? PASS : failAll(first, more);
  },
);

function closeEndpoints(repair: Repair): void {
  const { path, isPublic } = publicAddressOf(repair.data);
  if (isPublic) {
    repair.set(path, !path.endsWith('enablePublicEndpoint'));
    repair.gcloud(`container clusters update ${CLUSTER} --enable-private-endpoint`);
    repair.terraform(
      'google_container_cluster',
      'private_cluster_config.enable_private_endpoint',
      true,
    );
  }
  requireIamByDns(repair);
  repair.caution('Clients outside of your networks lose access to the control plane.');
}

function requireIamByDns(repair: Repair): void {
  for (;;) {
    const open = kubernetesCredentialsByDns(repair.data);
    if (open === null) return;
    const kind = open.endsWith('enableK8sTokensViaDns') ? 'tokens' : 'certs';
    repair.set(open, false);
    repair.gcloud(`container clusters update ${CLUSTER} --no-enable-k8s-${kind}-via-dns`);
    const endpoint = 'control_plane_endpoints_config.dns_endpoint_config';
    const attribute = `${endpoint}.enable_k8s_${kind}_via_dns`;
    repair.terraform('google_container_cluster', attribute, false);
  }
}

/** Removes the ranges that cover the internet. Which networks need access, only the owner of a cluster knows. */
function narrowNetworks(repair: Repair): void {
  requireIamByDns(repair);
  const networks = authorizedNetworksOf(repair.data);
  if (networks === null) return;
  const { path, settings } = networks;
  const ranges = objects(settings, 'cidrBlocks').map(rangeOf);
  if (!isTrue(settings, 'enabled')) repair.refuse('needs the networks that may connect');
  if (!coversInternet(ranges)) return;
  const isExcess = excessOf(ranges);
  const kept = ranges.filter((range) => !isExcess(range));
  repair.filterOut(path, ['cidrBlocks'], (block) => isObject(block) && isExcess(rangeOf(block)));
  const enable = `container clusters update ${CLUSTER} --enable-master-authorized-networks`;
  repair.gcloud(kept.length === 0 ? enable : `${enable} --master-authorized-networks={ranges}`, {
    ranges: kept,
  });
  for (const cidr_block of new Set(ranges.filter(isExcess))) {
    const attribute = 'master_authorized_networks_config.cidr_blocks';
    repair.terraform('google_container_cluster', attribute, null, { cidr_block });
  }
  repair.caution(
    'Clients outside of the remaining networks lose access to the control plane. The command replaces all networks with those of the inventory, without the public ones.',
  );
}

function rangeOf(block: JsonObject): string {
  return text(block, 'cidrBlock')?.trim() ?? '';
}

const gkePrivateEndpoint = resourceRule(
  specOf({
    id: 'gke-private-endpoint',
    version: 2,
    title: 'Control plane has a public endpoint',
    severity: 'medium',
    description:
      'With a private endpoint the Kubernetes API is reachable only from your networks. A public endpoint can be probed by anyone, even with authorized networks. The DNS endpoint checks IAM before each request, and counts as public only if it accepts Kubernetes credentials instead.',
    remediation:
      'Use only the private endpoint: `gcloud container clusters update CLUSTER --location=LOCATION --enable-private-endpoint`; and require IAM on the DNS endpoint: `gcloud container clusters update CLUSTER --location=LOCATION --no-enable-k8s-tokens-via-dns --no-enable-k8s-certs-via-dns`.',
    fix: closeEndpoints,
  }),
  (cluster) => {
    const { path, value, isPublic } = publicAddressOf(cluster);
    if (isPublic) {
      return fail({
        message: 'The control plane of this cluster has a public endpoint.',
        evidence: [cite(path, value)],
      });
    }
    const open = kubernetesCredentialsByDns(cluster);
    return open === null ? PASS : openByDns(open);
  },
);

/** The exposure that both endpoint rules report: the field that accepts Kubernetes credentials from outside. */
function openByDns(path: string): Outcome {
  return fail({
    message:
      'The DNS endpoint of the control plane accepts Kubernetes credentials from the internet without an IAM check.',
    evidence: [
      cite('controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic', true),
      cite(path, true),
    ],
  });
}

const gkeMasterAuthorizedNetworks = resourceRule(
  specOf({
    id: 'gke-master-authorized-networks',
    version: 2,
    title: 'Control plane accepts connections from the whole internet',
    severity: 'high',
    description:
      'Authorized networks restrict from where the Kubernetes API can be reached. Without them, or with entries that together cover the internet, a stolen credential or an API server vulnerability is sufficient for an attack.',
    remediation:
      'List the networks that need access: `gcloud container clusters update CLUSTER --location=LOCATION --enable-master-authorized-networks --master-authorized-networks=RANGES`.',
    fix: narrowNetworks,
  }),
  (cluster) => {
    const open = kubernetesCredentialsByDns(cluster);
    if (open !== null) return openByDns(open);
    const networks = authorizedNetworksOf(cluster);
    if (networks === null) return PASS;
    const { path, settings } = networks;
    if (!isTrue(settings, 'enabled')) {
      return fail({
        message: 'Authorized networks are disabled for the control plane.',
        evidence: [cite(`${path}.enabled`, settings?.enabled)],
      });
    }
    const ranges = objects(settings, 'cidrBlocks').map(rangeOf);
    if (!coversInternet(ranges)) return PASS;
    return fail({
      message: 'The authorized networks of the control plane cover the internet.',
      evidence: [cite(`${path}.cidrBlocks[].cidrBlock`, ranges)],
    });
  },
);

const gkeClientCert = resourceRule(
  specOf({
    id: 'gke-client-cert',
    version: 2,
    title: 'Cluster issued a client certificate',
    severity: 'medium',
    description:
      'A client certificate that is issued when a cluster is created is valid for years and cannot be revoked individually: only new credentials for the whole cluster end it. A cluster that has a certificate fails, whether or not it would issue one today.',
    remediation:
      'Create clusters without it (`gcloud container clusters create CLUSTER --location=LOCATION --no-issue-client-certificate`), and end a leaked one with new credentials for the cluster: `gcloud container clusters update CLUSTER --location=LOCATION --start-credential-rotation`. Move every client to the new credentials and recreate the nodes. The old certificate is valid until you complete the rotation: `gcloud container clusters update CLUSTER --location=LOCATION --complete-credential-rotation`.',
    noFix: 'a certificate ends only with the credentials of the whole cluster',
  }),
  (cluster) => {
    const credentials = child(cluster, 'masterAuth');
    const hasCertificate = text(credentials, 'clientCertificate') !== null;
    const issue = child(credentials, 'clientCertificateConfig')?.issueClientCertificate;
    if (!hasCertificate && issue !== true) return PASS;
    return fail({
      message: 'This cluster issued a client certificate.',
      evidence: [
        cite('masterAuth.clientCertificateConfig.issueClientCertificate', issue),
        cite('masterAuth.clientCertificate', hasCertificate ? '[present]' : null),
      ],
    });
  },
);

const DEMANDS: readonly GkeDemand[] = [
  {
    id: 'gke-legacy-abac',
    title: 'Cluster uses legacy authorization',
    severity: 'high',
    description:
      'Legacy authorization (ABAC) gives every service account and every certificate in the cluster broad permissions, regardless of RBAC.',
    remediation:
      'Grant the required permissions with RBAC, then disable it: `gcloud container clusters update CLUSTER --location=LOCATION --no-enable-legacy-authorization`.',
    fix: set(
      { 'legacyAbac.enabled': false },
      {
        gcloud: `container clusters update ${CLUSTER} --no-enable-legacy-authorization`,
        terraform: { google_container_cluster: { enable_legacy_abac: false } },
        caution: 'Grant the required permissions with RBAC first.',
      },
    ),
    message: 'Legacy authorization is enabled for this cluster.',
    paths: ['legacyAbac.enabled'],
    admits: (cluster) => !isTrue(child(cluster, 'legacyAbac'), 'enabled'),
  },
  {
    id: 'gke-basic-auth',
    title: 'Cluster accepts basic authentication',
    severity: 'high',
    description:
      'A user name and password for the Kubernetes API is one shared secret with full permissions, which can be guessed and does not identify its user.',
    remediation:
      'Disable it: `gcloud container clusters update CLUSTER --location=LOCATION --no-enable-basic-auth`. Use Google accounts and IAM instead.',
    fix: (repair) => {
      repair.remove('masterAuth.username');
      repair.remove('masterAuth.password');
      repair.gcloud(`container clusters update ${CLUSTER} --no-enable-basic-auth`);
      // Version 4.0 of the Google provider for Terraform removed the attributes.
      repair.caution('Clients that use the password lose access to the control plane.');
    },
    message: 'This cluster has a user name and password for its administrator.',
    paths: ['masterAuth.username'],
    admits: (cluster) => text(child(cluster, 'masterAuth'), 'username') === null,
  },
  {
    id: 'gke-dashboard',
    title: 'Cluster runs the Kubernetes dashboard',
    severity: 'medium',
    description:
      'The dashboard runs in the cluster with a highly privileged account; everyone who can reach it acts as that account. The Google Cloud console shows the same with the permissions of the viewer.',
    remediation:
      'Disable it: `gcloud container clusters update CLUSTER --location=LOCATION --update-addons=KubernetesDashboard=DISABLED`.',
    fix: set(
      { 'addonsConfig.kubernetesDashboard.disabled': true },
      {
        gcloud: `container clusters update ${CLUSTER} --update-addons=KubernetesDashboard=DISABLED`,
        // Version 3.0 of the Google provider removed the block.
        terraform: {},
      },
    ),
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
  gkeClientCert,
  gkeMasterAuthorizedNetworks,
  gkePrivateEndpoint,
  gkePrivateNodes,
];
