import { child, isTrue, type JsonObject, type JsonValue, objects, strings, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/*
 * Fields: container v1, discovery revision 20261027.
 */

/**
 * Whether GKE manages the nodes of the cluster (Autopilot). Such a cluster always has shielded nodes, Workload
 * Identity, alias addresses, Dataplane V2 and a release channel, so these are the defaults of absent fields.
 */
function isAutopilot(cluster: JsonObject): boolean {
  return isTrue(child(cluster, 'autopilot'), 'enabled');
}

/** Evaluation modes of Binary Authorization that check images, without underscores (container v1 and v1beta1). */
const ENFORCING_MODES: ReadonlySet<string> = new Set([
  'PROJECTSINGLETONPOLICYENFORCE',
  'POLICYBINDINGS',
  'POLICYBINDINGSANDPROJECTSINGLETONPOLICYENFORCE',
]);

/**
 * Whether Binary Authorization is enabled. The evaluation mode decides if it is set; the older switch `enabled` is then
 * ignored.
 */
export function enforcesBinaryAuthorization(cluster: JsonObject): boolean {
  const settings = child(cluster, 'binaryAuthorization');
  const mode = enumAt(settings, 'evaluationMode');
  if (mode === null || mode === 'EVALUATIONMODEUNSPECIFIED') return isTrue(settings, 'enabled');
  return ENFORCING_MODES.has(mode);
}

/** Whether workloads of the cluster have their own identities (Workload Identity). */
export function hasWorkloadIdentity(cluster: JsonObject): boolean {
  const settings = child(cluster, 'workloadIdentityConfig');
  const pool = text(settings, 'workloadPool') ?? text(settings, 'identityNamespace');
  return pool !== null || isAutopilot(cluster);
}

/** Whether network policies are enforced. Dataplane V2 includes them, regardless of the older switch. */
export function enforcesNetworkPolicy(cluster: JsonObject): boolean {
  const dataPath = enumAt(child(cluster, 'networkConfig'), 'datapathProvider');
  return (
    isTrue(child(cluster, 'networkPolicy'), 'enabled') ||
    dataPath === 'ADVANCEDDATAPATH' ||
    (dataPath === null && isAutopilot(cluster))
  );
}

/** Whether the nodes prove that they belong to the cluster (Shielded GKE Nodes). */
export function hasShieldedNodes(cluster: JsonObject): boolean {
  const enabled = child(cluster, 'shieldedNodes')?.enabled;
  return enabled === true || (enabled === undefined && isAutopilot(cluster));
}

/** Whether pods have their own addresses in the network (alias IP ranges). */
export function usesAliasAddresses(cluster: JsonObject): boolean {
  const enabled = child(cluster, 'ipAllocationPolicy')?.useIpAliases;
  return enabled === true || (enabled === undefined && isAutopilot(cluster));
}

/** The field that sets whether nodes are private unless their pool differs, and its value. */
interface PrivateNodes {
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly isPrivate: boolean;
}

/**
 * Whether nodes have internal addresses only, unless their pool overrides it: `networkConfig.defaultEnablePrivateNodes`
 * decides if present, else the field that it replaces.
 */
export function defaultPrivateNodesOf(cluster: JsonObject): PrivateNodes {
  const current = child(cluster, 'networkConfig')?.defaultEnablePrivateNodes;
  if (typeof current === 'boolean') {
    const path = 'networkConfig.defaultEnablePrivateNodes';
    return { path, value: current, isPrivate: current };
  }
  const value = child(cluster, 'privateClusterConfig')?.enablePrivateNodes;
  return { path: 'privateClusterConfig.enablePrivateNodes', value, isPrivate: value === true };
}

/**
 * Whether the cluster sends any logs, or metrics. The service decides if it is named; else the list of components,
 * which is empty if all are off. A cluster with neither uses the default, which is on. A service that is not one of
 * Google's counts as none.
 */
export function sendsTelemetry(cluster: JsonObject, kind: 'logging' | 'monitoring'): boolean {
  const service = text(cluster, `${kind}Service`);
  if (service !== null) {
    const name = service.toLowerCase();
    return name === `${kind}.googleapis.com` || name === `${kind}.googleapis.com/kubernetes`;
  }
  const components = child(child(cluster, `${kind}Config`), 'componentConfig');
  return (
    components === null ||
    strings(components, 'enableComponents').some((one) => !isEnum(one, 'COMPONENT_UNSPECIFIED'))
  );
}

export function nodePoolsOf(cluster: JsonObject): readonly JsonObject[] {
  return objects(cluster, 'nodePools', 'nodePool');
}

/**
 * Whether a Cloud KMS key encrypts Kubernetes secrets. From version 1.35 on, the setting covers all objects instead of
 * secrets only.
 */
export function encryptsSecrets(cluster: JsonObject): boolean {
  const state = text(child(cluster, 'databaseEncryption'), 'state') ?? '';
  return isEnum(state, 'ENCRYPTED') || isEnum(state, 'ALL_OBJECTS_ENCRYPTION_ENABLED');
}

const CHANNELS: ReadonlySet<string> = new Set(['RAPID', 'REGULAR', 'STABLE', 'EXTENDED']);

/** Whether the cluster has a release channel. An unknown channel counts as none. */
export function followsReleaseChannel(cluster: JsonObject): boolean {
  const channel = enumAt(child(cluster, 'releaseChannel'), 'channel');
  return channel === null ? isAutopilot(cluster) : CHANNELS.has(channel);
}
