import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { deleteTenantOf } from '../../../tests/kit/cells.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { forOperator } from '../../../tests/kit/server-process.ts';
import { type Reply, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { asProblem } from '../../platform/problem.ts';
import { runAdmin } from '../run.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

const databases = () => ({ home: server.database, cells: [] });

async function tenantWithSchedule() {
  const admin = await server.people.user();
  const analyst = new Analyst(server, admin.key, admin.tenant.id);
  const project = await analyst.project([cluster('one', { legacyAbac: true })]);
  const yearly = { cron: '0 0 1 1 *', timezone: 'UTC', profile: 'full' };
  await analyst.ask(201, '/schedules', {
    method: 'POST',
    body: { name: 'yearly', projects: [project], ...yearly },
  });
  return { admin, analyst };
}

/** A connection that passes the guard of the deletion. */
async function mover(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.database.ownerUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("SELECT set_config('cells.mover', 'on', false)");
  return client;
}

/** Makes the schedules of a tenant due. */
async function makeDue(client: pg.Client, tenantId: string, secondsAgo: number): Promise<void> {
  await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  await client.query(
    'UPDATE schedules SET next_run_at = now() - make_interval(secs => $2) WHERE tenant_id = $1',
    [tenantId, secondsAgo],
  );
}

/** Begins the deletion, which cannot go past the table of projects until the test ends. */
async function waitingDeletion({ tenant }: TestUser): Promise<void> {
  const reader = await mover();
  await reader.query('BEGIN');
  await reader.query('LOCK TABLE projects IN ROW EXCLUSIVE MODE');
  const deletion = deleteTenantOf(databases(), tenant.id, tenant.name);
  onTestFinished(async () => {
    await reader.query('ROLLBACK');
    await deletion;
  });
}

async function killedDeletion({ tenant }: TestUser): Promise<void> {
  const killed = deleteTenantOf(databases(), tenant.id, tenant.name, (line) => {
    if (line.startsWith('Ended all')) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
}

it('a due schedule of another tenant runs after a deletion was killed, although a schedule of the deleted tenant is due', async () => {
  const [deleted, other] = [await tenantWithSchedule(), await tenantWithSchedule()];
  await killedDeletion(deleted.admin);
  const client = await mover();
  await makeDue(client, deleted.admin.tenant.id, 2);
  await makeDue(client, other.admin.tenant.id, 1);
  await until('the schedule of the other tenant to run', async () => {
    const { items } = await other.analyst.ask(200, '/schedules');
    return items[0].lastRun !== null;
  });
});

it('nothing of a tenant is due while its deletion waits for a table', async () => {
  const { admin, analyst } = await tenantWithSchedule();
  await analyst.ask(201, '/webhooks', {
    method: 'POST',
    body: { url: 'http://127.0.0.1:49999/hook', events: ['scan.completed'] },
  });
  const { items } = await analyst.ask(200, '/webhooks');
  await analyst.ask(202, `/webhooks/${items[0].id}/test`, { method: 'POST' });
  const { owner } = server.database;
  const dues = async () => {
    const { rows } = await owner.query<{ due: string }>(
      `SELECT 'schedule' AS due FROM jobs.schedule_dues WHERE tenant_id = $1
       UNION ALL SELECT 'webhook' FROM jobs.webhook_dues WHERE tenant_id = $1`,
      [admin.tenant.id],
    );
    return rows.map(({ due }) => due);
  };
  expect(await dues()).toContain('schedule');
  await waitingDeletion(admin);
  await until('nothing to be due', async () => (await dues()).length === 0);
});

it('a person whose last sign-in was to a tenant that is being deleted signs in to another one', async () => {
  const both = await server.people.user();
  const other = await server.people.tenant();
  await server.people.join(both, other);
  const login = (extra: object = {}) =>
    server.call('/auth/login', {
      method: 'POST',
      body: { email: both.email, password: both.password, ...extra },
    });
  const tenantOf = async ({ json }: Reply) => {
    const headers = { authorization: `Bearer ${json.accessToken}` };
    return (await server.call('/auth/me', { headers })).json.tenant?.id;
  };
  expect(await tenantOf(await login({ tenantId: both.tenant.id }))).toBe(both.tenant.id);
  await waitingDeletion(both);
  await until('a sign-in to the other tenant', async () => {
    const reply = await login();
    return reply.status === 200 && (await tenantOf(reply)) === other.id;
  });
});

it('a person without another tenant gets the answer of an unknown address with any password while the tenant is being deleted', async () => {
  const { admin } = await tenantWithSchedule();
  await killedDeletion(admin);
  const login = async (email: string, password: string) => {
    const { status, json } = await server.call('/auth/login', {
      method: 'POST',
      body: { email, password },
    });
    return [status, json.code, json.detail];
  };
  const unknown = await login('nobody@example.com', admin.password);
  expect(await login(admin.email, admin.password)).toEqual(unknown);
  expect(await login(admin.email, `${admin.password}!`)).toEqual(unknown);
});

it('a write that a deletion refuses is answered so, and not that the database is unreachable', async () => {
  const { admin } = await tenantWithSchedule();
  await killedDeletion(admin);
  const write = server.services.tenants.write(admin.tenant.id, ({ prisma, tenantId }) =>
    prisma.project.create({
      data: { tenantId, id: newId(), name: 'late', description: '', createdAt: new Date() },
    }),
  );
  const problem = asProblem(await write.catch((error: unknown) => error));
  expect(problem.code).toBe('SERVICE_UNAVAILABLE');
  expect(problem.message).toMatch(/is being deleted/);
});

it('npm run admin says of a half deleted tenant that it is being deleted, where a command would change it', async () => {
  const { admin } = await tenantWithSchedule();
  await killedDeletion(admin);
  const { id } = admin.tenant;
  for (const words of [
    ['user', 'create', id, `${newId()}@example.com`, 'viewer'],
    ['features', id, 'sso'],
  ]) {
    const [out, err] = [new PassThrough(), new PassThrough()];
    expect(await runAdmin(words, forOperator(server.database), { out, err })).toBe(1);
    err.end();
    expect(await text(err)).toBe(
      'The tenant accepts no changes: it is being deleted, or its data is being moved to another database. If it is moved, try again later.\n',
    );
  }
});
