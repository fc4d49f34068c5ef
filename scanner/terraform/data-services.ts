import { child, isObject, items, type JsonObject, type JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

/** Version 3 of the provider had `bucket_policy_only` for uniform access. */
function bucket(data: JsonObject): JsonObject {
  return defined({
    ...data,
    iamConfiguration: defined({
      uniformBucketLevelAccess: defined({
        enabled: data['uniformBucketLevelAccess'] ?? data['bucketPolicyOnly'],
      }),
      publicAccessPrevention: data['publicAccessPrevention'],
    }),
    uniformBucketLevelAccess: undefined,
    publicAccessPrevention: undefined,
    bucketPolicyOnly: undefined,
  });
}

/** The kind of a table follows from its blocks before the API reports it. */
function table(data: JsonObject): JsonObject {
  if (data['type'] !== UNKNOWN) return data;
  const has = (block: string) => data[block] === UNKNOWN || items(data, block).length > 0;
  const type = has('view') ? 'VIEW' : has('externalDataConfiguration') ? 'EXTERNAL' : 'TABLE';
  return { ...data, type };
}

/** A replica names its primary, even if the plan does not know the instance's kind. */
function database(data: JsonObject): JsonObject {
  return withKind({ ...data, ...addressesOf(data) });
}

/** Both the list of addresses and the address of each entry are called `ip_address`. */
function addressesOf(data: JsonObject): JsonObject {
  const { ipAddresses } = data;
  if (!Array.isArray(ipAddresses)) return {};
  return {
    ipAddresses: ipAddresses.map((one: JsonValue) =>
      isObject(one)
        ? defined({ ...one, ipAddress: one['ipAddresses'], ipAddresses: undefined })
        : one,
    ),
  };
}

function withKind(data: JsonObject): JsonObject {
  const primary = data['masterInstanceName'];
  if (primary === undefined) return data;
  const kind = data['instanceType'];
  if (kind !== undefined && kind !== UNKNOWN && kind !== 'CLOUD_SQL_INSTANCE') return data;
  return { ...data, instanceType: 'READ_REPLICA_INSTANCE' };
}

/**
 * A role that is granted to the block's `dataset`, `view` or `routine` names no member; the rest has the same names.
 */
function dataset(data: JsonObject): JsonObject {
  const access = data['access'];
  const isExternal = items(data, 'externalDatasetReference').length > 0;
  return {
    ...data,
    ...(isExternal && { type: 'EXTERNAL' }),
    access:
      access === UNKNOWN
        ? UNKNOWN
        : items(data, 'access').filter((one) => isObject(one) || one === UNKNOWN),
  };
}

function cluster(data: JsonObject): JsonObject {
  const config = child(data, 'clusterConfig');
  if (data['clusterConfig'] === UNKNOWN) return { ...data, config: UNKNOWN };
  if (config === null && child(data, 'virtualClusterConfig') !== null) return data;
  return defined({
    ...data,
    config: defined({ ...config, encryptionConfig: encryptionOf(config) }),
    clusterConfig: undefined,
  });
}

/** The provider calls the disk encryption key `kms_key_name`. */
function encryptionOf(config: JsonObject | null): JsonValue | undefined {
  const encryption = config?.['encryptionConfig'];
  if (!isObject(encryption)) return encryption;
  const { kmsKeyName, ...rest } = encryption;
  return defined({ ...rest, gcePdKmsKeyName: kmsKeyName });
}

/** A new key has an enabled first version; its details are known only after apply. */
function cryptoKey(data: JsonObject): JsonObject {
  return defined({ ...data, purpose: data['purpose'] ?? 'ENCRYPT_DECRYPT', primary: undefined });
}

export const DATA_SERVICES: Readonly<Record<string, Mapping>> = {
  google_storage_bucket: {
    assetType: 'storage.googleapis.com/Bucket',
    path: '{name}',
    form: { single: ['logging', 'versioning', 'encryption', 'retention_policy'] },
    reshape: bucket,
  },
  google_sql_database_instance: {
    assetType: 'sqladmin.googleapis.com/Instance',
    path: 'projects/{project}/instances/{name}',
    form: {
      single: ['settings', 'ip_configuration', 'backup_configuration'],
      renamed: {
        ip_address: 'ipAddresses',
        point_in_time_recovery_enabled: 'pointInTimeRecoveryEnabled',
      },
    },
    reshape: database,
  },
  google_bigquery_dataset: {
    assetType: 'bigquery.googleapis.com/Dataset',
    path: 'projects/{project}/datasets/{dataset_id}',
    form: { single: ['default_encryption_configuration'] },
    reshape: dataset,
  },
  google_bigquery_table: {
    assetType: 'bigquery.googleapis.com/Table',
    path: 'projects/{project}/datasets/{dataset_id}/tables/{table_id}',
    form: { single: ['encryption_configuration'] },
    reshape: table,
  },
  google_dataproc_cluster: {
    assetType: 'dataproc.googleapis.com/Cluster',
    path: 'projects/{project}/regions/{region}/clusters/{name}',
    form: { single: ['cluster_config', 'encryption_config', 'virtual_cluster_config'] },
    reshape: cluster,
  },
  google_kms_key_ring: {
    assetType: 'cloudkms.googleapis.com/KeyRing',
    path: 'projects/{project}/locations/{location}/keyRings/{name}',
  },
  google_kms_crypto_key: {
    assetType: 'cloudkms.googleapis.com/CryptoKey',
    path: '{key_ring}/cryptoKeys/{name}',
    reshape: cryptoKey,
  },
  google_secret_manager_secret: {
    assetType: 'secretmanager.googleapis.com/Secret',
    path: 'projects/{project}/secrets/{secret_id}',
    form: { single: ['rotation'] },
  },
  google_secret_manager_regional_secret: {
    assetType: 'secretmanager.googleapis.com/Secret',
    path: 'projects/{project}/locations/{location}/secrets/{secret_id}',
    form: { single: ['rotation'] },
  },
};
