import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { inApiForm } from './api-form.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

const FORM = {
  single: [
    'private_cluster_config',
    'master_authorized_networks_config',
    'network_policy',
    'workload_identity_config',
    'node_config',
    'management',
    'shielded_instance_config',
    'master_auth',
    'client_certificate_config',
    'addons_config',
    'kubernetes_dashboard',
    'binary_authorization',
    'database_encryption',
    'release_channel',
    'ip_allocation_policy',
    'logging_config',
    'monitoring_config',
    'control_plane_endpoints_config',
    'ip_endpoints_config',
    'dns_endpoint_config',
    'network_config',
  ],
  maps: ['metadata'],
};

function switchOf(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : { enabled: value };
}

function cluster(data: JsonObject, values: JsonObject): JsonObject {
  const networks = data['masterAuthorizedNetworksConfig'];
  const isAutopilot = data['enableAutopilot'] === true;
  const mayBeAutopilot = data['enableAutopilot'] === UNKNOWN;
  return defined({
    ...data,
    autopilot: switchOf(data['enableAutopilot']),
    enableAutopilot: undefined,
    legacyAbac: switchOf(data['enableLegacyAbac']),
    shieldedNodes: isAutopilot
      ? { enabled: true }
      : mayBeAutopilot && data['enableShieldedNodes'] === false
        ? UNKNOWN
        : switchOf(data['enableShieldedNodes']),
    masterAuthorizedNetworksConfig: isObject(networks) ? { ...networks, enabled: true } : networks,
    networkConfig: defined({
      datapathProvider: data['datapathProvider'] ?? (isAutopilot ? 'ADVANCED_DATAPATH' : undefined),
    }),
    binaryAuthorization: data['binaryAuthorization'] ?? switchOf(data['enableBinaryAuthorization']),
    workloadIdentityConfig:
      data['workloadIdentityConfig'] ?? (isAutopilot ? AUTOPILOT_POOL : undefined),
    releaseChannel: data['releaseChannel'] ?? (isAutopilot ? { channel: 'REGULAR' } : undefined),
    loggingService: serviceOf(data, 'logging'),
    monitoringService: serviceOf(data, 'monitoring'),
    ipAllocationPolicy: isAutopilot ? { useIpAliases: true } : aliases(data, values),
    nodePools: poolsOf(data),
    nodePool: undefined,
    enableLegacyAbac: undefined,
    enableShieldedNodes: undefined,
    enableBinaryAuthorization: undefined,
    datapathProvider: undefined,
    ...(isAutopilot || hasDefaultPool(data) ? { nodeConfig: undefined } : {}),
  });
}

/** Autopilot clusters always have Workload Identity; the name of the pool follows from the project. */
const AUTOPILOT_POOL = { workloadPool: 'PROJECT_ID.svc.id.goog' };

/** A list of components without any turns the service off, regardless of the older attribute. */
function serviceOf(data: JsonObject, kind: 'logging' | 'monitoring'): JsonValue | undefined {
  const config = data[`${kind}Config`];
  if (config === UNKNOWN) return UNKNOWN;
  const components = isObject(config) ? config['enableComponents'] : undefined;
  if (components === undefined) return data[`${kind}Service`];
  if (!Array.isArray(components)) return UNKNOWN;
  return components.length === 0 ? 'none' : `${kind}.googleapis.com/kubernetes`;
}

/** The default pool that GKE creates with a cluster, unless the configuration removes it. */
function hasDefaultPool(data: JsonObject): boolean {
  return data['removeDefaultNodePool'] !== true && items(data, 'nodePool').length === 0;
}

function poolsOf(data: JsonObject): JsonValue | undefined {
  const isAutopilot = data['enableAutopilot'];
  if (data['nodePool'] === UNKNOWN) return UNKNOWN;
  const pools = items(data, 'nodePool').map(poolOf);
  if (pools.length > 0) return pools;
  if (isAutopilot === true || !hasDefaultPool(data)) return undefined;
  if (isAutopilot === UNKNOWN) return UNKNOWN;
  return [
    {
      name: 'default-pool',
      config: data['nodeConfig'] ?? DEFAULT_NODES,
      management: { autoRepair: true, autoUpgrade: true },
    },
  ];
}

/** Nodes without a configuration. */
const DEFAULT_NODES = {
  metadata: { 'disable-legacy-endpoints': 'true' },
  shieldedInstanceConfig: { enableSecureBoot: false, enableIntegrityMonitoring: true },
};

/**
 * A cluster is VPC-native by the block, by the mode, or by both. Without either it is so since version 5 of the
 * provider, in which resources have effective labels; before it is not.
 */
function aliases(data: JsonObject, values: JsonObject): JsonValue | undefined {
  const policy = data['ipAllocationPolicy'];
  const mode = data['networkingMode'];
  if (mode === UNKNOWN) return UNKNOWN;
  if (mode === 'ROUTES') return { useIpAliases: false };
  if (isObject(policy)) return { ...policy, useIpAliases: true };
  if (mode === 'VPC_NATIVE') return { useIpAliases: true };
  if (policy === UNKNOWN) return UNKNOWN;
  if (values['effective_labels'] !== undefined) return { useIpAliases: true };
  return data['enableAutopilot'] === UNKNOWN ? UNKNOWN : { useIpAliases: false };
}

function poolOf(pool: JsonValue): JsonValue {
  if (!isObject(pool)) return pool;
  return defined({ ...pool, config: pool['nodeConfig'], nodeConfig: undefined });
}

/** A `google_container_node_pool` in the form in which its cluster contains it. */
export function nodePoolOf(values: JsonObject): JsonValue {
  return poolOf(inApiForm(values, FORM));
}

/**
 * The cluster with additional node pools. An existing cluster lists all of its pools itself: of pools with the same
 * name, the last one wins.
 */
export function withNodePools(cluster: JsonObject, pools: readonly JsonValue[]): JsonObject {
  if (cluster['nodePools'] === UNKNOWN) return cluster;
  const { nodeConfig: _default, ...rest } = cluster;
  const seen = new Set<string>();
  const kept = pools.toReversed().filter((pool) => {
    const name = poolName(pool);
    if (name === null) return true;
    const isLast = !seen.has(name);
    seen.add(name);
    return isLast;
  });
  const others = items(cluster, 'nodePools').filter((one) => {
    const name = poolName(one);
    return name === null || !seen.has(name);
  });
  return { ...rest, nodePools: [...others, ...kept.reverse()] };
}

/** Null if the name is unknown. */
function poolName(pool: JsonValue): string | null {
  const name = isObject(pool) ? text(pool, 'name') : null;
  return name === UNKNOWN ? null : name;
}

export const KUBERNETES: Readonly<Record<string, Mapping>> = {
  google_container_cluster: {
    assetType: 'container.googleapis.com/Cluster',
    path: 'projects/{project}/locations/{location}/clusters/{name}',
    form: FORM,
    reshape: cluster,
  },
};
