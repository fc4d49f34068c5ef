import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import type { Statement } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { shareWriting, stopWriting } from './scan-lock.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const SHORT: Statement = {
  name: 'short-statements',
  reason: 'set',
  text: "SET LOCAL statement_timeout = '100ms'",
};

it('ending a scan that keeps writing is refused with the reason and Retry-After, and works afterwards', async () => {
  const { id } = await server.people.tenant();
  const { tenants } = server.services;
  const scan = { scanId: newId(), projectId: newId() };
  const end = () =>
    tenants.write(id, async (db) => {
      await db.sql(SHORT);
      await stopWriting(db, [scan]);
    });
  await tenants.write(id, async (db) => {
    await shareWriting(db, scan);
    await expect(end()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('is writing its results'),
      headers: { 'Retry-After': '5' },
    });
  });
  await end();
});
