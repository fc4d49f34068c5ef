import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { OPEN_ON_ASSETS } from './record.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it('recording a scan looks up the open findings of an asset by index, even before Postgres has statistics', async () => {
  await server.database.owner.query('ALTER TABLE findings SET (autovacuum_enabled = false)');
  const analyst = await Analyst.at(server);
  const { id: projectId } = await analyst.ask(200, `/projects/${await analyst.project()}`);
  const planted = Array.from({ length: 3_000 }, (_, index) => ({ asset: `asset-${index}` }));
  await plantFindings(server.database, analyst.tenantId, projectId, planted);
  const asked = [analyst.tenantId, projectId, newId(), ['asset-7', 'asset-8'], []];
  const plan = await server.services.tenants.read(analyst.tenantId, (db) =>
    db.sql<{ 'QUERY PLAN': string }>(
      { name: 'explain', text: `EXPLAIN (ANALYZE, TIMING OFF) ${OPEN_ON_ASSETS.text}` },
      asked,
    ),
  );
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('findings_tenant_id_asset_name_idx');
  expect(lines).not.toContain('Rows Removed by Filter');
});
