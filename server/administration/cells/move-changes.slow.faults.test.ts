import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { move, OTHER, type TestCells, testCells } from '../../../tests/kit/cells.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let databases: TestCells;
let server: TestServer;

beforeAll(async () => {
  databases = await testCells();
  server = await startTestServer({ database: databases.home, cells: databases.cells });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

/** As JSON they have more characters than a string can have. */
const CHUNKS = 270;

it('a move copies what an upload of hundreds of chunks wrote meanwhile in batches of a bounded size', {
  timeout: 300_000,
}, async () => {
  const analyst = await Analyst.at(server);
  await analyst.project([cluster('one')]);
  const { tenantId } = analyst;
  const killed = move(databases, tenantId, OTHER, {}, (line) => {
    if (line.startsWith('inventory_chunks: ')) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  await rowsOf(
    databases.home,
    tenantId,
    `INSERT INTO inventory_chunks (tenant_id, inventory_id, seq, assets, data)
     SELECT tenant_id, id, 1000 + number, 1, convert_to(repeat('a', 1024 * 1024), 'UTF8')
     FROM inventories, generate_series(1, $1::int) number`,
    [CHUNKS],
  );
  await move(databases, tenantId, OTHER);
  const count = 'SELECT count(*)::int AS chunks FROM inventory_chunks';
  expect(await rowsOf(databases.other, tenantId, count)).toEqual([{ chunks: CHUNKS + 1 }]);
  expect(await rowsOf(databases.home, tenantId, count)).toEqual([{ chunks: 0 }]);
});
