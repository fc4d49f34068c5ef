import { afterAll, beforeAll, expect, it } from 'vitest';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let clearAway: () => Promise<void>;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer();
  const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  clearAway = retentionOf(server, pool);
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

it('the retention task drops partitions of the audit trail by whole months', async () => {
  const months = async () => {
    const { rows } = await server.database.owner.query(
      `SELECT relname FROM pg_class WHERE relname ~ '^audit_events_\\d' AND relkind = 'r' ORDER BY 1`,
    );
    return rows.map(({ relname }) => relname.slice('audit_events_'.length));
  };
  const before = await months();
  server.clock.advance({ days: 130 });
  const now = server.clock.now();
  await clearAway();
  const after = await months();
  const oldest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1));
  const nameOf = (date: Date) => date.toISOString().slice(0, 7).replace('-', '_');
  expect(before.some((month) => month < nameOf(oldest))).toBe(true);
  expect(after.every((month) => month >= nameOf(oldest))).toBe(true);
  const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1));
  expect(after).toContain(nameOf(ahead));
});

it('the retention task skips a table that is being read for long and continues with the rest', async () => {
  const { owner } = server.database;
  const user = await server.people.user();
  await owner.query('BEGIN');
  await owner.query('SELECT 1 FROM audit_events LIMIT 1');
  server.clock.advance({ days: 130 });
  await clearAway();
  await owner.query('COMMIT');
  const { rows } = await owner.query('SELECT 1 FROM identity.sessions WHERE id = $1', [
    user.sessionId,
  ]);
  expect(rows).toEqual([]);
  // The partition is not lost: the next run removes it.
  const months = async () =>
    (await owner.query(`SELECT relname FROM pg_class WHERE relname ~ '^audit_events_\\d{4}'`)).rows;
  const before = await months();
  await clearAway();
  expect(await months()).not.toEqual(before);
});

it('the retention task may run twice and does not touch other tables with similar names', async () => {
  await clearAway();
  await clearAway();
  await expect(
    server.database.owner.query("SELECT jobs.retire_partitions('projects', now())"),
  ).rejects.toThrow('partitions of projects are kept');
});
