import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Held {
  /** Sends the rest of the body. */
  finish(): Promise<{ status: number; code: string | undefined }>;
}

/** Sends a request except for the end of its body, and waits until its key has been accepted. */
async function hold(user: TestUser, route: string, type: string, body: string): Promise<Held> {
  const [method = '', path] = route.split(' ');
  const sent: ClientRequest = request(`${server.url}${path}`, {
    method,
    headers: {
      ...user.key,
      'content-type': type,
      'content-length': body.length,
      'x-forwarded-for': freshAddress(),
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(body.slice(0, -1));
  await until('the key has been accepted', async () => {
    const { rows } = await server.database.owner.query(
      'SELECT 1 FROM identity.api_keys WHERE id = $1 AND last_used_at IS NOT NULL',
      [user.keyId],
    );
    return rows.length > 0;
  });
  return {
    async finish() {
      sent.end(body.slice(-1));
      const [response] = await answered;
      const reply = JSON.parse(await text(response));
      return { status: response.statusCode ?? 0, code: reply.code };
    },
  };
}

const JSON_TYPE = 'application/json';
/** Longer than a body may take without another authorization. */
const A_WHILE_MS = 1_100;

async function revokeKey({ keyId }: TestUser): Promise<void> {
  await server.database.owner.query('UPDATE identity.api_keys SET revoked_at = $2 WHERE id = $1', [
    keyId,
    server.clock.now(),
  ]);
}

it('a request whose key is revoked while its body is held back is refused', async () => {
  const user = await server.people.user();
  const held = await hold(user, 'POST /projects', JSON_TYPE, '{"name":"held-back"}');
  await delay(A_WHILE_MS);
  await revokeKey(user);
  expect(await held.finish()).toEqual({ status: 401, code: 'UNAUTHORIZED' });
});

it('a request whose sender loses the permission while its body is held back is refused', async () => {
  const user = await server.people.user();
  const held = await hold(user, 'POST /projects', JSON_TYPE, '{"name":"held-back"}');
  await delay(A_WHILE_MS);
  await server.database.owner.query(
    "UPDATE identity.memberships SET role = 'viewer' WHERE tenant_id = $1 AND user_id = $2",
    [user.tenant.id, user.id],
  );
  expect(await held.finish()).toEqual({ status: 403, code: 'FORBIDDEN' });
});

it('a request whose body takes a while succeeds if nothing was revoked', async () => {
  const user = await server.people.user();
  const held = await hold(user, 'POST /projects', JSON_TYPE, '{"name":"held-back"}');
  await delay(A_WHILE_MS);
  expect(await held.finish()).toEqual({ status: 201, code: undefined });
});

it('an upload whose key is revoked before its end does not replace the inventory', async () => {
  const user = await server.people.user();
  const created = { method: 'POST', headers: user.session, body: { name: 'held-back' } };
  expect((await server.call('/projects', created)).status).toBe(201);
  const asset = { name: '//storage.googleapis.com/b', assetType: 'storage.googleapis.com/Bucket' };
  const route = 'PUT /projects/held-back/inventory';
  const held = await hold(user, route, 'application/x-ndjson', `${JSON.stringify(asset)}\n`);
  await revokeKey(user);
  expect(await held.finish()).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  const { json } = await server.call('/projects/held-back', { headers: user.session });
  expect(json.inventory).toBeNull();
});
