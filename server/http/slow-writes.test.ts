import { setTimeout as delay } from 'node:timers/promises';
import { FEATURES } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rowsOf, waitingFor } from '../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const tenant = await server.people.tenant(FEATURES);
  user = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
});

/** Longer than a request may take without another authorization. */
const A_WHILE_MS = 1_100;
const WEBHOOK = { url: 'https://receiver.example/hooks', events: ['scan.completed'] };

const rows = (sql: string) => rowsOf(server.database, user.tenant.id, sql);
const create = (headers: Record<string, string>) =>
  server.call('/webhooks', { method: 'POST', headers, body: WEBHOOK });

/** Sends the request while the tenant is locked, and changes something after the request has waited for a while. */
async function afterAWhile(change: string, id: string, send: () => Promise<Reply>): Promise<Reply> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rows('SELECT identity.lock_tenant()');
    const reply = send();
    const waits = async () => (await waitingFor(server.database, 'true')).length === 1;
    await until('the request to wait', waits);
    await delay(A_WHILE_MS);
    await owner.query(change, [id]);
    await owner.query('COMMIT');
    return await reply;
  } finally {
    await owner.query('ROLLBACK');
  }
}

const KEY_REVOCATION = 'UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1';
const REMOVAL = 'SELECT identity.remove_member($1)';
const DEMOTION = "SELECT identity.change_member($1, NULL, 'viewer', NULL, now())";

it('a request has no effect if its key is revoked after it has waited for more than a second', async () => {
  const reply = await afterAWhile(KEY_REVOCATION, user.keyId, () => create(user.key));
  expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  expect(await rows('SELECT id FROM public.webhooks')).toEqual([]);
});

it('a request has no effect if its sender is removed after it has waited for more than a second', async () => {
  const reply = await afterAWhile(REMOVAL, user.id, () => create(user.session));
  expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  expect(await rows('SELECT id FROM public.webhooks')).toEqual([]);
});

it('a request has no effect if its sender loses the permission after it has waited for more than a second', async () => {
  const reply = await afterAWhile(DEMOTION, user.id, () => create(user.session));
  expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
  expect(await rows('SELECT id FROM public.webhooks')).toEqual([]);
});

it('a request that has waited for more than a second takes effect if its access goes on', async () => {
  const reply = await afterAWhile('SELECT $1::uuid', user.id, () => create(user.session));
  expect(reply.status).toBe(201);
  expect(await rows('SELECT id FROM public.webhooks')).toHaveLength(1);
});
