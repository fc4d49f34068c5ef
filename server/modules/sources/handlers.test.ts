import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../../../samples/shop-prod.ndjson', import.meta.url);

let google: FakeGoogle;
let server: TestServer;
let user: TestUser;
let person: Analyst;
let project: string;

beforeAll(async () => {
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, SAMPLE);
  server = await startTestServer({ googleCloud: google });
});

afterAll(async () => {
  await server.close();
  await google.close();
});

beforeEach(async () => {
  google.requests.length = 0;
  user = await server.people.user();
  person = new Analyst(server, user.key, user.tenant.id);
  project = await person.project();
});

const path = (rest = '') => `/projects/${project}/source${rest}`;
const keyed = (key: object, parent = PARENT) => ({
  kind: 'google-cloud',
  parent,
  credential: { type: 'service_account_key', key },
});
const impersonating = (serviceAccount: string) => ({
  kind: 'google-cloud',
  parent: PARENT,
  credential: { type: 'impersonation', serviceAccount },
});
const put = (body: object) => person.call(path(), { method: 'PUT', body });
const prefixOf = async (who = person): Promise<string> =>
  (await who.ask(200, '/tenant')).googlePrincipalPrefix;

describe('a source', () => {
  it('a source is set, returned without its credential, replaced and deleted', async () => {
    const key = google.viewer(PARENT);
    const first = await put(keyed(key));
    expect(first.status).toBe(201);
    const shown = {
      kind: 'google-cloud',
      parent: PARENT,
      credentialType: 'service_account_key',
      principal: key['client_email'],
      createdBy: { kind: 'api_key', id: user.id, label: user.email },
      createdAt: expect.any(String),
      lastPull: null,
    };
    expect(first.json).toEqual(shown);
    expect(await person.ask(200, path())).toEqual(shown);
    const account = `${await prefixOf()}-scan@shop-prod.iam.gserviceaccount.com`;
    const second = await put(impersonating(account));
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject({ credentialType: 'impersonation', principal: account });
    await person.ask(204, path(), { method: 'DELETE' });
    await person.ask(404, path());
    await person.ask(404, path(), { method: 'DELETE' });
  });

  it('the responses about a project name its source', async () => {
    const other = await person.project();
    await put(keyed(google.viewer(PARENT)));
    expect(await person.ask(200, `/projects/${project}`)).toMatchObject({ hasSource: true });
    const { items } = await person.ask(200, '/projects');
    expect(items).toMatchObject([
      { name: other, hasSource: false },
      { name: project, hasSource: true },
    ]);
    const changed = await person.ask(200, `/projects/${project}`, { method: 'PATCH', body: {} });
    expect(changed).toMatchObject({ hasSource: true });
    await person.ask(204, path(), { method: 'DELETE' });
    expect(await person.ask(200, `/projects/${project}`)).toMatchObject({ hasSource: false });
  });

  it('the key of a source is stored encrypted, and is not in responses or audit rows', async () => {
    const key = google.viewer(PARENT);
    const secret = (key['private_key'] ?? '').split('\n')[3] ?? 'no key';
    const reply = await put(keyed(key));
    const { items } = await person.ask(200, '/audit-events?action=source.changed');
    expect(items).toMatchObject([
      { subject: project, detail: { parent: PARENT, account: key['client_email'] } },
    ]);
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [user.tenant.id]);
    const { rows } = await owner.query("SELECT encode(credential, 'escape') FROM sources");
    expect(rows).toHaveLength(1);
    for (const place of [reply.text, JSON.stringify(items), JSON.stringify(rows)]) {
      expect(place).not.toContain(secret);
    }
  });

  it('a source that is not accepted is refused after an unknown project', async () => {
    const body = keyed(google.viewer(PARENT), 'shop-prod');
    expect((await put(body)).status).toBe(422);
    const unknown = { method: 'PUT', body };
    await person.ask(404, '/projects/no-such-project/source', unknown);
  });

  it('a source is answered as unknown to another tenant', async () => {
    await put(keyed(google.viewer(PARENT)));
    const other = await Analyst.at(server);
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/check'],
    ] as const) {
      expect((await other.call(path(rest), { method })).status).toBe(404);
    }
  });
});

describe('a source is refused with a remedy:', () => {
  const refused = async (body: object) => {
    const reply = await put(body);
    expect(reply.json).toMatchObject({ status: 422, code: 'SOURCE_REFUSED' });
    expect(reply.json.errors).toEqual([{ path: expect.any(String), message: reply.json.detail }]);
    await person.ask(404, path());
    expect(google.requests).toEqual([]);
    return reply.json.detail as string;
  };

  it.each([
    ['a file', { file: '/etc/passwd' }],
    ['an address', { url: 'http://169.254.169.254/computeMetadata/v1/' }],
    ['an executable', { executable: { command: '/bin/sh -c id' } }],
  ])('a source is refused with a remedy when a federation file names %s', async (_what, source) => {
    const key = {
      type: 'external_account',
      audience:
        '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://sts.attacker.example/v1/token',
      credential_source: source,
    };
    const detail = await refused(keyed(key));
    expect(detail).toContain('Use impersonation of a service account, or its key.');
    expect(detail).not.toMatch(/passwd|169\.254|bin/);
  });

  it.each(['authorized_user', 'external_account_authorized_user', 'impersonated_service_account'])(
    'a source with a credential file of the type %s is refused with a remedy',
    async (type) => {
      await refused(keyed({ ...google.viewer(PARENT), type }));
    },
  );

  it('a source with an invalid key or without an account is refused with a remedy', async () => {
    const key = google.viewer(PARENT);
    await refused(keyed({ ...key, private_key: 'secret' }));
    await refused(keyed({ ...key, client_email: 'ada@example.com' }));
    await refused(keyed({}));
  });

  it.each(['projects/../x', 'organizations/1/assets?x=', 'shop', 'projects/a b', 'folders/x'])(
    'a source with the parent %s is refused with a remedy',
    async (parent) => {
      await refused(keyed(google.viewer(PARENT), parent));
    },
  );

  it('a source that impersonates an account without the prefix of the tenant is refused with a remedy', async () => {
    const other = await Analyst.at(server);
    const [own, foreign] = [await prefixOf(), await prefixOf(other)];
    expect(own).toMatch(/^cspm-[0-9a-f]{16}$/);
    expect(own).not.toBe(foreign);
    for (const account of [
      `${foreign}@shop-prod.iam.gserviceaccount.com`,
      'scanner@shop-prod.iam.gserviceaccount.com',
      `x-${own}@shop-prod.iam.gserviceaccount.com`,
      `${own.toUpperCase()}@shop-prod.iam.gserviceaccount.com`,
      `${own}@developer.gserviceaccount.com`,
      `${own}@attacker.example`,
      `${own}@x.iam.gserviceaccount.com/../../other@y.iam.gserviceaccount.com`,
    ]) {
      await refused(impersonating(account));
    }
    expect(await refused(impersonating('a@b.iam.gserviceaccount.com'))).toContain(own);
  });

  it('a source with another kind or type of credential, or a key file beyond the limits, is answered 400', async () => {
    for (const body of [
      { ...keyed({}), kind: 'aws' },
      { kind: 'google-cloud', parent: PARENT, credential: { type: 'external_account' } },
      keyed({ filler: 'x'.repeat(40_000) }),
    ]) {
      expect((await put(body)).status).toBe(400);
    }
  });
});

describe('a check of a source', () => {
  const check = () => person.ask(200, path('/check'), { method: 'POST' });
  const failed = async () =>
    (await check()).checks.filter(({ ok }: { ok: boolean }) => !ok) as {
      name: string;
      detail: string;
      remedy: string;
    }[];

  it('a check of a source passes for a service account that may view the parent', async () => {
    await put(keyed(google.viewer(PARENT)));
    const report = await check();
    expect(report.ok).toBe(true);
    expect(report.checks.map(({ name }: { name: string }) => name)).toEqual([
      'credential',
      'api',
      'parent',
      'cloudasset.assets.listResource',
      'cloudasset.assets.listIamPolicy',
      'cloudasset.assets.listOrgPolicy',
    ]);
  });

  it('a check of a source sends assertions and tokens to the configured addresses, regardless of the addresses in the key file', async () => {
    const elsewhere = await FakeGoogle.start();
    const key = {
      ...google.viewer(PARENT),
      token_uri: `${elsewhere.url}/token`,
      universe_domain: 'attacker.example',
      auth_uri: elsewhere.url,
      credential_source: { executable: { command: 'id' }, file: '/etc/passwd', url: elsewhere.url },
    };
    expect((await put(keyed(key))).status).toBe(201);
    expect((await check()).ok).toBe(true);
    expect(google.requests.map(({ path: at }) => at)).toContain('/token');
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('a check of a source names a missing permission, the role that contains it and the command', async () => {
    const email = 'half@tools-1.iam.gserviceaccount.com';
    const key = google.viewer(PARENT, email);
    google.inventory.grant(email, PARENT, ['cloudasset.assets.listResource']);
    await put(keyed(key));
    const faults = await failed();
    expect(faults.map(({ name }) => name)).toEqual([
      'cloudasset.assets.listIamPolicy',
      'cloudasset.assets.listOrgPolicy',
    ]);
    expect(faults[0]?.remedy).toMatch(/roles\/cloudasset\.viewer.*gcloud projects/);
  });

  it('a check of a source reports a deleted key, an API that is not enabled and an outage of Google with 200', async () => {
    const email = 'gone@tools-2.iam.gserviceaccount.com';
    await put(keyed(google.viewer(PARENT, email)));
    google.inventory.disableApi('tools-2');
    expect(await failed()).toContainEqual(expect.objectContaining({ name: 'api' }));
    google.identities.remove(email);
    expect(await failed()).toContainEqual(expect.objectContaining({ name: 'credential' }));
    google.misbehave = () => 'cut';
    try {
      expect(await failed()).toContainEqual(
        expect.objectContaining({ name: 'credential', detail: expect.stringContaining('Google') }),
      );
    } finally {
      google.misbehave = null;
    }
  });

  it('a check of a source reports an exhausted quota instead of waiting for it', async () => {
    await put(keyed(google.viewer(PARENT, 'many@tools-3.iam.gserviceaccount.com')));
    google.inventory.quotaPerMinute = 0;
    try {
      expect(await failed()).toContainEqual(
        expect.objectContaining({ name: 'api', detail: expect.stringContaining('quota') }),
      );
    } finally {
      google.inventory.quotaPerMinute = 100;
    }
  });

  it('a check of a source reveals nothing about the machine when the service has no identity to impersonate with', async () => {
    await put(impersonating(`${await prefixOf()}@shop-prod.iam.gserviceaccount.com`));
    const faults = await failed();
    expect(faults[0]).toMatchObject({
      name: 'credential',
      remedy: expect.stringContaining('ask the operator'),
    });
    expect(JSON.stringify(faults)).not.toContain('nonexistent');
  });
});
