import { afterEach, beforeEach, expect, it } from 'vitest';
import { move, OTHER, testCells } from '../../tests/kit/cells.ts';
import { TestMailServer } from '../../tests/kit/mail-server.ts';
import type { TestTenant, TestUser } from '../../tests/kit/people.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { newFindings } from '../modules/notifications/mails.ts';
import { webhookDisabled } from '../modules/webhooks/mails.ts';
import { openDirectory } from '../platform/cells/open-cells.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import { createLogger } from '../platform/logger.ts';
import type { Message } from '../platform/mail/mail.ts';
import { mailSending } from './mail-sending.ts';

const closing: (() => Promise<unknown>)[] = [];
let mails: TestMailServer;
let mail: { readonly url: string; readonly from: string };

beforeEach(async () => {
  mails = await TestMailServer.start();
  closing.push(() => mails.stop());
  mail = { url: mails.url, from: 'posture@example.com' };
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const arrived = ({ email }: TestUser) =>
  until(`a mail to ${email}`, async () => mails.received.find(({ to }) => to.includes(email)));

/** Takes connections of the tenant's share until a request of the tenant waits for one. */
async function takeShare(server: TestServer, tenant: TestTenant): Promise<() => Promise<void>> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const hold = () => server.services.tenants.read(tenant.id, () => ended).catch(() => undefined);
  for (let reads = 0; reads < 10; reads += 1) void hold();
  const awaited = /^cspm_database_connections\{pool="serving",state="awaited"\} [1-9]/m;
  await until('a request that waits', async () =>
    awaited.test(await server.services.metrics.text()),
  );
  return async () => end();
}

it('a notice to administrators of a tenant is sent while requests of the tenant hold its share of the connections', async () => {
  const server = await startTestServer({ worker: true, config: { mail } });
  closing.push(() => server.close());
  const admin = await server.people.user();
  const { tenant } = admin;
  const at = server.clock.now();
  const data = { tenantName: tenant.name, host: 'example.com', reason: 'GONE', at } as const;
  await server.services.tenants.write(tenant.id, async (db) => {
    await server.services.mail.queue(db, { to: admin.email, ...webhookDisabled(data) });
    closing.push(await takeShare(server, tenant));
  });
  expect((await arrived(admin)).headers['subject']).toContain('webhook');
});

it.each([
  ['before', 'to another database'],
  ['after', 'to another database'],
  ['before', 'back to the first one'],
])(
  'a digest that was queued %s its tenant moved %s is sent only to members who may still get it',
  async (moment, where) => {
    const databases = await testCells();
    const { home, other, cells } = databases;
    const server = await startTestServer({ database: home, cells });
    closing.push(
      () => databases.drop(),
      () => server.close(),
    );
    const { people, services } = server;
    const { tenant } = await people.user();
    if (where === 'back to the first one') await move(databases, tenant.id, OTHER);
    const choose = async ({ key: headers }: TestUser, digest: string) => {
      const request = { method: 'PUT', headers, body: { digest } };
      expect((await server.call('/auth/me/notifications', request)).status).toBe(200);
    };
    const subscriber = async () => {
      const user = await people.user({ tenant, role: 'viewer' });
      await choose(user, 'daily');
      return user;
    };
    const [reader, silent, left] = [await subscriber(), await subscriber(), await subscriber()];
    const queueDigests = () =>
      services.tenants.write(tenant.id, async (db) => {
        for (const { id: userId, email: to } of [reader, silent, left]) {
          const counts = { digest: 'daily' as const, scans: 1, critical: 1, high: 0 };
          const data = { userId, tenantName: tenant.name, ...counts, findings: [] };
          const links = { scanId: null, unsubscribeToken: 't' };
          await services.mail.queue(db, { to, ...newFindings({ ...data, ...links }) });
        }
      });
    if (moment === 'before') await queueDigests();
    await move(databases, tenant.id, where === 'to another database' ? OTHER : 'home');
    if (moment === 'after') await queueDigests();
    await choose(silent, 'off');
    await people.join(left, tenant, ['projects.read']);
    const sent: Message[] = [];
    const log = createLogger('silent');
    const atHome = { databaseUrl: home.appUrl, databaseTimeoutMs: 10_000, log };
    const { directory, close } = openDirectory(atHome);
    const sending = mailSending({
      ...{ ...atHome, cells, directory, keys: keyRing([TEST_APP_SECRET], 'mail') },
      mailer: { send: async (message) => void sent.push(message) },
    });
    closing.push(close, () => sending.close());
    const waiting = 'SELECT payload FROM graphile_worker._private_jobs';
    const queues = [await home.owner.query(waiting), await other.owner.query(waiting)];
    const jobs = queues.flatMap(({ rows }) => rows);
    expect(jobs).toHaveLength(3);
    for (const { payload } of jobs) {
      await sending.task(payload, { isLast: false, isStopping: () => false });
    }
    expect(sent.map(({ to }) => to)).toEqual([reader.email]);
  },
);
