import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { isDuplicateFinding, recordFindings } from '../findings/index.ts';
import { FindingPacker, type FoundFinding } from './pack-findings.ts';

let server: TestServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startTestServer();
  pool = testPool(server.database.workerUrl);
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

const found = (index: number): FoundFinding => ({
  rule_id: 'rule',
  severity: 'high',
  title: 'Title',
  asset_name: `asset-${index}`,
  asset_type: 'type',
  subject: '',
  message: 'Message',
  evidence: '[]',
  asset_labels: '{}',
  fingerprint: String.fromCharCode(index).repeat(32),
});

it('findings that were expected to be new but exist fail the whole transaction, and are recorded by a second attempt that expects nothing', async () => {
  const analyst = await Analyst.at(server);
  const { id: projectId } = await analyst.ask(200, `/projects/${await analyst.project()}`);
  const tenants = new TenantDatabase(pool);
  const record = (indexes: readonly number[], expectNew: boolean) => {
    const at = new Date();
    const scan = { scanId: newId(), projectId, scanAt: at, now: at };
    const packs = [...new FindingPacker().packs(indexes.map(found))];
    return tenants.write(analyst.tenantId, (db) => recordFindings(db, scan, packs, { expectNew }));
  };
  expect(await record([1, 2], true)).toEqual([{ delta: 'new', severity: 'high', count: 2 }]);
  const error = await record([3, 2], true).catch((reason: unknown) => reason);
  expect(isDuplicateFinding(error)).toBe(true);
  expect(isDuplicateFinding(new Error('another'))).toBe(false);
  const again = await record([3, 2], false);
  expect(again).toContainEqual({ delta: 'new', severity: 'high', count: 1 });
  expect(again).toContainEqual({ delta: 'unchanged', severity: 'high', count: 1 });
  expect(again).toHaveLength(2);
});
