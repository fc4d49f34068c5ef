import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestMailServer } from '../../tests/kit/mail-server.ts';
import type { TestTenant, TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

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
  const data = { tenantName: tenant.name, host: 'example.com', reason: 'GONE' as const };
  await server.services.tenants.write(tenant.id, async (db) => {
    const notice = { template: 'webhook-disabled' as const, to: admin.email };
    await server.services.mail.queue(db, { ...notice, data: { ...data, at: server.clock.now() } });
    closing.push(await takeShare(server, tenant));
  });
  expect((await arrived(admin)).headers['subject']).toContain('webhook');
});
