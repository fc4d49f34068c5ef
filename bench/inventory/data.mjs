// Data-related assets: buckets, databases, datasets.
import { account, group, keyRing } from './names.mjs';

export function bucket(at, place, rng) {
  const name = `acme-${rng.pick(['media', 'invoices', 'exports', 'logs'])}-${at}`;
  const readers = rng.chance(0.02) ? ['allUsers'] : [group('readers'), account('web', place)];
  return {
    name: `//storage.googleapis.com/${name}`,
    type: 'storage.googleapis.com/Bucket',
    api: 'storage/v1',
    place,
    data: {
      acl: [],
      billing: {},
      cors: [],
      defaultObjectAcl: [],
      encryption: rng.chance(0.4)
        ? { defaultKmsKeyName: `${keyRing(place)}/cryptoKeys/buckets` }
        : {},
      etag: 'CAI=',
      iamConfiguration: {
        publicAccessPrevention: rng.chance(0.7) ? 'enforced' : 'inherited',
        uniformBucketLevelAccess: {
          enabled: rng.chance(0.85),
          lockedTime: '2026-01-30T09:11:52.772Z',
        },
      },
      id: name,
      kind: 'storage#bucket',
      labels: { env: 'prod', team: 'shop', 'data-class': 'internal' },
      lifecycle: { rule: [{ action: { type: 'Delete' }, condition: { age: 365, isLive: false } }] },
      location: place.region.toUpperCase(),
      locationType: 'region',
      logging: rng.chance(0.2) ? { logBucket: 'acme-usage-logs', logObjectPrefix: name } : {},
      metageneration: '4',
      name,
      owner: {},
      projectNumber: place.number,
      selfLink: `https://www.googleapis.com/storage/v1/b/${name}`,
      softDeletePolicy: {
        effectiveTime: '2025-06-01T00:00:00Z',
        retentionDurationSeconds: '604800',
      },
      storageClass: 'STANDARD',
      timeCreated: '2025-05-31T08:14:02.117Z',
      updated: '2026-08-19T10:40:17.004Z',
      versioning: { enabled: rng.chance(0.5) },
      website: {},
    },
    bindings: [
      { role: 'roles/storage.legacyBucketOwner', members: [`projectOwner:${place.project}`] },
      { role: 'roles/storage.objectViewer', members: readers },
    ],
  };
}

export function sqlInstance(at, place, rng) {
  const name = `orders-${at}`;
  const open = rng.chance(0.02) ? [{ kind: 'sql#aclEntry', name: 'all', value: '0.0.0.0/0' }] : [];
  const isPublic = rng.chance(0.15);
  return {
    name: `//cloudsql.googleapis.com/projects/${place.project}/instances/${name}`,
    type: 'sqladmin.googleapis.com/Instance',
    api: 'sqladmin/v1beta4',
    place,
    data: {
      backendType: 'SECOND_GEN',
      connectionName: `${place.project}:${place.region}:${name}`,
      createTime: '2024-09-12T14:03:55.120Z',
      databaseInstalledVersion: 'POSTGRES_15_7',
      databaseVersion: 'POSTGRES_15',
      etag: rng.hex(64),
      gceZone: place.zone,
      instanceType: 'CLOUD_SQL_INSTANCE',
      ipAddresses: [
        { ipAddress: '10.30.1.3', type: 'PRIVATE' },
        ...(isPublic ? [{ ipAddress: '203.0.113.41', type: 'PRIMARY' }] : []),
      ],
      kind: 'sql#instance',
      maintenanceVersion: 'POSTGRES_15_7.R20240514.00_08',
      name,
      project: place.project,
      region: place.region,
      serviceAccountEmailAddress: `p${place.number}-x@gcp-sa-cloud-sql.iam.gserviceaccount.com`,
      settings: {
        activationPolicy: 'ALWAYS',
        availabilityType: 'REGIONAL',
        backupConfiguration: {
          backupRetentionSettings: { retainedBackups: 14, retentionUnit: 'COUNT' },
          enabled: rng.chance(0.9),
          pointInTimeRecoveryEnabled: true,
          startTime: '02:00',
          transactionLogRetentionDays: 7,
        },
        databaseFlags: [
          { name: 'log_connections', value: 'on' },
          { name: 'log_disconnections', value: 'on' },
          { name: 'cloudsql.iam_authentication', value: 'on' },
        ],
        dataDiskSizeGb: '200',
        dataDiskType: 'PD_SSD',
        ipConfiguration: {
          authorizedNetworks: open,
          ipv4Enabled: isPublic,
          privateNetwork: `projects/${place.project}/global/networks/vpc-0`,
          requireSsl: false,
          sslMode: rng.chance(0.8) ? 'ENCRYPTED_ONLY' : 'ALLOW_UNENCRYPTED_AND_ENCRYPTED',
        },
        maintenanceWindow: { day: 7, hour: 3, updateTrack: 'stable' },
        tier: 'db-custom-4-15360',
      },
      state: 'RUNNABLE',
    },
    bindings: null,
  };
}

export function dataset(at, place, rng) {
  const id = `sales_${at}`;
  return {
    name: `//bigquery.googleapis.com/projects/${place.project}/datasets/${id}`,
    type: 'bigquery.googleapis.com/Dataset',
    api: 'bigquery/v2',
    place,
    data: {
      access: [
        { role: 'OWNER', specialGroup: 'projectOwners' },
        {
          role: 'READER',
          specialGroup: rng.chance(0.01) ? 'allAuthenticatedUsers' : 'projectReaders',
        },
        { groupByEmail: 'analysts@acme.example', role: 'READER' },
      ],
      creationTime: '1709936573538',
      datasetReference: { datasetId: id, projectId: place.project },
      ...(rng.chance(0.4)
        ? {
            defaultEncryptionConfiguration: { kmsKeyName: `${keyRing(place)}/cryptoKeys/bigquery` },
          }
        : {}),
      defaultTableExpirationMs: '7776000000',
      description: 'Sales by day, shop and article, kept for a quarter and then only in sums.',
      etag: `${rng.hex(22)}==`,
      id: `${place.project}:${id}`,
      kind: 'bigquery#dataset',
      labels: { env: 'prod', team: 'data', 'data-class': 'confidential' },
      lastModifiedTime: '1731916800000',
      location: place.region,
      maxTimeTravelHours: '168',
      selfLink: `https://bigquery.googleapis.com/bigquery/v2/projects/${place.project}/datasets/${id}`,
      type: 'DEFAULT',
    },
    bindings: [
      { role: 'roles/bigquery.dataOwner', members: [`projectOwner:${place.project}`] },
      { role: 'roles/bigquery.dataViewer', members: [group('analysts')] },
    ],
  };
}
