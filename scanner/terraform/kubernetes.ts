import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { inApiForm } from './api-form.ts';
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
  ],
  maps: ['metadata'],
};

function switchOf(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : { enabled: value };
}

function cluster(data: JsonObject): JsonObject {
  const networks = data['masterAuthorizedNetworksConfig'];
  const pools = items(data, 'nodePool').map(poolOf);
  return defined({
    ...data,
    legacyAbac: switchOf(data['enableLegacyAbac']),
    shieldedNodes: switchOf(data['enableShieldedNodes']),
    masterAuthorizedNetworksConfig: isObject(networks) ? { ...networks, enabled: true } : networks,
    networkConfig: defined({ datapathProvider: data['datapathProvider'] }),
    ipAllocationPolicy: aliases(data),
    nodePools: pools.length > 0 ? pools : undefined,
    nodePool: undefined,
    enableLegacyAbac: undefined,
    enableShieldedNodes: undefined,
    datapathProvider: undefined,
  });
}

/** A cluster is VPC-native by the block, by the mode, or by both. */
function aliases(data: JsonObject): JsonValue | undefined {
  const policy = data['ipAllocationPolicy'];
  if (text(data, 'networkingMode') === 'ROUTES') return { useIpAliases: false };
  if (isObject(policy)) return { ...policy, useIpAliases: true };
  return text(data, 'networkingMode') === 'VPC_NATIVE' ? { useIpAliases: true } : policy;
}

function poolOf(pool: JsonValue): JsonValue {
  if (!isObject(pool)) return pool;
  return defined({ ...pool, config: pool['nodeConfig'], nodeConfig: undefined });
}

/** The node pool of a `google_container_node_pool`, as its cluster holds it. */
export function nodePoolOf(values: JsonObject): JsonValue {
  return poolOf(inApiForm(values, FORM));
}

/** The cluster with one more node pool, which takes the place of the configuration that new clusters begin with. */
export function withNodePool(cluster: JsonObject, pool: JsonValue): JsonObject {
  const { nodeConfig: _default, ...rest } = cluster;
  return { ...rest, nodePools: [...items(cluster, 'nodePools'), pool] };
}

/** By its name, by its id, or by the link to it. */
export function isNamed(cluster: JsonObject, reference: string): boolean {
  return text(cluster, 'name') === reference.slice(reference.lastIndexOf('/') + 1);
}

export const KUBERNETES: Readonly<Record<string, Mapping>> = {
  google_container_cluster: {
    assetType: 'container.googleapis.com/Cluster',
    path: 'projects/{project}/locations/{location}/clusters/{name}',
    form: FORM,
    reshape: cluster,
  },
};
