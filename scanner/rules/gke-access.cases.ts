import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const cluster = resourceCases('container.googleapis.com/Cluster');

export const GKE_ACCESS_CASES: readonly RuleCases[] = [
  {
    rule: 'gke-private-nodes',
    pass: [
      cluster.case('private nodes', { privateClusterConfig: { enablePrivateNodes: true } }),
      cluster.case('private nodes by the current field', {
        networkConfig: { defaultEnablePrivateNodes: true },
      }),
      cluster.case('private nodes by the current field, against the older one', {
        networkConfig: { defaultEnablePrivateNodes: true },
        privateClusterConfig: { enablePrivateNodes: false },
      }),
      cluster.case('node pools that are private or take the default', {
        networkConfig: { defaultEnablePrivateNodes: true },
        nodePools: [
          { name: 'a', networkConfig: { enablePrivateNodes: true } },
          { name: 'b', networkConfig: {} },
          { name: 'c' },
        ],
      }),
    ],
    fail: [
      cluster.case('public nodes by the current field, against the older one', {
        networkConfig: { defaultEnablePrivateNodes: false },
        privateClusterConfig: { enablePrivateNodes: true },
      }),
      {
        ...cluster.case('a node pool that overrides the cluster', {
          privateClusterConfig: { enablePrivateNodes: true },
          nodePools: [{ name: 'a' }, { name: 'b', networkConfig: { enablePrivateNodes: false } }],
        }),
        findings: [{ subject: 'b' }],
      },
      cluster.case('a private node pool in a cluster whose new pools are public', {
        nodePools: [{ name: 'a', networkConfig: { enablePrivateNodes: true } }],
      }),
      cluster.case('nodes with public addresses', {
        privateClusterConfig: { enablePrivateNodes: false },
      }),
      cluster.case('a private endpoint alone', {
        privateClusterConfig: { enablePrivateEndpoint: true },
      }),
      cluster.case('no word of private nodes', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-private-endpoint',
    pass: [
      cluster.case('a private endpoint', { privateClusterConfig: { enablePrivateEndpoint: true } }),
      cluster.case('no public endpoint', byAddress({ enablePublicEndpoint: false })),
      cluster.case('no public endpoint, against the older field', {
        ...byAddress({ enablePublicEndpoint: false }),
        privateClusterConfig: { enablePrivateEndpoint: false },
      }),
      cluster.case(
        'no addresses at all',
        byAddress({ enabled: false, enablePublicEndpoint: true }, { allowExternalTraffic: true }),
      ),
      cluster.case(
        'a DNS endpoint that takes no traffic from outside',
        byAddress({ enablePublicEndpoint: false }, { enableK8sTokensViaDns: true }),
      ),
    ],
    fail: [
      cluster.case('a public endpoint by the current field', {
        ...byAddress({ enabled: true, enablePublicEndpoint: true }),
        privateClusterConfig: { enablePrivateEndpoint: true },
      }),
      cluster.case(
        'authorized networks that are enabled without a list',
        byAddress({ enabled: true }),
      ),
      cluster.case(
        'a DNS endpoint that takes tokens of Kubernetes from outside',
        byAddress(
          { enablePublicEndpoint: false },
          { allowExternalTraffic: true, enableK8sTokensViaDns: true },
        ),
      ),
      cluster.case(
        'a DNS endpoint that takes certificates of Kubernetes from outside',
        byAddress({ enabled: false }, { allowExternalTraffic: true, enableK8sCertsViaDns: true }),
      ),
      cluster.case('private nodes alone', { privateClusterConfig: { enablePrivateNodes: true } }),
      cluster.case('a public endpoint', { privateClusterConfig: { enablePrivateEndpoint: false } }),
      cluster.case('the address of an endpoint', {
        privateClusterConfig: { privateEndpoint: '172.16.0.2', publicEndpoint: '203.0.113.9' },
      }),
      cluster.case('no word of the endpoint', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-master-authorized-networks',
    pass: [
      cluster.case('named networks', admitting(true, '198.51.100.0/28', '10.0.0.0/8')),
      cluster.case('no networks', admitting(true)),
      cluster.case('half of the internet', admitting(true, '0.0.0.0/1')),
      cluster.case('entries that are no networks', admitting(true, '', 'everywhere')),
      cluster.case('named networks by the current field', {
        ...byAddress({ authorizedNetworksConfig: networks(true, '198.51.100.0/28') }),
        ...admitting(false),
      }),
      cluster.case('no addresses to restrict', byAddress({ enabled: false })),
    ],
    fail: [
      cluster.case('off by the current field, against the older one', {
        ...byAddress({ authorizedNetworksConfig: {} }),
        ...admitting(true, '198.51.100.0/28'),
      }),
      cluster.case(
        'the internet by the current field',
        byAddress({ authorizedNetworksConfig: networks(true, '0.0.0.0/0') }),
      ),
      cluster.case('a DNS endpoint that the networks do not restrict', {
        ...byAddress({}, { allowExternalTraffic: true, enableK8sTokensViaDns: true }),
        ...admitting(true, '198.51.100.0/28'),
      }),
      cluster.case('switched off, whatever is named', admitting(false, '198.51.100.0/28')),
      cluster.case('0.0.0.0/0', admitting(true, '198.51.100.0/28', '0.0.0.0/0')),
      cluster.case('the internet in two halves', admitting(true, '0.0.0.0/1', '128.0.0.0/1')),
      cluster.case('all of IPv6', admitting(true, '::/0')),
      cluster.case('an empty configuration', { masterAuthorizedNetworksConfig: {} }),
      cluster.case('no configuration', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-legacy-abac',
    pass: [
      cluster.case('a cluster without legacy authorization', { legacyAbac: { enabled: false } }),
      cluster.case('a cluster that does not mention it', { legacyAbac: {} }),
      cluster.case('a cluster without settings', {}),
    ],
    fail: [cluster.case('a cluster with legacy authorization', { legacyAbac: { enabled: true } })],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-basic-auth',
    pass: [
      cluster.case('no user name', { masterAuth: { clusterCaCertificate: 'LS0t' } }),
      cluster.case('an empty user name', { masterAuth: { username: '', password: '' } }),
      cluster.case('no settings', {}),
    ],
    fail: [
      cluster.case('a user name', { masterAuth: { username: 'admin' } }),
      cluster.case('a user name and a password', {
        masterAuth: { username: 'root', password: 'hunter2' },
      }),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-client-cert',
    pass: [
      cluster.case('none issued', certificate('', { issueClientCertificate: false })),
      cluster.case('an empty configuration', certificate('', {})),
      cluster.case('the certificate of the control plane alone', {
        masterAuth: { clusterCaCertificate: 'LS0t' },
      }),
      cluster.case('no settings', {}),
    ],
    fail: [
      cluster.case('one to be issued', certificate('', { issueClientCertificate: true })),
      cluster.case('one issued', certificate('LS0t', { issueClientCertificate: true })),
      cluster.case(
        'one that was issued before the setting was changed',
        certificate('LS0t', { issueClientCertificate: false }),
      ),
      cluster.case('one without a setting', { masterAuth: { clientCertificate: 'LS0t' } }),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-dashboard',
    pass: [
      cluster.case('a dashboard that is disabled', dashboard({ disabled: true })),
      cluster.case('add-ons without a dashboard', { addonsConfig: { httpLoadBalancing: {} } }),
      cluster.case('a dashboard that is null', dashboard(null)),
      cluster.case('no add-ons', {}),
    ],
    fail: [
      cluster.case('a dashboard that is enabled', dashboard({ disabled: false })),
      cluster.case('a dashboard without a word', dashboard({})),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
];

function admitting(enabled: boolean, ...ranges: readonly string[]): JsonObject {
  return { masterAuthorizedNetworksConfig: networks(enabled, ...ranges) };
}

function networks(enabled: boolean, ...ranges: readonly string[]): JsonObject {
  return { enabled, cidrBlocks: ranges.map((cidrBlock) => ({ cidrBlock })) };
}

function byAddress(ipEndpointsConfig: JsonObject, dnsEndpointConfig: JsonObject = {}): JsonObject {
  return { controlPlaneEndpointsConfig: { ipEndpointsConfig, dnsEndpointConfig } };
}

function certificate(clientCertificate: string, clientCertificateConfig: JsonObject): JsonObject {
  return { masterAuth: { clientCertificate, clientCertificateConfig } };
}

function dashboard(kubernetesDashboard: JsonObject | null): JsonObject {
  return { addonsConfig: { kubernetesDashboard } };
}
