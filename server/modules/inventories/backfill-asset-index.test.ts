import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { createLogger } from '../../platform/logger.ts';
import { backfillAssetIndex } from './index.ts';

let server: TestServer;
let analyst: Analyst;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
  pool = testPool(server.database.workerUrl, { maxConnections: 6 });
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

function backfill(isStopping = () => false): Promise<void> {
  const log = createLogger('silent');
  return backfillAssetIndex({ pool, tenants: new TenantDatabase(pool), log }, isStopping);
}

const RECORDS = [
  cluster('one'),
  bucket('two'),
  { ...bucket('three'), resource: { location: 'EU', data: {} } },
  bucket('four'),
  bucket('five'),
];

/** A project with an inventory as a release without the index left it. */
async function projectOfEarlierRelease(): Promise<string> {
  const project = await analyst.project(RECORDS);
  await cutSmall(server.services.tenants, analyst, project, 2);
  await rowsOf(server.database, analyst.tenantId, 'DELETE FROM inventory_assets');
  await rowsOf(server.database, analyst.tenantId, 'UPDATE inventories SET indexed_at = NULL');
  return project;
}

const assets = async (project: string) =>
  (await analyst.ask(200, `/projects/${project}/assets`)).items;

it('assets of an inventory of an earlier release are answered 503 until it is indexed', async () => {
  const project = await projectOfEarlierRelease();
  const reply = await analyst.call(`/projects/${project}/assets`);
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('60');
  await backfill();
  expect(await assets(project)).toHaveLength(RECORDS.length);
});

it('indexing an earlier inventory gives the index that the upload would have written, even with several workers', async () => {
  const uploaded = await assets(await analyst.project(RECORDS));
  const project = await projectOfEarlierRelease();
  await Promise.all([backfill(), backfill(), backfill()]);
  expect(await assets(project)).toEqual(uploaded);
  const name = encodeURIComponent(cluster('one').name);
  const { asset } = await analyst.ask(200, `/projects/${project}/assets/lookup?name=${name}`);
  expect(asset).toEqual(cluster('one'));
});

it('indexing an earlier inventory continues after it was stopped at any chunk', async () => {
  const project = await projectOfEarlierRelease();
  for (let steps = 1; steps <= 8; steps += 1) {
    let asked = 0;
    await backfill(() => {
      asked += 1;
      return asked > steps;
    });
  }
  expect(await assets(project)).toHaveLength(RECORDS.length);
});
