// Other services: clusters, DNS, messaging.
import { account, keyRing, REGIONS } from './names.mjs';

export function cluster(at, place, rng) {
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
      id: rng.hex(64),
      ipAllocationPolicy: {
        clusterSecondaryRangeName: 'pods',
        servicesSecondaryRangeName: 'services',
        useIpAliases: true,
      },
      legacyAbac: rng.chance(0.02) ? { enabled: true } : {},
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
        enablePrivateNodes: rng.chance(0.8),
        masterIpv4CidrBlock: '10.40.0.0/28',
      },
      releaseChannel: { channel: 'REGULAR' },
      status: 'RUNNING',
      workloadIdentityConfig: { workloadPool: `${place.project}.svc.id.goog` },
    },
    bindings: null,
  };
}

export function managedZone(at, place, rng) {
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
        state: rng.chance(0.6) ? 'ON' : 'OFF',
      },
      id: String(9_000_000_000_000 + at),
      kind: 'dns#managedZone',
      name: `zone-${at}`,
      nameServers: ['a', 'b', 'c', 'd'].map((letter) => `ns-cloud-${letter}1.googledomains.com.`),
      visibility: rng.chance(0.7) ? 'PUBLIC' : 'PRIVATE',
    },
    bindings: null,
  };
}

export function topic(at, place) {
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
