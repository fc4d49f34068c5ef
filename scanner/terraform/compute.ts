import { isObject, items, type JsonObject, type JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

const GLOBAL = 'projects/{project}/global';
const REGIONAL = 'projects/{project}/regions/{region}';
const ZONAL = 'projects/{project}/zones/{zone}';

/** `{ a: 'b' }` as the API of Compute Engine writes it: `{ items: [{ key: 'a', value: 'b' }] }`. */
export function metadataItems(map: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(map)) return map;
  return { items: Object.entries(map).map(([key, value]) => ({ key, value })) };
}

/** A block that is a switch by its presence: `log_config {}` turns logging on. */
function logConfig(data: JsonObject): JsonObject {
  if (data['logConfig'] === UNKNOWN) return data;
  const [block] = items(data, 'logConfig');
  if (block === undefined) return { ...data, logConfig: { enable: false } };
  return { ...data, logConfig: isObject(block) ? { ...block, enable: true } : block };
}

function instance(data: JsonObject): JsonObject {
  return defined({
    ...data,
    metadata: metadataItems(data['metadata']),
    tags: Array.isArray(data['tags']) ? { items: data['tags'] } : data['tags'],
    serviceAccounts: data['serviceAccount'],
    networkInterfaces: data['networkInterface'],
    serviceAccount: undefined,
    networkInterface: undefined,
  });
}

function firewall(data: JsonObject): JsonObject {
  const rules = (member: string) =>
    items(data, member).map((rule) =>
      isObject(rule)
        ? defined({ ...rule, IPProtocol: rule['protocol'], protocol: undefined })
        : rule,
    );
  return defined({
    ...logConfig(data),
    allowed: rules('allow'),
    denied: rules('deny'),
    allow: undefined,
    deny: undefined,
  });
}

/** Keys of one's own, or of Cloud KMS; both are written into the block `disk_encryption_key`. */
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

export const COMPUTE: Readonly<Record<string, Mapping>> = {
  google_compute_instance: {
    assetType: 'compute.googleapis.com/Instance',
    path: `${ZONAL}/instances/{name}`,
    form: {
      single: ['shielded_instance_config', 'confidential_instance_config'],
      maps: ['metadata'],
      renamed: {
        access_config: 'accessConfigs',
        ipv6_access_config: 'ipv6AccessConfigs',
        nat_ip: 'natIP',
        enable_vtpm: 'enableVtpm',
      },
    },
    reshape: instance,
  },
  google_compute_disk: {
    assetType: 'compute.googleapis.com/Disk',
    path: `${ZONAL}/disks/{name}`,
    form: ENCRYPTION,
  },
  google_compute_region_disk: {
    assetType: 'compute.googleapis.com/RegionDisk',
    path: `${REGIONAL}/disks/{name}`,
    form: ENCRYPTION,
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
