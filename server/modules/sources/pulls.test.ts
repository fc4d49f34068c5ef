import type { contract } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { googleError } from '../../../tests/kit/google/answer.ts';
import { VIEWER } from '../../../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';

type Pull = z.infer<(typeof contract.pulls.get.responses)[200]>;

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../../../samples/shop-prod.ndjson', import.meta.url);

let google: FakeGoogle;
let server: TestServer;
let user: TestUser;
let person: Analyst;
let project: string;
/** Each test has an account of its own project, because quota is counted for it. */
let email: string;
let accounts = 0;

beforeAll(async () => {
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, SAMPLE);
  server = await startTestServer({ googleCloud: google, worker: true });
});

afterAll(async () => {
  await server.close();
  await google.close();
});

beforeEach(async () => {
  google.requests.length = 0;
  google.misbehave = null;
  google.inventory.largestPage = 1_000;
  user = await server.people.user();
  person = new Analyst(server, user.key, user.tenant.id);
  project = await person.project();
  accounts += 1;
  email = `scanner@pulls-${accounts}.iam.gserviceaccount.com`;
  await attach(google.viewer(PARENT, email));
});

async function attach(key: object, of = project, parent = PARENT) {
  const credential = { type: 'service_account_key', key };
  const body = { kind: 'google-cloud', parent, credential };
  const reply = await person.call(`/projects/${of}/source`, { method: 'PUT', body });
  expect([200, 201]).toContain(reply.status);
}

const start = (): Promise<Pull> =>
  person.ask(202, `/projects/${project}/inventory/pull`, { method: 'POST' });
const seen = ({ id }: { id: string }): Promise<Pull> =>
  person.ask(200, `/projects/${project}/inventory/pulls/${id}`);
const ended = (pull: { id: string }) =>
  until(`the end of pull ${pull.id}`, async () => {
    const now = await seen(pull);
    return now.finishedAt !== null && now;
  });

/** Findings without what differs from project to project. */
const findingsOf = async (name: string) =>
  (await person.findings(`project=${name}`))
    .map(({ ruleId, asset, severity, message }) => ({ ruleId, asset, severity, message }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('a pull', () => {
  it('a pull gives the findings of an upload of the same export, even from many small pages', async () => {
    google.inventory.largestPage = 7;
    const started = await start();
    expect(started).toMatchObject({ status: 'queued', pages: 0, assets: null, seconds: null });
    const pull = await ended(started);
    expect(pull).toMatchObject({ status: 'completed', missing: [], problem: null });
    expect(pull.pages).toBeGreaterThan(5);
    const { readFile } = await import('node:fs/promises');
    const uploaded = await person.project();
    const upload = await person.send(uploaded, await readFile(SAMPLE, 'utf8'));
    expect(pull.assets).toBe(upload.json.assets);
    const shown = await person.ask(200, `/projects/${project}`);
    expect(shown.inventory).toMatchObject({ id: pull.inventoryId, assets: pull.assets });
    await person.scan([project, uploaded]);
    const findings = await findingsOf(project);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings).toEqual(await findingsOf(uploaded));
    // All pages are as of one moment.
    const times = google.lists.map(({ query }) => query.get('readTime'));
    expect([...new Set(times)]).toEqual([pull.readTime]);
    expect((await person.ask(200, `/projects/${project}/source`)).lastPull).toMatchObject({
      id: pull.id,
      status: 'completed',
      assets: pull.assets,
      problem: null,
    });
    const { items } = await person.ask(200, '/audit-events?action=source.pulled');
    expect(items).toMatchObject([
      {
        actor: { id: user.id },
        subject: project,
        detail: { pullId: pull.id, status: 'completed' },
      },
    ]);
  });

  it('a project has one pull at a time, and a repeated Idempotency-Key returns the same pull', async () => {
    const path = `/projects/${project}/inventory/pull`;
    const headers = { 'idempotency-key': 'once' };
    const first = await person.call(path, { method: 'POST', headers });
    const again = await person.call(path, { method: 'POST', headers });
    expect(again.json.id).toBe(first.json.id);
    google.misbehave = () => 'cut';
    const other = await person.call(path, { method: 'POST' });
    if (other.status === 409) expect(other.json.detail).toContain(first.json.id);
    google.misbehave = null;
    await ended(first.json);
    const { items } = await person.ask(200, `/projects/${project}/inventory/pulls`);
    expect(items.at(-1)).toMatchObject({ id: first.json.id });
  });

  it('a pull requires a source', async () => {
    const bare = await person.project();
    const reply = await person.call(`/projects/${bare}/inventory/pull`, { method: 'POST' });
    expect(reply.json).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(reply.json.detail).toContain(`PUT /projects/${bare}/source`);
  });

  it('a pull without the permission for policies is partial, and rules that need policies give UNKNOWN instead of PASS', async () => {
    google.inventory.grant(email, PARENT, ['cloudasset.assets.listResource']);
    const pull = await ended(await start());
    expect(pull).toMatchObject({
      status: 'partial',
      problem: null,
      missing: [
        { contentType: 'IAM_POLICY', permission: 'cloudasset.assets.listIamPolicy' },
        { contentType: 'ORG_POLICY', permission: 'cloudasset.assets.listOrgPolicy' },
      ],
    });
    expect(pull.missing[0]?.remedy).toContain('roles/cloudasset.viewer');
    const scan = await person.scan(project);
    const counts = await person.ruleCounts(scan.id);
    const needing = counts.filter(({ missing }) => JSON.stringify(missing).includes('IAM_POLICY'));
    expect(needing.length).toBeGreaterThan(0);
    for (const { ruleId, pass } of needing) {
      // The access list of a dataset repeats its policy, and is part of the resource.
      if (ruleId !== 'bq-dataset-public') expect({ ruleId, pass }).toEqual({ ruleId, pass: 0 });
    }
  });

  it('a pull without the permission for organization policies makes rules on them UNKNOWN, although no record has changed', async () => {
    const parent = 'projects/no-policies';
    const record = {
      name: '//storage.googleapis.com/plain',
      asset_type: 'storage.googleapis.com/Bucket',
      ancestors: ['projects/7'],
      resource: { data: { name: 'plain' } },
    };
    google.inventory.serve(parent, [JSON.stringify(record)]);
    await attach(google.viewer(parent, email), project, parent);
    const counts = async () => {
      const { id } = await person.scan(project);
      const rules = await person.ruleCounts(id);
      return rules.find(({ ruleId }) => ruleId === 'bucket-public-access-prevention');
    };
    expect(await ended(await start())).toMatchObject({ status: 'completed' });
    expect(await counts()).toMatchObject({ fail: 1, unknown: 0 });
    google.inventory.grant(email, parent, VIEWER.slice(0, 2));
    expect(await ended(await start())).toMatchObject({
      status: 'partial',
      missing: [{ contentType: 'ORG_POLICY' }],
    });
    expect(await counts()).toMatchObject({ fail: 0, unknown: 1, missing: ['ORG_POLICY'] });
    google.inventory.grant(email, parent, VIEWER);
    await ended(await start());
    expect(await counts()).toMatchObject({ fail: 1, unknown: 0 });
  });

  it('a pull without the permission for resources fails with the remedy, notifies webhooks and keeps the inventory', async () => {
    const receiver = await WebhookReceiver.start();
    onTestFinished(() => receiver.close());
    const webhook = { url: receiver.url, events: ['source.failed'] };
    await person.ask(201, '/webhooks', { method: 'POST', body: webhook });
    const before = await ended(await start());
    google.inventory.grant(email, PARENT, []);
    const pull = await ended(await start());
    expect(pull).toMatchObject({
      status: 'failed',
      problemCode: 'permission_denied',
      assets: null,
    });
    expect(pull.problem).toContain('roles/cloudasset.viewer');
    const { inventory } = await person.ask(200, `/projects/${project}`);
    expect(inventory.id).toBe(before.inventoryId);
    const { items } = await person.ask(200, '/audit-events?action=source.failed');
    expect(items).toMatchObject([
      {
        outcome: 'failure',
        subject: project,
        detail: { pullId: pull.id, code: 'permission_denied' },
      },
    ]);
    await until('the event', async () => receiver.received.length > 0);
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'source.failed', data: { project, pullId: pull.id, problem: pull.problem } },
    ]);
  });

  it('a pull starts again when a page token has expired, and fails when every token expires', async () => {
    google.inventory.largestPage = 20;
    let isEnded = false;
    google.misbehave = ({ query }) => {
      if (!isEnded && query.get('contentType') === 'IAM_POLICY' && query.has('pageToken')) {
        isEnded = true;
        google.inventory.endPageTokens();
      }
      return null;
    };
    const pull = await ended(await start());
    expect(pull).toMatchObject({ status: 'completed', problem: null });
    expect(new Set(google.lists.map(({ query }) => query.get('readTime'))).size).toBe(2);
    google.misbehave = ({ query }) => {
      if (query.has('pageToken')) google.inventory.endPageTokens();
      return null;
    };
    expect(await ended(await start())).toMatchObject({
      status: 'failed',
      problemCode: 'page_token_expired',
    });
  });

  it('a pull continues after broken connections and 5xx of Google', async () => {
    let faults = 0;
    google.misbehave = ({ path }) => {
      if (!path.endsWith('/assets') || faults >= 2) return null;
      faults += 1;
      return faults === 1 ? 'cut' : googleError(503, 'UNAVAILABLE', 'Try again');
    };
    expect(await ended(await start())).toMatchObject({ status: 'completed' });
    expect(faults).toBe(2);
  });

  it('a pull waits for the quota without occupying a worker', async () => {
    let isRefused = false;
    google.misbehave = ({ path }) => {
      if (!path.endsWith('/assets') || isRefused) return null;
      isRefused = true;
      const answer = googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded');
      return { ...answer, headers: { 'retry-after': '6' } };
    };
    const started = await start();
    await until('the refusal', async () => isRefused);
    const pull = await ended(started);
    expect(pull.status).toBe('completed');
    expect(pull.seconds).toBeGreaterThanOrEqual(5);
  });

  it('a pull fails when its source is deleted or replaced meanwhile', async () => {
    google.misbehave = ({ path }) => (path.endsWith('/assets') ? 'cut' : null);
    const replaced = await start();
    await attach(google.viewer(PARENT, email));
    expect(await ended(replaced)).toMatchObject({
      status: 'failed',
      problemCode: 'source_changed',
    });
    const deleted = await start();
    await person.ask(204, `/projects/${project}/source`, { method: 'DELETE' });
    expect(await ended(deleted)).toMatchObject({ status: 'failed', problemCode: 'source_changed' });
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [user.tenant.id]);
    expect((await owner.query('SELECT 1 FROM pull_pages')).rows).toEqual([]);
  });

  it('a pull ends when its project is deleted', async () => {
    google.misbehave = ({ path }) => (path.endsWith('/assets') ? 'cut' : null);
    await start();
    await person.ask(204, `/projects/${project}`, { method: 'DELETE' });
    google.misbehave = null;
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [user.tenant.id]);
    const { rows } = await owner.query('SELECT 1 FROM pulls');
    expect(rows).toEqual([]);
  });

  it('a pull does not wait behind the many pulls of another tenant', async () => {
    google.inventory.largestPage = 2;
    for (let n = 0; n < 6; n += 1) {
      const name = await person.project();
      await attach(google.viewer(PARENT, `scanner@many-${n}.iam.gserviceaccount.com`), name);
      await person.ask(202, `/projects/${name}/inventory/pull`, { method: 'POST' });
    }
    const busy = person;
    person = await Analyst.at(server);
    project = await person.project();
    await attach(google.viewer(PARENT, email));
    await ended(await start());
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [busy.tenantId]);
    const { rows } = await owner.query("SELECT 1 FROM pulls WHERE status IN ('queued', 'running')");
    expect(rows.length).toBeGreaterThan(0);
  });

  it('a pull is answered as unknown to another tenant', async () => {
    const pull = await start();
    const other = await Analyst.at(server);
    const name = await other.project();
    for (const path of [
      `/projects/${project}/inventory/pulls`,
      `/projects/${project}/inventory/pulls/${pull.id}`,
      `/projects/${name}/inventory/pulls/${pull.id}`,
    ]) {
      expect((await other.call(path)).status).toBe(404);
    }
    await ended(pull);
  });
});

describe('impersonation', () => {
  it('a pull with impersonation uses the identity of the service to act as the account of the tenant', async () => {
    const { mkdtemp, writeFile, rm } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const folder = await mkdtemp(join(tmpdir(), 'cspm-identity-'));
    const file = join(folder, 'identity.json');
    const own = 'service@operator-1.iam.gserviceaccount.com';
    await writeFile(
      file,
      JSON.stringify(google.identities.serviceAccount(own, google.settings.tokenUrl)),
    );
    const settings = google.server;
    settings.environment['GOOGLE_APPLICATION_CREDENTIALS'] = file;
    const second = await startTestServer({
      database: server.database,
      config: { googleCloud: settings },
    });
    try {
      const caller = new Analyst(second, user.key, user.tenant.id);
      const { googlePrincipalPrefix: prefix } = await caller.ask(200, '/tenant');
      const account = `${prefix}@shop-prod.iam.gserviceaccount.com`;
      google.inventory.grant(account, PARENT, VIEWER);
      const credential = { type: 'impersonation', serviceAccount: account };
      const body = { kind: 'google-cloud', parent: PARENT, credential };
      await caller.call(`/projects/${project}/source`, { method: 'PUT', body });
      const check = () => caller.ask(200, `/projects/${project}/source/check`, { method: 'POST' });
      expect((await check()).checks[0]).toMatchObject({
        name: 'credential',
        ok: false,
        remedy: expect.stringContaining('roles/iam.serviceAccountTokenCreator'),
      });
      google.identities.allowImpersonation(own, account);
      expect((await check()).ok).toBe(true);
    } finally {
      await second.close();
      await rm(folder, { recursive: true });
    }
  });
});
