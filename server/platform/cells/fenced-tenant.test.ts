import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestCells, testCells } from '../../../tests/kit/cells.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let databases: TestCells;
let server: TestServer;

beforeAll(async () => {
  databases = await testCells();
  const { home: database, cells } = databases;
  server = await startTestServer({ database, cells, worker: true });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

it('an operation on identities whose event a webhook gets is answered during the fence of a move, and the event is sent afterwards', async () => {
  const { home } = databases;
  const { session, tenant } = await server.people.user();
  const webhook = { url: 'http://127.0.0.1:49999/hook', events: ['api_key.created'] };
  const post = (path: string, body: object) =>
    server.call(path, { method: 'POST', headers: session, body });
  expect((await post('/webhooks', webhook)).status).toBe(201);
  await home.owner.query(
    `INSERT INTO cells.standings (tenant_id, state, until) VALUES ($1, 'fenced', now() + interval '1 hour')`,
    [tenant.id],
  );
  expect((await post('/api-keys', { name: 'ci' })).status).toBe(201);
  await home.owner.query("UPDATE cells.standings SET state = 'active' WHERE tenant_id = $1", [
    tenant.id,
  ]);
  await until('the event to arrive', async () => {
    const text = "SELECT 1 FROM webhook_events WHERE type = 'api_key.created'";
    return (await rowsOf(home, tenant.id, text)).length === 1;
  });
});
