import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { deleteTenantOf } from '../../../tests/kit/cells.ts';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { tablesWithRows } from '../../../tests/kit/tenant-rows.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let mails: TestMailServer;
let server: TestServer;
let admin: TestUser;
let neighbour: TestUser;

beforeAll(async () => {
  mails = await TestMailServer.start();
  const from = 'Posture <posture@example.com>';
  server = await startTestServer({ worker: true, config: { mail: { url: mails.url, from } } });
});

afterAll(async () => {
  await server.close();
  await mails.stop();
});

beforeEach(async () => {
  mails.received.length = 0;
  admin = await server.people.user({ amr: ['pwd', 'otp'] });
  neighbour = await server.people.user({ amr: ['pwd', 'otp'] });
});

const receivers = () => mails.received.flatMap(({ to }) => to);

async function invite({ session, tenant }: TestUser, name: string): Promise<string> {
  const email = `${name}@${tenant.id}.example.com`;
  const body = { email, role: 'viewer' };
  await new Analyst(server, session, tenant.id).ask(201, '/users', { method: 'POST', body });
  return email;
}

/** Mails of both kinds that wait to be sent. */
async function waiting(): Promise<number> {
  const { rows } = await server.database.owner.query(
    `SELECT count(*)::int AS mails FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier LIKE 'send-%'`,
  );
  return rows[0].mails;
}

const allSent = () => until('all mails to be sent', async () => (await waiting()) === 0);

function deletion(watch: (line: string) => void = () => undefined): Promise<string[]> {
  const { tenant } = admin;
  const databases = { home: server.database, cells: [] };
  return deleteTenantOf(databases, tenant.id, tenant.name, watch);
}

it('a mail about a tenant that waits for the mail server is not sent after the deletion of the tenant, and other mails are', async () => {
  await mails.stop();
  await invite(admin, 'late');
  const others = await invite(neighbour, 'late');
  const { email } = admin;
  await server.people.join(admin, neighbour.tenant, 'viewer');
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  expect(await waiting()).toBe(3);
  await deletion();
  expect(await tablesWithRows(server.database, admin.tenant.id)).toEqual([]);
  await mails.start();
  await allSent();
  expect(receivers().toSorted()).toEqual([others, email].toSorted());
});

it('the deletion of a tenant ends after the mail that is being sent, and no other mail about the tenant follows', async () => {
  mails.hold();
  const first = await invite(admin, 'first');
  await until('a mail under way', async () => mails.waiting > 0);
  let isWaiting = false;
  let isDeleted = false;
  const deleted = deletion((line) => {
    if (line.startsWith('Waiting for mails')) isWaiting = true;
    if (line.includes('Deleted tenant')) isDeleted = true;
  });
  await until('the deletion to wait', async () => isWaiting);
  expect(isDeleted).toBe(false);
  mails.release();
  await deleted;
  expect(receivers()).toEqual([first]);
  const others = await invite(neighbour, 'second');
  await allSent();
  expect(receivers()).toEqual([first, others]);
});

it('a mail about a tenant that the mail server refuses for now is not tried again after the deletion of the tenant', async () => {
  const email = `refused@${admin.tenant.id}.example.com`;
  mails.refuses(email, 450);
  await invite(admin, 'refused');
  await until('a refusal', async () => mails.attempts.includes(email));
  await deletion();
  const attempts = mails.attempts.length;
  await allSent();
  expect(mails.attempts).toHaveLength(attempts);
});
