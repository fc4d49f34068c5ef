// Assets of Compute Engine: machines, their disks and their networks.
import { keyRing, REGIONS } from './names.mjs';

export function instance(at, place, rng) {
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
    deletionProtection: rng.chance(0.5),
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
    labels: { env: 'prod', team: rng.pick(['shop', 'data', 'platform']), service: name },
    machineType: `${link(place)}/zones/${place.zone}/machineTypes/n2-standard-4`,
    metadata: {
      fingerprint: `${rng.hex(10)}=`,
      items: [
        { key: 'enable-oslogin', value: rng.chance(0.8) ? 'TRUE' : 'FALSE' },
        { key: 'startup-script', value: '#! /bin/bash\nset -e\nsystemctl start shop.service\n' },
      ],
    },
    name,
    networkInterfaces: [
      {
        ...(rng.chance(0.1) ? { accessConfigs: [nat] } : {}),
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
      enableSecureBoot: rng.chance(0.7),
      enableVtpm: true,
    },
    status: 'RUNNING',
    tags: { items: ['web', 'behind-lb'] },
    zone: `${link(place)}/zones/${place.zone}`,
  });
}

export function disk(at, place, rng) {
  return compute('Disk', `zones/${place.zone}/disks/disk-${at}`, place, {
    ...(rng.chance(0.3)
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
    labels: { env: 'prod', backup: rng.chance(0.6) ? 'daily' : 'none' },
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

export function firewall(at, place, rng) {
  const world = rng.chance(0.08);
  return compute('Firewall', `global/firewalls/allow-${at}`, place, {
    allowed: [
      {
        IPProtocol: 'tcp',
        ipProtocol: 'tcp',
        ports: rng.pick([['443'], ['22'], ['80', '8080-8090'], ['3389']]),
      },
    ],
    description:
      'Made by terraform; see the network repository for the owner and the reason of this rule.',
    direction: rng.chance(0.85) ? 'INGRESS' : 'EGRESS',
    disabled: rng.chance(0.05),
    id: String(6_000_000_000_000 + at),
    logConfig: { enable: rng.chance(0.5), metadata: 'INCLUDE_ALL_METADATA' },
    name: `allow-${at}`,
    network: `${link(place)}/global/networks/vpc-0`,
    priority: 1000,
    sourceRanges: world
      ? ['0.0.0.0/0']
      : ['10.0.0.0/8', '172.16.0.0/12', '35.191.0.0/16', '130.211.0.0/22'],
    targetTags: ['web', 'behind-lb'],
  });
}

export function network(at, place) {
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

export function subnetwork(at, place, rng) {
  return compute('Subnetwork', `regions/${place.region}/subnetworks/app-${at}`, place, {
    enableFlowLogs: rng.chance(0.6),
    fingerprint: `${rng.hex(10)}=`,
    gatewayAddress: '10.20.0.1',
    id: String(8_000_000_000_000 + at),
    ipCidrRange: '10.20.0.0/20',
    logConfig: {
      aggregationInterval: 'INTERVAL_5_SEC',
      enable: rng.chance(0.6),
      flowSampling: 0.5,
    },
    name: `app-${at}`,
    network: `${link(place)}/global/networks/vpc-0`,
    privateIpGoogleAccess: rng.chance(0.9),
    purpose: 'PRIVATE',
    region: `${link(place)}/regions/${place.region}`,
    secondaryIpRanges: [
      { ipCidrRange: '10.64.0.0/16', rangeName: 'pods' },
      { ipCidrRange: '10.96.0.0/20', rangeName: 'services' },
    ],
    stackType: 'IPV4_ONLY',
  });
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
