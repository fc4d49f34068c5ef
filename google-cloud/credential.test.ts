import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorInfo, googleError } from '../tests/kit/google/answer.ts';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { threadCpuMs } from '../tests/kit/thread-cpu.ts';
import {
  GoogleCloud,
  GoogleCloudError,
  googleEndpoints,
  parseParent,
  parseServiceAccountEmail,
  parseServiceAccountKey,
} from './index.ts';
import { dsaKey, numbersOf, odd, rsaKey } from './testing/hostile-keys.ts';
import { clientOf, manyRecords, pagesOf, recordsOf } from './testing/pulled.ts';

const PARENT = 'projects/shop-prod';
const OPERATOR = 'cspm@operator-1.iam.gserviceaccount.com';
const TARGET = 'cspm-t1@shop-prod.iam.gserviceaccount.com';

let google: FakeGoogle;
let folder: string;

beforeEach(async () => {
  google = await FakeGoogle.start();
  google.inventory.serve(PARENT, manyRecords(3));
  folder = await mkdtemp(join(tmpdir(), 'cspm-credential-'));
});

afterEach(async () => {
  await google.close();
  await rm(folder, { recursive: true });
});

function refusalOf(work: () => unknown): GoogleCloudError {
  try {
    work();
  } catch (error) {
    if (error instanceof GoogleCloudError) return error;
  }
  throw new Error('not refused');
}

/** The variables of a process that has these credentials. */
async function environmentWith(credentials: object): Promise<Record<string, string>> {
  const file = join(folder, 'credentials.json');
  await writeFile(file, JSON.stringify(credentials));
  return { HOME: folder, GOOGLE_APPLICATION_CREDENTIALS: file };
}

function withDefault(environment: Record<string, string>): GoogleCloud {
  return new GoogleCloud({
    credential: { type: 'application_default', environment },
    endpoints: googleEndpoints(google.settings),
  });
}

describe('a service account key', () => {
  it('a service account key is used with the configured endpoints only, regardless of the addresses in its file', async () => {
    const attacker = await FakeGoogle.start();
    try {
      const key = {
        ...google.viewer(PARENT),
        token_uri: `${attacker.url}/token`,
        auth_uri: attacker.url,
        universe_domain: `127.0.0.1:${new URL(attacker.url).port}`,
        auth_provider_x509_cert_url: attacker.url,
        client_x509_cert_url: attacker.url,
        quota_project_id: 'attacker-1',
      };
      expect(recordsOf(await pagesOf(clientOf(google, key), PARENT))).toHaveLength(6);
      expect(attacker.requests).toEqual([]);
      expect(google.requests.map(({ headers }) => headers['x-goog-user-project'])).not.toContain(
        'attacker-1',
      );
    } finally {
      await attacker.close();
    }
  });

  it('a service account key is refused if the file is of another kind, with a remedy', () => {
    const external = {
      type: 'external_account',
      credential_source: { executable: { command: '/bin/true' } },
    };
    const refused = refusalOf(() => parseServiceAccountKey(external));
    expect(refused).toMatchObject({ code: 'invalid_input' });
    expect(refused.message).toContain('executables');
    expect(refused.remedy).toContain('gcloud iam service-accounts keys create');
    const others = ['external_account_authorized_user', 'authorized_user', 'gdch_service_account'];
    for (const type of [...others, 'impersonated_service_account', 7, null]) {
      expect(refusalOf(() => parseServiceAccountKey({ type })).code).toBe('invalid_input');
    }
    for (const json of [null, [], 'text', 5, {}]) {
      expect(refusalOf(() => parseServiceAccountKey(json)).code).toBe('invalid_input');
    }
  });

  it('a service account key is refused if its account or its key cannot be one', () => {
    const key = google.viewer(PARENT);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const curve = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const slips: object[] = [
      { client_email: 'ada@example.com' },
      { client_email: 'a/../b@x.iam.gserviceaccount.com' },
      { client_email: 5 },
      { private_key: 'not a key' },
      { private_key: curve },
      { private_key: 'x'.repeat(100_000) },
    ];
    for (const slip of slips) {
      expect(refusalOf(() => parseServiceAccountKey({ ...key, ...slip })).code).toBe(
        'invalid_input',
      );
    }
  });
});

describe('a stored service account key', () => {
  it('a stored service account key is not used to sign unless its numbers are bounded', async () => {
    const file = parseServiceAccountKey(google.viewer(PARENT));
    const numbers = numbersOf(createPrivateKey(file.privateKey));
    const withKey = (privateKey: string) =>
      new GoogleCloud({
        credential: { type: 'service_account_key', key: { ...file, privateKey } },
        endpoints: googleEndpoints(google.settings),
      });
    expect(await withKey(rsaKey(numbers)).check(PARENT)).toMatchObject({ ok: true });
    google.requests.length = 0;
    for (const privateKey of [rsaKey(numbers, { d: odd(10_000), dp: odd(16) }), dsaKey(1_536)]) {
      const before = threadCpuMs();
      const { checks } = await withKey(privateKey).check(PARENT);
      expect(threadCpuMs() - before).toBeLessThan(50);
      expect(checks[0]).toMatchObject({ name: 'credential', ok: false });
      expect(checks[0]?.detail).toContain('RSA key of 2048 to 4096 bits');
      expect(checks[0]?.remedy).toContain('set the source again');
    }
    expect(google.requests).toEqual([]);
  });
});

describe('impersonation', () => {
  const impersonating = (environment: Record<string, string>) =>
    new GoogleCloud({
      credential: { type: 'impersonation', serviceAccount: TARGET, environment },
      endpoints: googleEndpoints(google.settings),
    });

  it('a pull by impersonation acts as the service account with the credentials of the process', async () => {
    const { tokenUrl } = google.settings;
    const environment = await environmentWith(google.identities.serviceAccount(OPERATOR, tokenUrl));
    google.identities.allowImpersonation(OPERATOR, TARGET);
    google.inventory.grant(TARGET, PARENT, VIEWER);
    expect(recordsOf(await pagesOf(impersonating(environment), PARENT))).toHaveLength(6);
  });

  it('impersonation names the role to grant if the account may not be impersonated', async () => {
    const { tokenUrl } = google.settings;
    const environment = await environmentWith(google.identities.serviceAccount(OPERATOR, tokenUrl));
    const { checks } = await impersonating(environment).check(PARENT);
    expect(checks[0]).toMatchObject({ name: 'credential', ok: false });
    expect(checks[0]?.remedy).toContain('roles/iam.serviceAccountTokenCreator');
  });

  it('impersonation names the scope that the identity of the process lacks', async () => {
    const { tokenUrl } = google.settings;
    const environment = await environmentWith(google.identities.serviceAccount(OPERATOR, tokenUrl));
    google.misbehave = ({ path }) =>
      path.endsWith(':generateAccessToken')
        ? googleError(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
            errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', {}),
          ])
        : null;
    const { checks } = await impersonating(environment).check(PARENT);
    expect(checks[0]?.detail).toContain('does not have the scope');
    expect(checks[0]?.remedy).toContain('--scopes cloud-platform');
  });

  it('impersonation accepts nothing but the address of a service account', () => {
    expect(parseServiceAccountEmail(TARGET)).toBe(TARGET);
    for (const email of [
      'ada@example.com',
      `x/${TARGET}`,
      `${TARGET}?x`,
      'A@B',
      '',
      `${TARGET}:x`,
    ]) {
      expect(refusalOf(() => parseServiceAccountEmail(email)).code).toBe('invalid_input');
    }
  });
});

describe('Application Default Credentials', () => {
  it('Application Default Credentials of a user charge the pulled project, unless they name another project', async () => {
    const user = 'ada@shop.example';
    google.inventory.grant(user, PARENT, [...VIEWER, 'serviceusage.services.use']);
    const environment = await environmentWith(google.identities.user(user, null));
    expect(recordsOf(await pagesOf(withDefault(environment), PARENT))).toHaveLength(6);
    expect(google.lists[0]?.headers['x-goog-user-project']).toBe('shop-prod');
    const other = await environmentWith(google.identities.user(user, 'billing-1'));
    const { checks } = await withDefault(other).check(PARENT);
    expect(checks.find(({ ok }) => !ok)?.remedy).toContain(
      'roles/serviceusage.serviceUsageConsumer',
    );
  });

  it('Application Default Credentials of a user require a project to charge for an organization', async () => {
    const user = 'ada@shop.example';
    google.inventory.grant(user, 'organizations/1', VIEWER);
    const environment = await environmentWith(google.identities.user(user, null));
    const { checks } = await withDefault(environment).check('organizations/1');
    expect(checks.find(({ ok }) => !ok)).toMatchObject({
      name: 'api',
      remedy: expect.stringContaining('gcloud auth application-default set-quota-project'),
    });
  });

  it('Application Default Credentials of a workload in AWS get the session of its metadata service with PUT', async () => {
    // The library prefers these to the metadata service.
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ACCESS_KEY_ID']) {
      vi.stubEnv(name, '');
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const at = (path: string) => `${google.url}${path}`;
    const answers: Record<string, string> = {
      'PUT /aws/session': 'session',
      'GET /aws/region': 'eu-central-1a',
      'GET /aws/roles': 'scanner',
      'GET /aws/roles/scanner': JSON.stringify({
        AccessKeyId: 'i',
        SecretAccessKey: 's',
        Token: 't',
      }),
    };
    const unknown = googleError(404, 'NOT_FOUND', 'There is no such path.');
    google.misbehave = ({ method, path }) => {
      const body = answers[`${method} ${path}`];
      return path.startsWith('/aws/')
        ? body === undefined
          ? unknown
          : { status: 200, body }
        : null;
    };
    const environment = await environmentWith({
      type: 'external_account',
      audience:
        '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/aws',
      subject_token_type: 'urn:ietf:params:aws:token-type:aws4_request',
      token_url: at('/sts'),
      credential_source: {
        environment_id: 'aws1',
        region_url: at('/aws/region'),
        url: at('/aws/roles'),
        imdsv2_session_token_url: at('/aws/session'),
        regional_cred_verification_url:
          'https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15',
      },
    });
    await withDefault(environment).check(PARENT);
    const sent = google.requests.map(({ method, path }) => `${method} ${path}`);
    expect(sent).toEqual(expect.arrayContaining([...Object.keys(answers), 'POST /sts']));
  });

  it('Application Default Credentials that are missing, unreadable or expired are reported with the command that creates them', async () => {
    const none = { HOME: folder, METADATA_SERVER_DETECTION: 'none' };
    const missing = { HOME: folder, GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'missing.json') };
    const malformed = await environmentWith({ type: 'authorized_user' });
    for (const environment of [none, missing, malformed]) {
      const { checks } = await withDefault(environment).check(PARENT);
      expect(checks[0]).toMatchObject({ name: 'credential', ok: false });
      expect(checks[0]?.remedy).toContain('gcloud auth application-default login');
    }
    const ended = await environmentWith(google.identities.user('bob@shop.example', null));
    google.identities.remove('bob@shop.example');
    const { checks } = await withDefault(ended).check(PARENT);
    expect(checks[0]?.detail).toContain('invalid_grant');
    expect(checks[0]?.remedy).toContain('gcloud auth application-default login');
  });
});

describe('endpoints', () => {
  it('endpoints must be https, and may be http on loopback only where it is allowed', () => {
    expect(googleEndpoints().assetUrl).toBe('https://cloudasset.googleapis.com');
    const own = { assetUrl: 'https://restricted.example/', allowLoopbackHttp: false };
    expect(googleEndpoints(own).assetUrl).toBe('https://restricted.example');
    for (const assetUrl of [google.url, 'http://[::1]:1', 'http://localhost:1']) {
      expect(googleEndpoints({ assetUrl, allowLoopbackHttp: true }).assetUrl).toBe(assetUrl);
      expect(refusalOf(() => googleEndpoints({ assetUrl })).remedy).toContain('GOOGLE_ASSET_URL');
    }
    const refused = ['http://example.com', 'ftp://x', 'nonsense', 'https://u:p@x', 'https://x?y'];
    for (const tokenUrl of [...refused, 'http://127.0.0.1.example.com']) {
      const settings = { tokenUrl, allowLoopbackHttp: true };
      expect(refusalOf(() => googleEndpoints(settings)).code).toBe('invalid_input');
    }
  });
});

describe('a parent', () => {
  it('the refusal of a project says what the id of a project looks like', () => {
    for (const parent of ['projects/shop', 'projects/Shop-Prod', 'projects/My Project']) {
      expect(refusalOf(() => parseParent(parent)).remedy).toContain('6 to 30 lower-case letters');
    }
    expect(refusalOf(() => parseParent('shop-prod')).remedy).toContain('folders/<number>');
  });

  it('a parent is a project, a folder or an organization, and cannot change the path of a request', () => {
    for (const parent of ['projects/shop-prod', 'projects/12', 'folders/3', 'organizations/4']) {
      expect(parseParent(parent)).toBe(parent);
    }
    expect(parseParent('projects/example.com:shop-prod')).toBe('projects/example.com:shop-prod');
    const wrong = ['shop-prod', 'projects/', 'projects/../x', 'projects/a b', 'folders/x', ''];
    for (const parent of [
      ...wrong,
      'projects/shop-prod/assets',
      'projects/shop-prod?x',
      'PROJECTS/1',
    ]) {
      expect(refusalOf(() => parseParent(parent)).code).toBe('invalid_input');
    }
  });
});
