import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { plantFindings, recordAsNew } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { mutedInScan } from './muted-in-scan.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it('the muted findings of a scan are complete and in order, although each read has at most 25 with their evidence', async () => {
  const user = await server.people.user();
  const analyst = new Analyst(server, user.key, user.tenant.id);
  const belongings = new Belongings(server.services, server.database, user.tenant);
  const project = await belongings.project();
  const planted = Array.from({ length: 60 }, (_, n) => ({
    severity: n % 2 === 0 ? 'low' : 'high',
    evidence: [{ path: 'p', value: n }],
  }));
  const ids = await plantFindings(server.database, user.tenant.id, project.id, planted);
  const scan = await belongings.scan();
  await recordAsNew(server.database, user.tenant.id, scan, 'bucket-public');
  const body = { selector: { project: project.name }, reason: 'All of them' };
  await analyst.ask(201, '/mutes', { method: 'POST', body });

  const reads: number[] = [];
  const muted = await server.services.tenants.read(user.tenant.id, (db) => {
    const sql: TenantConnection['sql'] = async (statement, values) => {
      const rows = await db.sql<{ evidence?: unknown }>(statement, values);
      if (rows.some((row) => 'evidence' in row)) reads.push(rows.length);
      return rows as never;
    };
    const asked = { scan, delta: ['new'], limit: 500, now: server.clock.now() };
    return mutedInScan({ ...db, tenantId: db.tenantId, sql } as TenantConnection, asked);
  });
  const newest = ids.map((id, n) => ({ id, n })).toReversed();
  const expected = [
    ...newest.filter(({ n }) => n % 2 === 1),
    ...newest.filter(({ n }) => n % 2 === 0),
  ];
  expect(muted.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(reads).toEqual([25, 25, 10]);
});
