import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const cluster = resourceCases('container.googleapis.com/Cluster');

export const GKE_CLUSTER_CASES: readonly RuleCases[] = [
  {
    rule: 'gke-network-policy',
    pass: [
      cluster.case('the switch', { networkPolicy: { enabled: true, provider: 'CALICO' } }),
      cluster.case('Dataplane V2', {
        networkConfig: { datapathProvider: 'ADVANCED_DATAPATH' },
      }),
      cluster.case('Dataplane V2 against the switch', {
        networkPolicy: { enabled: false },
        networkConfig: { datapathProvider: 'ADVANCED_DATAPATH' },
      }),
    ],
    fail: [
      cluster.case('the switch off', { networkPolicy: { enabled: false } }),
      cluster.case('the older data plane', {
        networkConfig: { datapathProvider: 'LEGACY_DATAPATH' },
      }),
      cluster.case('the add-on alone', {
        addonsConfig: { networkPolicyConfig: { disabled: false } },
      }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-workload-identity',
    pass: [
      cluster.case('a pool', { workloadIdentityConfig: { workloadPool: 'p.svc.id.goog' } }),
      cluster.case('a pool under its old name', {
        workloadIdentityConfig: { identityNamespace: 'p.svc.id.goog' },
      }),
    ],
    fail: [
      cluster.case('an empty pool', { workloadIdentityConfig: { workloadPool: '' } }),
      cluster.case('an empty configuration', { workloadIdentityConfig: {} }),
      {
        name: 'a cluster of a named project',
        asset: assetOf({
          type: 'container.googleapis.com/Cluster',
          name: '//container.googleapis.com/projects/shop-prod/zones/europe-west1-b/clusters/web',
          data: {},
        }),
      },
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-shielded-nodes',
    pass: [
      cluster.case('shielded nodes', { shieldedNodes: { enabled: true } }),
      cluster.case('Autopilot', { autopilot: { enabled: true } }),
    ],
    fail: [
      cluster.case('no Autopilot', { autopilot: {} }),
      cluster.case('nodes that are not', { shieldedNodes: { enabled: false } }),
      cluster.case('an empty configuration', { shieldedNodes: {} }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-logging',
    pass: [
      cluster.case('the service', { loggingService: 'logging.googleapis.com/kubernetes' }),
      cluster.case('the older service', { loggingService: 'logging.googleapis.com' }),
      cluster.case('the empty default', { loggingService: '' }),
      cluster.case('no word of it', { monitoringService: 'none' }),
    ],
    fail: [
      cluster.case('no components', { loggingConfig: { componentConfig: {} } }),
      cluster.case('an unspecified component', {
        loggingConfig: { componentConfig: { enableComponents: ['COMPONENT_UNSPECIFIED'] } },
      }),
      cluster.case('a service that is not of Google', { loggingService: 'logs.example.com' }),
      cluster.case('none', { loggingService: 'none' }),
      cluster.case('NONE', { loggingService: 'NONE' }),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-monitoring',
    pass: [
      cluster.case('the service', { monitoringService: 'monitoring.googleapis.com/kubernetes' }),
      cluster.case('the empty default', { monitoringService: '' }),
      cluster.case('no word of it', { loggingService: 'none' }),
    ],
    fail: [
      cluster.case('no components', { monitoringConfig: { componentConfig: {} } }),
      cluster.case('a service that is not of Google', { monitoringService: 'mon.example.com' }),
      cluster.case('none', { monitoringService: 'none' }),
      cluster.case('NONE', { monitoringService: 'NONE' }),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-alpha',
    pass: [
      cluster.case('no alpha features', { enableKubernetesAlpha: false }),
      cluster.case('no word of them', {}),
    ],
    fail: [cluster.case('alpha features', { enableKubernetesAlpha: true })],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-binauthz',
    pass: [
      cluster.case('an evaluation mode', {
        binaryAuthorization: { evaluationMode: 'PROJECT_SINGLETON_POLICY_ENFORCE' },
      }),
      cluster.case('the older switch', { binaryAuthorization: { enabled: true } }),
      cluster.case('a mode against the older switch', {
        binaryAuthorization: { enabled: false, evaluationMode: 'POLICY_BINDINGS' },
      }),
    ],
    fail: [
      cluster.case('a mode that disables, against the older switch', {
        binaryAuthorization: { enabled: true, evaluationMode: 'DISABLED' },
      }),
      cluster.case('a mode that does not exist', {
        binaryAuthorization: { evaluationMode: 'false' },
      }),
      cluster.case('a mode that disables', { binaryAuthorization: { evaluationMode: 'DISABLED' } }),
      cluster.case('the older switch off', { binaryAuthorization: { enabled: false } }),
      cluster.case('a mode that is unspecified', {
        binaryAuthorization: { evaluationMode: 'EVALUATION_MODE_UNSPECIFIED' },
      }),
      cluster.case('an empty configuration', { binaryAuthorization: {} }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-secrets-encryption',
    pass: [
      cluster.case('secrets encrypted', {
        databaseEncryption: { state: 'ENCRYPTED', keyName: 'projects/p/k' },
      }),
      cluster.case('all objects encrypted', {
        databaseEncryption: { state: 'ALL_OBJECTS_ENCRYPTION_ENABLED' },
      }),
    ],
    fail: [
      cluster.case('secrets decrypted', { databaseEncryption: { state: 'DECRYPTED' } }),
      cluster.case('a key without a state', { databaseEncryption: { keyName: 'projects/p/k' } }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-release-channel',
    pass: [
      cluster.case('a channel', { releaseChannel: { channel: 'REGULAR' } }),
      cluster.case('the extended channel', { releaseChannel: { channel: 'EXTENDED' } }),
    ],
    fail: [
      cluster.case('an unknown channel', { releaseChannel: { channel: 'NIGHTLY' } }),
      cluster.case('an unspecified channel', { releaseChannel: { channel: 'UNSPECIFIED' } }),
      cluster.case('an empty configuration', { releaseChannel: {} }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
  {
    rule: 'gke-alias-ip',
    pass: [cluster.case('alias addresses', { ipAllocationPolicy: { useIpAliases: true } })],
    fail: [
      cluster.case('routes', { ipAllocationPolicy: { useIpAliases: false, useRoutes: true } }),
      cluster.case('an empty policy', { ipAllocationPolicy: {} }),
      cluster.case('no settings', {}),
    ],
    na: 'never',
    unknown: cluster.unknown,
  },
];
