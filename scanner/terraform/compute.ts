import { isObject, items, type JsonObject, type JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

const GLOBAL = 'projects/{project}/global';
const REGIONAL = 'projects/{project}/regions/{region}';
const ZONAL = 'projects/{project}/zones/{zone}';

/** Converts `{ a: 'b' }` to the form of the Compute Engine API: `{ items: [{ key: 'a', value: 'b' }] }`. */
export function metadataItems(map: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(map)) return map;
  return { items: Object.entries(map).map(([key, value]) => ({ key, value })) };
}

/** A block whose presence is a boolean: `log_config {}` turns logging on. */
function logConfig(data: JsonObject): JsonObject {
  if (data['logConfig'] === UNKNOWN) return data;
  const [block] = items(data, 'logConfig');
  if (block === undefined) return { ...data, logConfig: { enable: false } };
  return { ...data, logConfig: isObject(block) ? { ...block, enable: true } : block };
}

/** The startup script is a separate attribute, which the provider writes into the metadata. */
function metadataOf(data: JsonObject): JsonValue | undefined {
  const { metadata, metadataStartupScript: script } = data;
  if (script === undefined) return metadataItems(metadata);
  const items = isObject(metadata) ? metadata : {};
  if (metadata === UNKNOWN) return UNKNOWN;
  return metadataItems({ ...items, 'startup-script': script });
}

/** Whether there is a public address is known even if the address is not. */
function networkInterfaceOf(nic: JsonValue): JsonValue {
  if (!isObject(nic)) return nic;
  const without = (list: JsonValue | undefined, address: string) =>
    Array.isArray(list)
      ? list.map((one: JsonValue) =>
          isObject(one) && one[address] === UNKNOWN
            ? defined({ ...one, [address]: undefined })
            : one,
        )
      : list;
  return defined({
    ...nic,
    accessConfigs: without(nic['accessConfigs'], 'natIP'),
    ipv6AccessConfigs: without(nic['ipv6AccessConfigs'], 'externalIpv6'),
  });
}

/** `enable_logging` is the name in older versions of the provider. */
function firewallLog(data: JsonObject): JsonObject {
  const { enableLogging, ...rest } = data;
  const config = logConfig(rest);
  if (items(data, 'logConfig').length > 0 || enableLogging === undefined) return config;
  return { ...config, logConfig: { enable: enableLogging } };
}

/** The digest of a customer-supplied key is known only after apply. */
function disk(data: JsonObject): JsonObject {
  const key = data['diskEncryptionKey'];
  if (!isObject(key) || key['sha256'] !== UNKNOWN) return data;
  const isOwn = ['rawKey', 'rsaEncryptedKey'].some((name) => key[name] !== undefined);
  const { sha256: _, ...rest } = key;
  return { ...data, diskEncryptionKey: isOwn ? { ...rest, sha256: 'known after apply' } : rest };
}

export function instance(data: JsonObject): JsonObject {
  const nics = data['networkInterface'];
  return defined({
    ...data,
    metadata: metadataOf(data),
    metadataStartupScript: undefined,
    tags: Array.isArray(data['tags']) ? { items: data['tags'] } : data['tags'],
    serviceAccounts: data['serviceAccount'],
    networkInterfaces: Array.isArray(nics) ? nics.map(networkInterfaceOf) : nics,
    serviceAccount: undefined,
    networkInterface: undefined,
  });
}

function firewall(data: JsonObject): JsonObject {
  const rules = (member: string) =>
    data[member] === UNKNOWN
      ? UNKNOWN
      : items(data, member).map((rule) =>
          isObject(rule)
            ? defined({ ...rule, IPProtocol: rule['protocol'], protocol: undefined })
            : rule,
        );
  return defined({
    ...firewallLog(data),
    allowed: rules('allow'),
    denied: rules('deny'),
    allow: undefined,
    deny: undefined,
  });
}

/** Customer-supplied keys, or keys of Cloud KMS; both are in the block `disk_encryption_key`. */
const ENCRYPTION = {
  single: ['disk_encryption_key', 'snapshot_encryption_key', 'image_encryption_key'],
  renamed: { kms_key_self_link: 'kmsKeyName' },
};

const SSL_POLICY_MAPPING = {
  assetType: 'compute.googleapis.com/SslPolicy',
  path: `${GLOBAL}/sslPolicies/{name}`,
} satisfies Mapping;

const BACKEND = { single: ['log_config'] };
const URL_MAP = { single: ['default_url_redirect'] };

/** For `google_compute_instance`, and for instances from a template. */
export const INSTANCE_FORM = {
  single: ['shielded_instance_config', 'confidential_instance_config'],
  maps: ['metadata'],
  renamed: {
    access_config: 'accessConfigs',
    ipv6_access_config: 'ipv6AccessConfigs',
    nat_ip: 'natIP',
    enable_vtpm: 'enableVtpm',
  },
};

export const COMPUTE: Readonly<Record<string, Mapping>> = {
  google_compute_instance: {
    assetType: 'compute.googleapis.com/Instance',
    path: `${ZONAL}/instances/{name}`,
    form: INSTANCE_FORM,
    reshape: instance,
  },
  google_compute_disk: {
    assetType: 'compute.googleapis.com/Disk',
    path: `${ZONAL}/disks/{name}`,
    form: ENCRYPTION,
    reshape: disk,
  },
  google_compute_region_disk: {
    assetType: 'compute.googleapis.com/RegionDisk',
    path: `${REGIONAL}/disks/{name}`,
    form: ENCRYPTION,
    reshape: disk,
  },
  google_compute_image: {
    assetType: 'compute.googleapis.com/Image',
    path: `${GLOBAL}/images/{name}`,
  },
  google_compute_snapshot: {
    assetType: 'compute.googleapis.com/Snapshot',
    path: `${GLOBAL}/snapshots/{name}`,
  },
  google_compute_project_metadata: {
    assetType: 'compute.googleapis.com/Project',
    path: 'projects/{project}',
    form: { maps: ['metadata'] },
    reshape: (data) => defined({ commonInstanceMetadata: metadataItems(data['metadata']) }),
  },
  google_compute_network: {
    assetType: 'compute.googleapis.com/Network',
    path: `${GLOBAL}/networks/{name}`,
  },
  google_compute_subnetwork: {
    assetType: 'compute.googleapis.com/Subnetwork',
    path: `${REGIONAL}/subnetworks/{name}`,
    reshape: logConfig,
  },
  google_compute_firewall: {
    assetType: 'compute.googleapis.com/Firewall',
    path: `${GLOBAL}/firewalls/{name}`,
    reshape: firewall,
  },
  google_compute_ssl_policy: SSL_POLICY_MAPPING,
  google_compute_region_ssl_policy: {
    assetType: 'compute.googleapis.com/SslPolicy',
    path: `${REGIONAL}/sslPolicies/{name}`,
  },
  google_compute_region_target_https_proxy: {
    assetType: 'compute.googleapis.com/RegionTargetHttpsProxy',
    path: `${REGIONAL}/targetHttpsProxies/{name}`,
  },
  google_compute_region_target_http_proxy: {
    assetType: 'compute.googleapis.com/RegionTargetHttpProxy',
    path: `${REGIONAL}/targetHttpProxies/{name}`,
  },
  google_compute_region_url_map: {
    assetType: 'compute.googleapis.com/RegionUrlMap',
    path: `${REGIONAL}/urlMaps/{name}`,
    form: URL_MAP,
  },
  google_compute_target_https_proxy: {
    assetType: 'compute.googleapis.com/TargetHttpsProxy',
    path: `${GLOBAL}/targetHttpsProxies/{name}`,
  },
  google_compute_target_ssl_proxy: {
    assetType: 'compute.googleapis.com/TargetSslProxy',
    path: `${GLOBAL}/targetSslProxies/{name}`,
  },
  google_compute_target_http_proxy: {
    assetType: 'compute.googleapis.com/TargetHttpProxy',
    path: `${GLOBAL}/targetHttpProxies/{name}`,
  },
  google_compute_url_map: {
    assetType: 'compute.googleapis.com/UrlMap',
    path: `${GLOBAL}/urlMaps/{name}`,
    form: URL_MAP,
  },
  google_compute_backend_service: {
    assetType: 'compute.googleapis.com/BackendService',
    path: `${GLOBAL}/backendServices/{name}`,
    form: BACKEND,
  },
  google_compute_region_backend_service: {
    assetType: 'compute.googleapis.com/RegionBackendService',
    path: `${REGIONAL}/backendServices/{name}`,
    form: BACKEND,
  },
  google_dns_managed_zone: {
    assetType: 'dns.googleapis.com/ManagedZone',
    path: 'projects/{project}/managedZones/{name}',
    form: { single: ['dnssec_config'] },
  },
  google_dns_policy: {
    assetType: 'dns.googleapis.com/Policy',
    path: 'projects/{project}/policies/{name}',
  },
};
