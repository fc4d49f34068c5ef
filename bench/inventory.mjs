// A Cloud Asset Inventory export of any size: 15 types in the proportions of a real estate, 1 to 2 kB a record, good and
// bad. The same size gives the same bytes, on every machine.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/**
 * @typedef {object} Asset
 * @property {string} name
 * @property {string} type
 * @property {string} api `service/version`, as in the address of its discovery document
 * @property {object} data
 * @property {object[] | null} bindings of its IAM policy; null: its type has none
 */

/** @typedef {{ chance(share: number): boolean, pick<T>(from: readonly T[]): T, hex(digits: number): string }} Dice */

/** How many of a hundred assets are of each kind. */
const MIX = [
  [16, instance],
  [18, disk],
  [6, firewall],
  [5, subnetwork],
  [2, network],
  [12, bucket],
  [3, sqlInstance],
  [5, cryptoKey],
  [2, managedZone],
  [6, dataset],
  [2, cluster],
  [9, serviceAccount],
  [6, serviceAccountKey],
  [4, topic],
  [4, secret],
];
const HUNDRED = MIX.flatMap(([share, make]) => Array(share).fill(make));

const PROJECTS = 40;
const REGIONS = ['europe-west1', 'europe-west3', 'us-central1', 'asia-southeast1'];

/**
 * Writes an export: all RESOURCE records, then all IAM_POLICY records, as two export runs put into one file do.
 * @param {string} file
 * @param {number} assets
 * @returns {Promise<{ records: number, bytes: number }>}
 */
export async function writeInventory(file, assets) {
  const out = createWriteStream(file);
  let records = 0;
  let batch = '';
  const write = async (line) => {
    records += 1;
    batch += `${line}\n`;
    if (batch.length < 1 << 20) return;
    if (!out.write(batch)) await once(out, 'drain');
    batch = '';
  };
  for (const asset of assetsOf(assets)) await write(resourceRecord(asset));
  for (const asset of assetsOf(assets)) {
    if (asset.bindings !== null) await write(policyRecord(asset));
  }
  out.end(batch);
  await once(out, 'finish');
  return { records, bytes: out.bytesWritten };
}

/** @returns {Generator<Asset>} */
function* assetsOf(count) {
  const dice = diceFrom(20_261_120);
  for (let at = 0; at < count; at += 1) {
    // 37 and 100 have no common divisor: kinds are dealt out evenly instead of in runs.
    yield HUNDRED[(at * 37) % 100](at, placeOf(at, dice), dice);
  }
}

function placeOf(at, dice) {
  const number = 480_000_000_000 + (at % PROJECTS) * 7_919;
  const region = dice.pick(REGIONS);
  return { project: `acme-prod-${at % PROJECTS}`, number, region, zone: `${region}-b` };
}

function resourceRecord({ name, type, api, data, place }) {
  const [service, version] = api.split('/');
  return JSON.stringify({
    name,
    asset_type: type,
    resource: {
      version,
      discovery_document_uri: `https://www.googleapis.com/discovery/v1/apis/${service}/${version}/rest`,
      discovery_name: type.slice(type.indexOf('/') + 1),
      parent: `//cloudresourcemanager.googleapis.com/projects/${place.number}`,
      data,
      location: place.region,
    },
    ancestors: ancestorsOf(place),
    update_time: '2026-11-18T06:21:07.114Z',
  });
}

function policyRecord({ name, type, bindings, place }) {
  return JSON.stringify({
    name,
    asset_type: type,
    iam_policy: { version: 1, etag: 'BwYYdf0c3ma=', bindings },
    ancestors: ancestorsOf(place),
    update_time: '2026-11-18T07:00:41.530Z',
  });
}

function ancestorsOf({ number }) {
  return [`projects/${number}`, 'folders/731904285516', 'organizations/905518273640'];
}

function compute(kind, path, place, data) {
  return {
    name: `//compute.googleapis.com/projects/${place.project}/${path}`,
    type: `compute.googleapis.com/${kind}`,
    api: 'compute/v1',
    place,
    data: {
      creationTimestamp: '2025-02-21T11:24:10.941-08:00',
      selfLink: `${link(place)}/${path}`,
      ...data,
    },
    bindings: null,
  };
}

function link({ project }) {
  return `https://www.googleapis.com/compute/v1/projects/${project}`;
}

function instance(at, place, dice) {
  const name = `web-${at}`;
  const path = `zones/${place.zone}/instances/${name}`;
  const nat = {
    name: 'External NAT',
    natIP: '203.0.113.7',
    networkTier: 'PREMIUM',
    type: 'ONE_TO_ONE_NAT',
  };
  return compute('Instance', path, place, {
    canIpForward: false,
    cpuPlatform: 'Intel Broadwell',
    deletionProtection: dice.chance(0.5),
    disks: [
      {
        autoDelete: true,
        boot: true,
        deviceName: name,
        diskSizeGb: '50',
        interface: 'SCSI',
        mode: 'READ_WRITE',
        source: `${link(place)}/zones/${place.zone}/disks/${name}`,
        type: 'PERSISTENT',
      },
    ],
    id: String(4_000_000_000_000 + at),
    labels: { env: 'prod', team: dice.pick(['shop', 'data', 'platform']), service: name },
    machineType: `${link(place)}/zones/${place.zone}/machineTypes/n2-standard-4`,
    metadata: {
      fingerprint: `${dice.hex(10)}=`,
      items: [
        { key: 'enable-oslogin', value: dice.chance(0.8) ? 'TRUE' : 'FALSE' },
        { key: 'startup-script', value: '#! /bin/bash\nset -e\nsystemctl start shop.service\n' },
      ],
    },
    name,
    networkInterfaces: [
      {
        ...(dice.chance(0.1) ? { accessConfigs: [nat] } : {}),
        name: 'nic0',
        network: `${link(place)}/global/networks/vpc-0`,
        networkIP: '10.20.0.7',
        subnetwork: `${link(place)}/regions/${place.region}/subnetworks/app-0`,
      },
    ],
    scheduling: { automaticRestart: true, onHostMaintenance: 'MIGRATE', preemptible: false },
    serviceAccounts: [
      {
        email: `web@${place.project}.iam.gserviceaccount.com`,
        scopes: ['https://www.googleapis.com/auth/cloud-platform'],
      },
    ],
    shieldedInstanceConfig: {
      enableIntegrityMonitoring: true,
      enableSecureBoot: dice.chance(0.7),
      enableVtpm: true,
    },
    status: 'RUNNING',
    tags: { items: ['web', 'behind-lb'] },
    zone: `${link(place)}/zones/${place.zone}`,
  });
}

function disk(at, place, dice) {
  return compute('Disk', `zones/${place.zone}/disks/disk-${at}`, place, {
    ...(dice.chance(0.3)
      ? {
          diskEncryptionKey: {
            kmsKeyName: `${keyRing(place)}/cryptoKeys/disks/cryptoKeyVersions/1`,
          },
        }
      : {}),
    guestOsFeatures: [
      { type: 'VIRTIO_SCSI_MULTIQUEUE' },
      { type: 'UEFI_COMPATIBLE' },
      { type: 'GVNIC' },
    ],
    id: String(5_000_000_000_000 + at),
    labels: { env: 'prod', backup: dice.chance(0.6) ? 'daily' : 'none' },
    lastAttachTimestamp: '2025-02-21T11:24:10.941-08:00',
    licenses: [
      'https://www.googleapis.com/compute/v1/projects/debian-cloud/global/licenses/debian-12-bookworm',
    ],
    name: `disk-${at}`,
    physicalBlockSizeBytes: '4096',
    resourcePolicies: [`${link(place)}/regions/${place.region}/resourcePolicies/daily`],
    sizeGb: '50',
    sourceImage:
      'https://www.googleapis.com/compute/v1/projects/debian-cloud/global/images/debian-12-bookworm-v20250113',
    status: 'READY',
    type: `${link(place)}/zones/${place.zone}/diskTypes/pd-balanced`,
    users: [`${link(place)}/zones/${place.zone}/instances/web-${at}`],
    zone: `${link(place)}/zones/${place.zone}`,
  });
}

function firewall(at, place, dice) {
  const world = dice.chance(0.08);
  return compute('Firewall', `global/firewalls/allow-${at}`, place, {
    allowed: [
      {
        IPProtocol: 'tcp',
        ipProtocol: 'tcp',
        ports: dice.pick([['443'], ['22'], ['80', '8080-8090'], ['3389']]),
      },
    ],
    description:
      'Made by terraform; see the network repository for the owner and the reason of this rule.',
    direction: dice.chance(0.85) ? 'INGRESS' : 'EGRESS',
    disabled: dice.chance(0.05),
    id: String(6_000_000_000_000 + at),
    logConfig: { enable: dice.chance(0.5), metadata: 'INCLUDE_ALL_METADATA' },
    name: `allow-${at}`,
    network: `${link(place)}/global/networks/vpc-0`,
    priority: 1000,
    sourceRanges: world
      ? ['0.0.0.0/0']
      : ['10.0.0.0/8', '172.16.0.0/12', '35.191.0.0/16', '130.211.0.0/22'],
    targetTags: ['web', 'behind-lb'],
  });
}

function network(at, place) {
  return compute('Network', `global/networks/vpc-${at}`, place, {
    autoCreateSubnetworks: false,
    id: String(7_000_000_000_000 + at),
    mtu: 1460,
    name: `vpc-${at}`,
    networkFirewallPolicyEnforcementOrder: 'AFTER_CLASSIC_FIREWALL',
    peerings: [
      {
        autoCreateRoutes: true,
        exchangeSubnetRoutes: true,
        name: 'servicenetworking-googleapis-com',
        network:
          'https://www.googleapis.com/compute/v1/projects/t4d1-tp/global/networks/servicenetworking',
        state: 'ACTIVE',
      },
    ],
    routingConfig: { routingMode: 'REGIONAL' },
    subnetworks: REGIONS.map((region) => `${link(place)}/regions/${region}/subnetworks/app-${at}`),
  });
}

function subnetwork(at, place, dice) {
  return compute('Subnetwork', `regions/${place.region}/subnetworks/app-${at}`, place, {
    enableFlowLogs: dice.chance(0.6),
    fingerprint: `${dice.hex(10)}=`,
    gatewayAddress: '10.20.0.1',
    id: String(8_000_000_000_000 + at),
    ipCidrRange: '10.20.0.0/20',
    logConfig: {
      aggregationInterval: 'INTERVAL_5_SEC',
      enable: dice.chance(0.6),
      flowSampling: 0.5,
    },
    name: `app-${at}`,
    network: `${link(place)}/global/networks/vpc-0`,
    privateIpGoogleAccess: dice.chance(0.9),
    purpose: 'PRIVATE',
    region: `${link(place)}/regions/${place.region}`,
    secondaryIpRanges: [
      { ipCidrRange: '10.64.0.0/16', rangeName: 'pods' },
      { ipCidrRange: '10.96.0.0/20', rangeName: 'services' },
    ],
    stackType: 'IPV4_ONLY',
  });
}

function bucket(at, place, dice) {
  const name = `acme-${dice.pick(['media', 'invoices', 'exports', 'logs'])}-${at}`;
  const readers = dice.chance(0.02) ? ['allUsers'] : [group('readers'), account('web', place)];
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
      encryption: dice.chance(0.4)
        ? { defaultKmsKeyName: `${keyRing(place)}/cryptoKeys/buckets` }
        : {},
      etag: 'CAI=',
      iamConfiguration: {
        publicAccessPrevention: dice.chance(0.7) ? 'enforced' : 'inherited',
        uniformBucketLevelAccess: {
          enabled: dice.chance(0.85),
          lockedTime: '2026-01-30T09:11:52.772Z',
        },
      },
      id: name,
      kind: 'storage#bucket',
      labels: { env: 'prod', team: 'shop', 'data-class': 'internal' },
      lifecycle: { rule: [{ action: { type: 'Delete' }, condition: { age: 365, isLive: false } }] },
      location: place.region.toUpperCase(),
      locationType: 'region',
      logging: dice.chance(0.2) ? { logBucket: 'acme-usage-logs', logObjectPrefix: name } : {},
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
      versioning: { enabled: dice.chance(0.5) },
      website: {},
    },
    bindings: [
      { role: 'roles/storage.legacyBucketOwner', members: [`projectOwner:${place.project}`] },
      { role: 'roles/storage.objectViewer', members: readers },
    ],
  };
}

function sqlInstance(at, place, dice) {
  const name = `orders-${at}`;
  const open = dice.chance(0.02) ? [{ kind: 'sql#aclEntry', name: 'all', value: '0.0.0.0/0' }] : [];
  const isPublic = dice.chance(0.15);
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
      etag: dice.hex(64),
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
          enabled: dice.chance(0.9),
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
          sslMode: dice.chance(0.8) ? 'ENCRYPTED_ONLY' : 'ALLOW_UNENCRYPTED_AND_ENCRYPTED',
        },
        maintenanceWindow: { day: 7, hour: 3, updateTrack: 'stable' },
        tier: 'db-custom-4-15360',
      },
      state: 'RUNNABLE',
    },
    bindings: null,
  };
}

function keyRing({ project, region }) {
  return `projects/${project}/locations/${region}/keyRings/main`;
}

function cryptoKey(at, place, dice) {
  const name = `${keyRing(place)}/cryptoKeys/key-${at}`;
  const rotates = dice.chance(0.85);
  return {
    name: `//cloudkms.googleapis.com/${name}`,
    type: 'cloudkms.googleapis.com/CryptoKey',
    api: 'cloudkms/v1',
    place,
    data: {
      createTime: '2024-04-17T10:22:31.662417Z',
      destroyScheduledDuration: '2592000s',
      labels: { env: 'prod', owner: 'security', purpose: 'customer-data', ticket: `sec-${at}` },
      name,
      ...(rotates ? { nextRotationTime: '2027-01-05T00:00:00Z', rotationPeriod: '7776000s' } : {}),
      primary: {
        algorithm: 'GOOGLE_SYMMETRIC_ENCRYPTION',
        createTime: '2026-10-07T00:00:12.301Z',
        generateTime: '2026-10-07T00:00:12.301Z',
        name: `${name}/cryptoKeyVersions/9`,
        protectionLevel: 'HSM',
        state: 'ENABLED',
      },
      purpose: 'ENCRYPT_DECRYPT',
      versionTemplate: { algorithm: 'GOOGLE_SYMMETRIC_ENCRYPTION', protectionLevel: 'HSM' },
    },
    bindings: [
      {
        role: 'roles/cloudkms.cryptoKeyEncrypterDecrypter',
        members: dice.chance(0.01)
          ? ['allAuthenticatedUsers']
          : [account('web', place), account('batch', place)],
      },
    ],
  };
}

function managedZone(at, place, dice) {
  return {
    name: `//dns.googleapis.com/projects/${place.number}/managedZones/zone-${at}`,
    type: 'dns.googleapis.com/ManagedZone',
    api: 'dns/v1',
    place,
    data: {
      creationTime: '2023-05-03T16:30:27.600Z',
      description:
        'Delegated by the registrar; records are made by external-dns and by hand for mail.',
      dnsName: `z${at}.acme.example.`,
      dnssecConfig: {
        defaultKeySpecs: [
          {
            algorithm: 'RSASHA256',
            keyLength: 2048,
            keyType: 'KEY_SIGNING',
            kind: 'dns#dnsKeySpec',
          },
          {
            algorithm: 'RSASHA256',
            keyLength: 1024,
            keyType: 'ZONE_SIGNING',
            kind: 'dns#dnsKeySpec',
          },
        ],
        kind: 'dns#managedZoneDnsSecConfig',
        nonExistence: 'NSEC3',
        state: dice.chance(0.6) ? 'ON' : 'OFF',
      },
      id: String(9_000_000_000_000 + at),
      kind: 'dns#managedZone',
      name: `zone-${at}`,
      nameServers: ['a', 'b', 'c', 'd'].map((letter) => `ns-cloud-${letter}1.googledomains.com.`),
      visibility: dice.chance(0.7) ? 'PUBLIC' : 'PRIVATE',
    },
    bindings: null,
  };
}

function dataset(at, place, dice) {
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
          specialGroup: dice.chance(0.01) ? 'allAuthenticatedUsers' : 'projectReaders',
        },
        { groupByEmail: 'analysts@acme.example', role: 'READER' },
      ],
      creationTime: '1709936573538',
      datasetReference: { datasetId: id, projectId: place.project },
      ...(dice.chance(0.4)
        ? {
            defaultEncryptionConfiguration: { kmsKeyName: `${keyRing(place)}/cryptoKeys/bigquery` },
          }
        : {}),
      defaultTableExpirationMs: '7776000000',
      description: 'Sales by day, shop and article, kept for a quarter and then only in sums.',
      etag: `${dice.hex(22)}==`,
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

function cluster(at, place, dice) {
  const name = `apps-${at}`;
  return {
    name: `//container.googleapis.com/projects/${place.project}/locations/${place.region}/clusters/${name}`,
    type: 'container.googleapis.com/Cluster',
    api: 'container/v1',
    place,
    data: {
      addonsConfig: {
        gcePersistentDiskCsiDriverConfig: { enabled: true },
        networkPolicyConfig: {},
      },
      autopilot: {},
      createTime: '2025-01-14T13:41:12Z',
      currentMasterVersion: '1.30.5-gke.1443001',
      databaseEncryption: { keyName: `${keyRing(place)}/cryptoKeys/gke`, state: 'ENCRYPTED' },
      endpoint: '10.40.0.2',
      id: dice.hex(64),
      ipAllocationPolicy: {
        clusterSecondaryRangeName: 'pods',
        servicesSecondaryRangeName: 'services',
        useIpAliases: true,
      },
      legacyAbac: dice.chance(0.02) ? { enabled: true } : {},
      location: place.region,
      loggingService: 'logging.googleapis.com/kubernetes',
      masterAuth: {},
      masterAuthorizedNetworksConfig: { cidrBlocks: [{ cidrBlock: '10.0.0.0/8' }], enabled: true },
      monitoringService: 'monitoring.googleapis.com/kubernetes',
      name,
      network: 'vpc-0',
      networkConfig: { datapathProvider: 'ADVANCED_DATAPATH', enableIntraNodeVisibility: true },
      nodePools: [
        {
          autoscaling: { enabled: true, maxNodeCount: 12, minNodeCount: 3 },
          config: {
            diskSizeGb: 100,
            diskType: 'pd-balanced',
            machineType: 'n2-standard-8',
            oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'],
            serviceAccount: `gke@${place.project}.iam.gserviceaccount.com`,
            shieldedInstanceConfig: { enableIntegrityMonitoring: true, enableSecureBoot: true },
            workloadMetadataConfig: { mode: 'GKE_METADATA' },
          },
          management: { autoRepair: true, autoUpgrade: true },
          name: 'main',
          version: '1.30.5-gke.1443001',
        },
      ],
      privateClusterConfig: {
        enablePrivateNodes: dice.chance(0.8),
        masterIpv4CidrBlock: '10.40.0.0/28',
      },
      releaseChannel: { channel: 'REGULAR' },
      status: 'RUNNING',
      workloadIdentityConfig: { workloadPool: `${place.project}.svc.id.goog` },
    },
    bindings: null,
  };
}

function serviceAccount(at, place) {
  const email = `job-${at}@${place.project}.iam.gserviceaccount.com`;
  return {
    name: `//iam.googleapis.com/projects/${place.project}/serviceAccounts/${email}`,
    type: 'iam.googleapis.com/ServiceAccount',
    api: 'iam/v1',
    place,
    data: {
      description:
        'Runs one of the nightly jobs. Made by terraform; its rights are in the repository of the job.',
      displayName: `Job ${at}`,
      email,
      etag: 'MDEwMjE5MjA=',
      name: `projects/${place.project}/serviceAccounts/${email}`,
      oauth2ClientId: String(100_000_000_000_000 + at),
      projectId: place.project,
      uniqueId: String(100_000_000_000_000 + at),
    },
    bindings: [{ role: 'roles/iam.workloadIdentityUser', members: [account('scheduler', place)] }],
  };
}

function serviceAccountKey(at, place, dice) {
  const email = `job-${at}@${place.project}.iam.gserviceaccount.com`;
  const name = `projects/${place.project}/serviceAccounts/${email}/keys/${dice.hex(40)}`;
  return {
    name: `//iam.googleapis.com/${name}`,
    type: 'iam.googleapis.com/ServiceAccountKey',
    api: 'iam/v1',
    place,
    data: {
      keyAlgorithm: 'KEY_ALG_RSA_2048',
      keyOrigin: 'GOOGLE_PROVIDED',
      keyType: dice.chance(0.3) ? 'USER_MANAGED' : 'SYSTEM_MANAGED',
      name,
      validAfterTime: '2026-11-02T21:00:46Z',
      validBeforeTime: '2026-11-19T21:00:46Z',
    },
    bindings: null,
  };
}

function topic(at, place) {
  const name = `projects/${place.project}/topics/orders-${at}`;
  return {
    name: `//pubsub.googleapis.com/${name}`,
    type: 'pubsub.googleapis.com/Topic',
    api: 'pubsub/v1',
    place,
    data: {
      kmsKeyName: `${keyRing(place)}/cryptoKeys/pubsub`,
      labels: { env: 'prod', team: 'shop', domain: 'orders' },
      messageRetentionDuration: '86400s',
      messageStoragePolicy: { allowedPersistenceRegions: REGIONS },
      name,
      schemaSettings: { encoding: 'JSON', schema: `projects/${place.project}/schemas/order` },
    },
    bindings: [
      { role: 'roles/pubsub.publisher', members: [account('web', place)] },
      { role: 'roles/pubsub.subscriber', members: [account('batch', place)] },
    ],
  };
}

function secret(at, place) {
  const name = `projects/${place.number}/secrets/api-token-${at}`;
  return {
    name: `//secretmanager.googleapis.com/${name}`,
    type: 'secretmanager.googleapis.com/Secret',
    api: 'secretmanager/v1',
    place,
    data: {
      createTime: '2025-07-09T08:31:20.114Z',
      etag: '"16321a7b7e1f40"',
      labels: { env: 'prod', owner: 'shop', 'rotated-by': 'vault-agent' },
      name,
      replication: { userManaged: { replicas: REGIONS.map((location) => ({ location })) } },
      rotation: { nextRotationTime: '2027-01-01T00:00:00Z', rotationPeriod: '7776000s' },
      topics: [{ name: `projects/${place.project}/topics/secret-rotation` }],
    },
    bindings: [{ role: 'roles/secretmanager.secretAccessor', members: [account('web', place)] }],
  };
}

function account(name, { project }) {
  return `serviceAccount:${name}@${project}.iam.gserviceaccount.com`;
}

function group(name) {
  return `group:${name}@acme.example`;
}

/** Mulberry32: small, quick, and the same everywhere. @returns {Dice} */
function diceFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)],
    hex: (digits) => {
      let text = '';
      while (text.length < digits)
        text += Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}
