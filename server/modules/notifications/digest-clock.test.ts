import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

it('a digest that became due by a clock that was a year ahead is due at the next regular time after the next scan', async () => {
  const tenant = await server.people.tenant();
  const admin = await Analyst.at(server, { tenant });
  const user = await server.people.user({ tenant, role: 'viewer' });
  const body = { digest: 'daily' };
  const path = '/auth/me/notifications';
  expect((await server.call(path, { method: 'PUT', headers: user.key, body })).status).toBe(200);
  const dueAt = async () => {
    const rows = await rowsOf(
      server.database,
      tenant.id,
      'SELECT due_at FROM notification_settings WHERE user_id = $1',
      [user.id],
    );
    return rows[0]?.['due_at'];
  };
  const project = await admin.project([cluster('a', { legacyAbac: true })]);
  await admin.scan(project);
  const regular = await dueAt();
  expect(regular).toBeInstanceOf(Date);
  await rowsOf(
    server.database,
    tenant.id,
    "UPDATE notification_settings SET due_at = due_at + interval '1 year'",
  );
  await admin.upload(project, [cluster('b', { legacyAbac: true })]);
  await admin.scan(project);
  expect(await dueAt()).toEqual(regular);
});
