import { gzipSync } from 'node:zlib';

/** A record of a Cloud Asset Inventory export. */
export type ExportRecord = Readonly<Record<string, unknown>> & { readonly name: string };

function resource(name: string, type: string, data: object): ExportRecord {
  return { name, asset_type: type, resource: { version: 'v1', data } };
}

/** A bucket that complies with all rules except the requested ones. Without its policy, public access is unknown. */
export function bucket(
  name: string,
  { uniform = true, logged = true, ownKey = true } = {},
): ExportRecord {
  return resource(`//storage.googleapis.com/${name}`, 'storage.googleapis.com/Bucket', {
    id: name,
    iamConfiguration: {
      uniformBucketLevelAccess: { enabled: uniform },
      publicAccessPrevention: 'enforced',
    },
    versioning: { enabled: true },
    ...(logged ? { logging: { logBucket: 'logs' } } : {}),
    ...(ownKey ? { encryption: { defaultKmsKeyName: 'projects/p/cryptoKeys/k' } } : {}),
  });
}

/** The IAM_POLICY record of a bucket. */
export function bucketPolicy(
  name: string,
  members: readonly string[] = [],
  role = 'roles/storage.objectViewer',
): ExportRecord {
  return {
    name: `//storage.googleapis.com/${name}`,
    asset_type: 'storage.googleapis.com/Bucket',
    iam_policy: { bindings: members.length === 0 ? [] : [{ role, members }] },
  };
}

/** A cluster without node pools that complies with all rules except, on request, gke-legacy-abac (high). */
export function cluster(name: string, { legacyAbac = false } = {}): ExportRecord {
  return resource(
    `//container.googleapis.com/projects/p/locations/l/clusters/${name}`,
    'container.googleapis.com/Cluster',
    { ...WELL_MADE_CLUSTER, name, legacyAbac: { enabled: legacyAbac } },
  );
}

/** The verdict counts of the profile `gke` for a compliant cluster; rules on node pools do not apply. */
export const CLUSTER_VERDICTS = { evaluations: 24, pass: 17, na: 7 } as const;

const WELL_MADE_CLUSTER = {
  binaryAuthorization: { evaluationMode: 'PROJECT_SINGLETON_POLICY_ENFORCE' },
  databaseEncryption: { state: 'ENCRYPTED' },
  ipAllocationPolicy: { useIpAliases: true },
  masterAuthorizedNetworksConfig: { enabled: true },
  networkConfig: { datapathProvider: 'ADVANCED_DATAPATH' },
  privateClusterConfig: { enablePrivateNodes: true, enablePrivateEndpoint: true },
  releaseChannel: { channel: 'REGULAR' },
  shieldedNodes: { enabled: true },
  workloadIdentityConfig: { workloadPool: 'p.svc.id.goog' },
};

/** A record that names a cluster without content, so its rules return UNKNOWN. */
export function bareCluster(name: string): ExportRecord {
  const { resource: _, ...rest } = cluster(name);
  return rest;
}

/** A firewall rule that allows the whole internet on the given ports; by default it allows none, and is logged. */
export function firewall(
  name: string,
  data: { readonly ports?: readonly string[]; readonly sourceRanges?: readonly string[] } = {},
): ExportRecord {
  return resource(
    `//compute.googleapis.com/projects/p/global/firewalls/${name}`,
    'compute.googleapis.com/Firewall',
    {
      name,
      direction: 'INGRESS',
      logConfig: { enable: true },
      allowed: [{ IPProtocol: 'tcp', ports: data.ports ?? ['443'] }],
      sourceRanges: data.sourceRanges ?? ['10.0.0.0/8'],
    },
  );
}

/** A service account's key, which one rule checks: sa-key-user-managed, high. */
export function serviceAccountKey(name: string, keyType = 'USER_MANAGED'): ExportRecord {
  return resource(
    `//iam.googleapis.com/projects/p/serviceAccounts/s/keys/${name}`,
    'iam.googleapis.com/ServiceAccountKey',
    { name, keyType },
  );
}

export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function gzipped(text: string): Uint8Array {
  return gzipSync(text);
}

/** An export of the given number of clusters, every third with a violation, padded so that it spans several chunks. */
export function manyClusters(count: number, paddingCharacters = 0): ExportRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    ...cluster(`c${index}`, { legacyAbac: index % 3 === 0 }),
    ...(paddingCharacters === 0 ? {} : { ancestors: [noise(index, paddingCharacters)] }),
  }));
}

/** Deterministic text that does not compress well. */
function noise(seed: number, characters: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < characters) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, characters);
}
