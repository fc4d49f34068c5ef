import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { backfillAssetIndex, findStoredAsset } from './index.ts';

/** More than one statement may delete, and no multiple of it. */
const ASSETS = 34_567;

let server: TestServer;
let pool: pg.Pool;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  const { owner } = server.database;
  await owner.query(
    `CREATE FUNCTION public.refuse_large_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT count(*) FROM deleted) > 10000 THEN RAISE EXCEPTION 'too many rows at once'; END IF;
       RETURN NULL;
     END $$`,
  );
  await owner.query(
    `CREATE TRIGGER refuse_large_deletion AFTER DELETE ON public.inventory_assets
     REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_large_deletion()`,
  );
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

const rows = <R extends object>(text: string) =>
  rowsOf(server.database, analyst.tenantId, text) as Promise<R[]>;

/** Adds assets to the index of the inventory in force, as that of a large inventory has. */
async function grow(project: string): Promise<string> {
  const { inventory } = await analyst.ask(200, `/projects/${project}`);
  await rows(
    `INSERT INTO inventory_assets (tenant_id, inventory_id, name, type, location, seq, line)
     SELECT tenant_id, id, '//x/' || n, 'x/T', 'eu', 0, n FROM inventories, generate_series(1, ${ASSETS}) n
     WHERE id = '${inventory.id}'`,
  );
  return inventory.id;
}

const indexed = async (inventoryId: string) =>
  (await rows(`SELECT name FROM inventory_assets WHERE inventory_id = '${inventoryId}'`)).length;

describe('the index of a large inventory', () => {
  it('a large inventory is replaced without a transaction that deletes all of its index', async () => {
    const project = await analyst.project([bucket('old')]);
    const large = await grow(project);
    await analyst.upload(project, [bucket('new')]);
    expect(await indexed(large)).toBe(0);
    const { items } = await analyst.ask(200, `/projects/${project}/assets`);
    expect(items).toMatchObject([{ name: bucket('new').name }]);
  });

  it('a large inventory is deleted with its project, and the nightly task deletes what is left of its index', async () => {
    const project = await analyst.project([bucket('old')]);
    const large = await grow(project);
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    expect(await indexed(large)).toBeGreaterThan(0);
    await retentionOf(server, pool)();
    expect(await indexed(large)).toBe(0);
  });

  it('the nightly task deletes the indexes of large inventories beyond the number to keep', async () => {
    const project = await analyst.project([bucket('old')]);
    const large = await grow(project);
    await analyst.scan(project);
    const before = new Date(server.clock.now().getTime() - 60_000).toISOString();
    for (const name of ['one', 'two', 'three']) await analyst.upload(project, [bucket(name)]);
    await rows(`UPDATE inventories SET created_at = '${before}' WHERE id = '${large}'`);
    await retentionOf(server, pool)();
    expect(await rows(`SELECT id FROM inventories WHERE id = '${large}'`)).toEqual([]);
    expect(await indexed(large)).toBe(0);
  });

  it('an index that was dropped is not read while its rows are left', async () => {
    const project = await analyst.project([bucket('one')]);
    const { id } = (await analyst.ask(200, `/projects/${project}`)).inventory;
    const { tenantId } = analyst;
    const { name } = bucket('one');
    const type = 'storage.googleapis.com/Bucket';
    const found = () =>
      server.services.tenants.read(tenantId, (db) => findStoredAsset(db, id, { name, type }));
    expect(await found()).toContain(name);
    await rows(`UPDATE inventories SET indexed_at = NULL WHERE id = '${id}'`);
    expect(await indexed(id)).toBe(1);
    expect(await found()).toBe(null);
  });

  it('the nightly task keeps the indexes of inventories in force, of the last scan, and of those that are being received', async () => {
    const scanned = await analyst.project([bucket('scanned')]);
    await analyst.scan(scanned);
    const first = (await analyst.ask(200, `/projects/${scanned}`)).inventory.id;
    await analyst.upload(scanned, [bucket('in-force')]);
    const inForce = (await analyst.ask(200, `/projects/${scanned}`)).inventory.id;
    const earlier = await analyst.project([bucket('earlier-release')]);
    const unmarked = (await analyst.ask(200, `/projects/${earlier}`)).inventory.id;
    await rows(`UPDATE inventories SET indexed_at = NULL WHERE id = '${unmarked}'`);
    const receiving = newId();
    await rows(
      `INSERT INTO inventories (tenant_id, id, project_id, status, assets, asset_types, bytes, warnings, created_at)
       SELECT tenant_id, '${receiving}', id, 'receiving', 0, '[]', 0, '[]', '${server.clock.now().toISOString()}'
       FROM projects WHERE name = '${earlier}'`,
    );
    await rows(
      `INSERT INTO inventory_assets (tenant_id, inventory_id, name, type, seq, line)
       SELECT tenant_id, '${receiving}', name, type, seq, line FROM inventory_assets WHERE inventory_id = '${unmarked}'`,
    );
    await retentionOf(server, pool)();
    for (const id of [first, inForce, unmarked, receiving]) expect(await indexed(id)).toBe(1);
  });
});

it('an inventory that is replaced while its assets are indexed does not count as indexed', async () => {
  const project = await analyst.project([bucket('old')]);
  const { id } = (await analyst.ask(200, `/projects/${project}`)).inventory;
  await rows('UPDATE inventories SET indexed_at = NULL');
  class Replaced extends TenantDatabase {
    #isReplaced = false;

    override async write<T>(...args: Parameters<TenantDatabase['write']>): Promise<T> {
      const written = await super.write(...args);
      if (args[0] === analyst.tenantId && !this.#isReplaced) {
        this.#isReplaced = true;
        await analyst.upload(project, [bucket('new')]);
      }
      return written as T;
    }
  }
  const services = { pool, tenants: new Replaced(pool), log: createLogger('silent') };
  await backfillAssetIndex(services, () => false);
  expect(await rows(`SELECT indexed_at FROM inventories WHERE id = '${id}'`)).toEqual([
    { indexed_at: null },
  ]);
});
