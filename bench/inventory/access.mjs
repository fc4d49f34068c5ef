// Access-related assets: accounts, keys, secrets.
import { account, keyRing, REGIONS } from './names.mjs';

export function serviceAccount(at, place) {
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

export function serviceAccountKey(at, place, rng) {
  const email = `job-${at}@${place.project}.iam.gserviceaccount.com`;
  const name = `projects/${place.project}/serviceAccounts/${email}/keys/${rng.hex(40)}`;
  return {
    name: `//iam.googleapis.com/${name}`,
    type: 'iam.googleapis.com/ServiceAccountKey',
    api: 'iam/v1',
    place,
    data: {
      keyAlgorithm: 'KEY_ALG_RSA_2048',
      keyOrigin: 'GOOGLE_PROVIDED',
      keyType: rng.chance(0.3) ? 'USER_MANAGED' : 'SYSTEM_MANAGED',
      name,
      validAfterTime: '2026-11-02T21:00:46Z',
      validBeforeTime: '2026-11-19T21:00:46Z',
    },
    bindings: null,
  };
}

export function cryptoKey(at, place, rng) {
  const name = `${keyRing(place)}/cryptoKeys/key-${at}`;
  const rotates = rng.chance(0.85);
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
        members: rng.chance(0.01)
          ? ['allAuthenticatedUsers']
          : [account('web', place), account('batch', place)],
      },
    ],
  };
}

export function secret(at, place) {
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
