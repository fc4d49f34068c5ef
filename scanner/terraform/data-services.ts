import { child, isObject, items, type JsonObject } from '../json.ts';
import { defined, type Mapping } from './mapping.ts';

function bucket(data: JsonObject): JsonObject {
  return defined({
    ...data,
    iamConfiguration: defined({
      uniformBucketLevelAccess: defined({ enabled: data['uniformBucketLevelAccess'] }),
      publicAccessPrevention: data['publicAccessPrevention'],
    }),
    uniformBucketLevelAccess: undefined,
    publicAccessPrevention: undefined,
  });
}

/** A role to which the block's `dataset`, `view` or `routine` is granted names no member; the rest is spelled alike. */
function dataset(data: JsonObject): JsonObject {
  return { ...data, access: items(data, 'access').filter(isObject) };
}

function cluster(data: JsonObject): JsonObject {
  const config = child(data, 'clusterConfig');
  const key = child(config, 'encryptionConfig')?.['kmsKeyName'];
  return defined({
    ...data,
    config: defined({
      ...config,
      encryptionConfig: key === undefined ? undefined : { gcePdKmsKeyName: key },
    }),
    clusterConfig: undefined,
  });
}

/** The version that the key begins with is in use; what Terraform tells of it is known after apply only. */
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
  },
  google_dataproc_cluster: {
    assetType: 'dataproc.googleapis.com/Cluster',
    path: 'projects/{project}/regions/{region}/clusters/{name}',
    form: { single: ['cluster_config', 'encryption_config'] },
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
};
