import { child, isTrue, type JsonObject, objects, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/** Whether Binary Authorization is on: by its evaluation mode, or by the older switch that the mode replaces. */
export function enforcesBinaryAuthorization(cluster: JsonObject): boolean {
  const settings = child(cluster, 'binaryAuthorization');
  const mode = enumAt(settings, 'evaluationMode') ?? 'DISABLED';
  return isTrue(settings, 'enabled') || !['DISABLED', 'EVALUATIONMODEUNSPECIFIED'].includes(mode);
}

/** The pool of identities of the cluster's workloads; null without Workload Identity. */
export function workloadPoolOf(cluster: JsonObject): string | null {
  const settings = child(cluster, 'workloadIdentityConfig');
  return text(settings, 'workloadPool') ?? text(settings, 'identityNamespace');
}

/** Whether network policies take effect. Dataplane V2 brings them along, whatever the older switch says. */
export function enforcesNetworkPolicy(cluster: JsonObject): boolean {
  return (
    isTrue(child(cluster, 'networkPolicy'), 'enabled') ||
    enumAt(child(cluster, 'networkConfig'), 'datapathProvider') === 'ADVANCEDDATAPATH'
  );
}

export function nodePoolsOf(cluster: JsonObject): readonly JsonObject[] {
  return objects(cluster, 'nodePools', 'nodePool');
}

/**
 * Whether a Cloud KMS key encrypts the secrets of Kubernetes. Clusters from version 1.35 on say so of all objects, not
 * of the secrets alone.
 */
export function encryptsSecrets(cluster: JsonObject): boolean {
  const state = text(child(cluster, 'databaseEncryption'), 'state') ?? '';
  return isEnum(state, 'ENCRYPTED') || isEnum(state, 'ALL_OBJECTS_ENCRYPTION_ENABLED');
}

/** Null for a cluster of no channel. */
export function releaseChannelOf(cluster: JsonObject): string | null {
  const channel = text(child(cluster, 'releaseChannel'), 'channel');
  return isEnum(channel, 'UNSPECIFIED') ? null : channel;
}
