import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const cluster = resourceCases('container.googleapis.com/Cluster');

export const GKE_ACCESS_CASES: readonly RuleCases[] = [
  {
    rule: 'gke-private-nodes',
    pass: [cluster.case('private nodes', { privateClusterConfig: { enablePrivateNodes: true } })],
    fail: [
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
    ],
    fail: [
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
    ],
    fail: [
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
      cluster.case('none issued', certificate({ issueClientCertificate: false })),
      cluster.case('an empty configuration', certificate({})),
      cluster.case('no settings', {}),
    ],
    fail: [cluster.case('one issued', certificate({ issueClientCertificate: true }))],
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
  const cidrBlocks = ranges.map((cidrBlock) => ({ cidrBlock }));
  return { masterAuthorizedNetworksConfig: { enabled, cidrBlocks } };
}

function certificate(clientCertificateConfig: JsonObject): JsonObject {
  return { masterAuth: { clientCertificate: 'LS0t', clientCertificateConfig } };
}

function dashboard(kubernetesDashboard: JsonObject | null): JsonObject {
  return { addonsConfig: { kubernetesDashboard } };
}
