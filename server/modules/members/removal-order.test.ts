import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

// A removal erases the name of a member in rows that the deletion of a project locks or deletes.

let server: TestServer;
let admin: TestUser;
let person: TestUser;
let project: Awaited<ReturnType<Belongings['project']>>;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  admin = await server.people.user({ amr: ['pwd', 'otp'] });
  person = await server.people.user({ tenant: admin.tenant });
  project = await new Belongings(server.services, server.database, admin.tenant).project();
});

const rows = (sql: string, values: readonly unknown[] = []) =>
  rowsOf(server.database, admin.tenant.id, sql, values);

async function ask(
  method: string,
  path: string,
  body: object | null = null,
  headers: Record<string, string> = person.key,
): Promise<Reply> {
  const reply = await server.call(path, { method, headers, ...(body === null ? {} : { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}

async function launchScan(names = [project.name], headers = person.key): Promise<string> {
  const body = { projects: names, profile: 'full' };
  return (await ask('POST', '/scans', body, headers)).json.id;
}

async function setSource(): Promise<void> {
  const { json } = await ask('GET', '/tenant');
  const serviceAccount = `${json.googlePrincipalPrefix}1@shop-prod.iam.gserviceaccount.com`;
  const credential = { type: 'impersonation', serviceAccount };
  const body = { kind: 'google-cloud', parent: 'projects/shop-prod', credential };
  await ask('PUT', `/projects/${project.name}/source`, body);
}

async function startPull(): Promise<string> {
  return (await ask('POST', `/projects/${project.name}/inventory/pull`)).json.id;
}

const removeMember = () =>
  server.call(`/users/${person.id}`, { method: 'DELETE', headers: admin.session });
const deleteProject = () =>
  server.call(`/projects/${project.name}`, { method: 'DELETE', headers: admin.key });

/** Sends these requests, one after the other has come to wait, while this table is locked. Returns their statuses. */
async function inOrder(table: string, requests: readonly (() => Promise<Reply>)[]) {
  const { owner } = server.database;
  await owner.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  try {
    const replies: Promise<Reply>[] = [];
    for (const request of requests) {
      replies.push(request());
      await waiters(replies.length);
    }
    await owner.query('COMMIT');
    return (await Promise.all(replies)).map(({ status }) => status);
  } finally {
    await owner.query('ROLLBACK');
  }
}

const waiters = (count: number) =>
  until(
    `${count} to wait`,
    async () => (await waitingFor(server.database, 'true')).length === count,
  );

/** Where the deletion of a project ends its first scan. */
const END_OF_SCAN = 'scan_rule_counts';

it('a member is removed without a deadlock while a project with several of their scans is deleted', async () => {
  const first = await launchScan();
  await launchScan();
  // As its start does, which moves the row behind the later one.
  await rows('UPDATE scans SET started_at = now() WHERE id = $1', [first]);
  expect(await inOrder(END_OF_SCAN, [deleteProject, removeMember])).toEqual([204, 204]);
});

it('a member is removed without a deadlock while a project with their scan and their source is deleted', async () => {
  await setSource();
  await launchScan();
  expect(await inOrder(END_OF_SCAN, [deleteProject, removeMember])).toEqual([204, 204]);
});

it('a member who gets e-mails is removed without a deadlock while a project with scans of several members is deleted', async () => {
  await ask('PUT', '/auth/me/notifications', { digest: 'daily' });
  const other = await new Belongings(server.services, server.database, admin.tenant).project();
  const first = await launchScan([project.name, other.name], admin.key);
  await rows(
    `UPDATE scan_projects SET status = 'completed', new_serious = $3 WHERE scan_id = $1 AND project_id = $2`,
    [first, other.id, { critical: 1, high: 0, criticalIds: [], highIds: [] }],
  );
  await launchScan();
  expect(await inOrder('saved_views', [removeMember, deleteProject])).toEqual([204, 204]);
});

it('the removal of a member locks their pulls of a project in the order of their ids, as the deletion of the project does', async () => {
  await setSource();
  const first = await startPull();
  await rows("UPDATE pulls SET status = 'failed' WHERE id = $1", [first]);
  const second = await startPull();
  // Moves the row behind the later one.
  await rows("UPDATE pulls SET problem = '' WHERE id = $1", [first]);
  const { owner } = server.database;
  // Postgres then reads the table in the order of its rows.
  await owner.query('ANALYZE pulls');
  await owner.query('BEGIN');
  try {
    await rows('SELECT 1 FROM pulls WHERE id = $1 FOR UPDATE', [first]);
    const removal = removeMember();
    await waiters(1);
    const free = 'SELECT id FROM pulls WHERE id = $1 FOR UPDATE SKIP LOCKED';
    expect(await rows(free, [second])).toEqual([{ id: second }]);
    await owner.query('COMMIT');
    expect((await removal).status).toBe(204);
  } finally {
    await owner.query('ROLLBACK');
  }
});
