import { afterAll, beforeAll, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import {
  onDatabase,
  type ServerProcess,
  serverProcesses,
} from '../../../tests/kit/server-process.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const start = serverProcesses();
const PROCESSES = 2;
const TENANTS = 3;
const MEMBERS = 8;
const ROUNDS = 3;

let server: TestServer;
let mails: TestMailServer;

beforeAll(async () => {
  server = await startTestServer();
  mails = await TestMailServer.start();
});

afterAll(async () => {
  await mails.stop();
  await server.close();
});

/** A process that writes and sends mails. */
async function started(): Promise<ServerProcess> {
  const process = start({
    ...onDatabase(server.database),
    NODE_ENV: 'production',
    WEB_URL: 'https://posture.example.com',
    WORKER: 'only',
    APP_SECRET: TEST_APP_SECRET,
    MAIL_URL: mails.url,
    MAIL_FROM: 'a@example.com',
  });
  await process.line(/Working the queue/);
  return process;
}

/** Members with a pending finding. */
async function membersToTell(): Promise<string[]> {
  const emails: string[] = [];
  for (let n = 0; n < TENANTS; n += 1) {
    const tenant = await server.people.tenant();
    const project = await new Belongings(server.services, server.database, tenant).project();
    const criticalIds = await plantFindings(server.database, tenant.id, project.id, [
      { severity: 'critical' },
    ]);
    for (let m = 0; m < MEMBERS; m += 1) {
      const { id: userId, email } = await server.people.user({ tenant, role: 'viewer' });
      const dueAt = new Date(Date.now() - 1_000);
      await server.services.tenants.write(tenant.id, (db) =>
        db.prisma.notificationSetting.create({
          data: {
            ...{ tenantId: tenant.id, userId, digest: 'daily', dueAt, scans: 1 },
            ...{ critical: 1, criticalIds },
          },
        }),
      );
      emails.push(email);
    }
  }
  return emails;
}

it('every member gets one digest although workers are killed while they write and send mails', async () => {
  const { owner } = server.database;
  const told: string[] = [];
  const running = await Promise.all(Array.from({ length: PROCESSES }, started));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = mails.received.length;
    told.push(...(await membersToTell()));
    await until('a mail', async () => mails.received.length > before);
    await running.shift()?.kill();
    running.push(await started());
  }
  await until(
    'the end of all mails',
    async () => {
      const { rows } = await owner.query(
        `SELECT 1 FROM jobs.digest_dues UNION ALL SELECT 1 FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'send-digest'`,
      );
      return rows.length === 0;
    },
    240_000,
  );
  const idsOf = new Map<string, Set<unknown>>();
  for (const { to, headers } of mails.received) {
    const [email = ''] = to;
    idsOf.set(email, (idsOf.get(email) ?? new Set()).add(headers['message-id']));
  }
  expect(new Set(idsOf.keys())).toEqual(new Set(told));
  // A mail that was being sent when its worker was killed arrives twice, with the same Message-ID.
  for (const ids of idsOf.values()) expect(ids.size).toBe(1);
}, 600_000);
