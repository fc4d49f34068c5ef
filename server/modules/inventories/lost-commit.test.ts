import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, ndjson } from '../../../tests/kit/export-records.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { PackingBySize, PackingProcesses, storeInventory } from './index.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.close();
});

it('an inventory stays in force when the connection breaks after its commit and before the answer', async () => {
  const analyst = await Analyst.at(server);
  const { tenantId } = analyst;
  const project = await analyst.project([bucket('old')]);
  const pool = testPool(server.database.appUrl, { maxConnections: 2 });
  let isConfirmed = false;
  class LosingAnswer extends TenantDatabase {
    override async write<T>(...args: Parameters<TenantDatabase['write']>): Promise<T> {
      const written = await super.write(...args);
      if (isConfirmed) {
        isConfirmed = false;
        throw new Error('Connection terminated unexpectedly');
      }
      return written as T;
    }
  }
  async function* body() {
    yield Buffer.from(ndjson([bucket('new')]));
  }
  const source = { body: body(), format: 'ndjson' as const, maxBytes: 1024 ** 2 };
  const stored = storeInventory(
    new LosingAnswer(pool),
    {
      tenantId,
      project: { name: project },
      createdAt: server.clock.now(),
      pack: (seed) => new PackingBySize(source, seed, new PackingProcesses()),
      bytes: () => 0,
      confirm: async () => {
        isConfirmed = true;
      },
    },
    { kept: 2 },
  );
  await expect(stored).rejects.toThrow('Connection terminated');
  const { items } = await analyst.ask(200, `/projects/${project}/assets`);
  expect(items).toMatchObject([{ name: bucket('new').name }]);
  await pool.end();
});
