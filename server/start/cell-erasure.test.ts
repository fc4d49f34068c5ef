import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { move, OTHER, type TestCells, testCells } from '../../tests/kit/cells.ts';
import { mailsTo, tokenIn } from '../../tests/kit/mailbox.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { createLogger } from '../platform/logger.ts';
import { startCourier } from './cell-courier.ts';

let databases: TestCells;
let server: TestServer;
let tenant: TestTenant;
let admin: TestUser;
/** Leaves the tenant and comes back. Their account stays, because they are a member elsewhere. */
let person: TestUser;
/** The person in the tenant. */
let analyst: Analyst;
let project: string;

beforeAll(async () => {
  databases = await testCells();
  server = await startTestServer({ database: databases.home, cells: databases.cells });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

beforeEach(async () => {
  tenant = await server.people.tenant();
  admin = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
  await move(databases, tenant.id, OTHER);
  person = await server.people.user({ tenant, role: 'analyst', verified: false });
  await databases.home.owner.query(
    'UPDATE identity.memberships SET by_provider = true WHERE user_id = $1',
    [person.id],
  );
  await server.people.join(person, await server.people.tenant(), 'viewer');
  analyst = new Analyst(server, person.key, tenant.id);
  project = await analyst.project([
    {
      name: '//storage.googleapis.com/b',
      asset_type: 'storage.googleapis.com/Bucket',
      resource: { version: 'v1', discovery_name: 'Bucket', data: { name: 'b' } },
    },
  ]);
});

async function remove() {
  const removal = { method: 'DELETE', headers: admin.session };
  expect((await server.call(`/users/${person.id}`, removal)).status).toBe(204);
}

async function prove() {
  const { email, password } = person;
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  const token = tokenIn((await mailsTo(server, email)).at(-1));
  const body = { token, password };
  expect((await server.call('/auth/reset-password', { method: 'POST', body })).status).toBe(204);
}

async function comeBack() {
  await server.people.join(person, tenant, 'analyst');
  const { headers } = await server.people.key({ id: person.id, tenant });
  analyst = new Analyst(server, headers, tenant.id);
}

/** A private view and a scan of the person. */
async function create(view: string): Promise<string> {
  const query = { name: view, query: 'severity=high', shared: false };
  await analyst.ask(201, '/views', { method: 'POST', body: query });
  const body = { projects: [project], profile: 'full' };
  return (await analyst.ask(202, '/scans', { method: 'POST', body })).id;
}

const subscribe = () =>
  analyst.ask(200, '/auth/me/notifications', { method: 'PUT', body: { digest: 'daily' } });

const scanLabel = async (id: string): Promise<string> =>
  (await server.call(`/scans/${id}`, { headers: admin.key })).json.createdBy.label;

/** What the tenant shows to the person. */
async function shown() {
  const views = await analyst.ask(200, '/views');
  const { digest } = await analyst.ask(200, '/auth/me/notifications');
  return { views: views.items.map(({ name }: { name: string }) => name), digest };
}

/** The names of the person in the audit trail. */
async function auditLabels(): Promise<unknown[]> {
  const { json } = await server.call('/audit-events?limit=100', { headers: admin.key });
  const labels = json.items.flatMap(({ actor }: { actor: { id: string; label: string } }) =>
    actor.id === person.id ? [actor.label] : [],
  );
  return [...new Set(labels)];
}

async function waitingEntries(kind: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM cells.outbox WHERE tenant_id = $1 AND kind = $2';
  const { rows } = await databases.home.owner.query(sql, [tenant.id, kind]);
  return rows[0].count;
}

/** Applies each waiting entry at least once: the event is the last of the tenant. */
async function deliver() {
  await databases.home.owner.query(
    `INSERT INTO cells.outbox (tenant_id, kind, detail)
     VALUES ($1, 'event', '{"type":"scan.completed","at":"2026-01-01T00:00:00Z","data":{}}')`,
    [tenant.id],
  );
  const courier = startCourier({
    databaseUrl: databases.home.workerUrl,
    databaseTimeoutMs: 10_000,
    tenants: server.services.tenants,
    log: createLogger('silent'),
  });
  await until('the entries are applied', async () => (await waitingEntries('event')) === 0);
  await courier.stop();
}

describe.each([
  ['is removed', remove],
  ['leaves by proof of the address', prove],
])('a member in a cell who %s and comes back', (_how, leave) => {
  it('loses what was stored before, and keeps what is stored since', async () => {
    const before = await create('Before');
    await subscribe();
    await leave();
    await deliver();
    expect(await scanLabel(before)).toBe('removed user');
    expect(await auditLabels()).toEqual([null]);
    // It is kept for requests that may still be running.
    expect(await waitingEntries('erasure')).toBe(1);

    await comeBack();
    expect(await shown()).toEqual({ views: [], digest: 'off' });
    const since = await create('Since');
    await subscribe();
    await deliver();
    expect(await shown()).toEqual({ views: ['Since'], digest: 'daily' });
    expect(await scanLabel(since)).toBe(person.email);
    expect(await auditLabels()).toEqual([person.email]);
    expect(await waitingEntries('erasure')).toBe(0);
  });

  it('keeps what is stored since when the erasure is applied only afterwards', async () => {
    const before = await create('Before');
    await leave();
    await comeBack();
    const since = await create('Since');
    await subscribe();
    await deliver();
    expect(await shown()).toEqual({ views: ['Since'], digest: 'daily' });
    expect(await scanLabel(before)).toBe('removed user');
    expect(await scanLabel(since)).toBe(person.email);
    expect(await auditLabels()).toEqual([person.email]);
    expect(await waitingEntries('erasure')).toBe(0);
  });
});

/** A scan that a request of the person stores after their removal. */
const storeLate = () =>
  rowsOf(
    databases.other,
    tenant.id,
    `INSERT INTO scans (tenant_id, id, status, profile, profile_digest, created_by_kind, created_by_id, created_by_label, created_at)
     VALUES ($1, gen_random_uuid(), 'queued', 'full', repeat('0', 64), 'jwt', $2, $3, now())`,
    [tenant.id, person.id, person.email],
  );

const storedLabels = async (where: 'home' | 'other') => {
  const sql = 'SELECT created_by_label AS label FROM scans WHERE created_by_id = $1';
  const rows = await rowsOf(databases[where], tenant.id, sql, [person.id]);
  return rows.map(({ label }) => label);
};

it('a scan that a request of a removed member stores in a cell after the erasure loses the address by its repetition', async () => {
  await remove();
  await deliver();
  await storeLate();
  await deliver();
  expect(await storedLabels('other')).toEqual(['removed user']);
});

it('a tenant with a late scan of a removed member moves home unchanged, and the repetition erases the address there', async () => {
  await remove();
  await deliver();
  await storeLate();
  await move(databases, tenant.id, 'home');
  expect(await storedLabels('home')).toEqual([person.email]);
  await deliver();
  expect(await storedLabels('home')).toEqual(['removed user']);
});

it('the daily erasure of former members leaves rows in a cell, whose database knows no members', async () => {
  const scan = await create('Mine');
  const sql = 'SELECT jobs.erase_former_members(10) AS erased';
  expect(await rowsOf(databases.other, tenant.id, sql)).toEqual([{ erased: 0 }]);
  expect(await scanLabel(scan)).toBe(person.email);
});
