import { child, type JsonObject, objects, strings, text } from '../json.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/*
 * Compute exports spell the arrays of an instance in the plural as the API does, in the singular, or both.
 */

export interface ExternalAddress {
  /** Below `resource.data`. */
  readonly path: string;
  /** Null for an address that is assigned when the instance starts. */
  readonly address: string | null;
}

export function disksOf(instance: JsonObject): readonly JsonObject[] {
  return objects(instance, 'disks', 'disk');
}

/** The service accounts of an instance, each with its `email` and its scopes. */
export function serviceAccountsOf(instance: JsonObject): readonly JsonObject[] {
  return objects(instance, 'serviceAccounts', 'serviceAccount');
}

/** The OAuth scopes of such an account. */
export function scopesOf(account: JsonObject): readonly string[] {
  return strings(account, 'scopes', 'scope');
}

export function networkTagsOf(instance: JsonObject): readonly string[] {
  return strings(child(instance, 'tags'), 'items', 'tag');
}

/** Every external access configuration, IPv4 or IPv6, of every network interface. */
export function externalAddressesOf(instance: JsonObject): readonly ExternalAddress[] {
  return objects(instance, 'networkInterfaces', 'networkInterface').flatMap((nic, index) => [
    ...objects(nic, 'accessConfigs', 'accessConfig').map((config, at) => ({
      path: `networkInterfaces[${index}].accessConfigs[${at}].natIP`,
      address: text(config, 'natIP') ?? text(config, 'externalIp'),
    })),
    ...objects(nic, 'ipv6AccessConfigs', 'ipv6AccessConfig').map((config, at) => ({
      path: `networkInterfaces[${index}].ipv6AccessConfigs[${at}].externalIpv6`,
      address: text(config, 'externalIpv6'),
    })),
  ]);
}

/**
 * Whether GKE created the instance as a node: CIS exempts nodes from its section 4, because the cluster manages them.
 * Either the label or the name prefix `gke-` is sufficient.
 *
 * @param assetName the full resource name, for a record that does not repeat the instance's own
 */
export function isGkeNode(instance: JsonObject, assetName: string): boolean {
  const name = text(instance, 'name') ?? assetName.slice(assetName.lastIndexOf('/') + 1);
  if (name.startsWith('gke-')) return true;
  const labels = child(instance, 'labels');
  return labels !== null && Object.hasOwn(labels, 'goog-gke-node');
}
