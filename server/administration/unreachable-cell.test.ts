import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteTenantOf, move, OTHER, type TestCells, testCells } from '../../tests/kit/cells.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { forOperator } from '../../tests/kit/server-process.ts';
import { tablesWithRows } from '../../tests/kit/tenant-rows.ts';
import type { Cell } from '../platform/cells/cell-config.ts';
import { newId } from '../platform/ids.ts';
import { runAdmin } from './run.ts';

/** Nothing listens there. */
const NOWHERE = 'postgres://u:secret-word@127.0.0.1:1/x';
const AWAY: Cell = { name: 'away', ownerUrl: NOWHERE, appUrl: NOWHERE, workerUrl: NOWHERE };

let databases: TestCells;

beforeAll(async () => {
  databases = await testCells();
});

afterAll(() => databases.drop());

/** The databases, with a cell that does not answer. */
const withAway = () => ({ home: databases.home, cells: [AWAY, ...databases.cells] });

async function newTenant(): Promise<string> {
  const id = newId();
  await databases.home.owner.query(
    "INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, 'Twin', '{}', now())",
    [id],
  );
  return id;
}

async function place(tenantId: string, cell: string): Promise<void> {
  await databases.home.owner.query(
    'INSERT INTO cells.placements (tenant_id, cell) VALUES ($1, $2)',
    [tenantId, cell],
  );
}

const placeOf = async (tenantId: string) =>
  (
    await databases.home.owner.query('SELECT cell FROM cells.placements WHERE tenant_id = $1', [
      tenantId,
    ])
  ).rows;

describe('operator commands while a cell is unreachable', () => {
  it('admin tenant move moves tenants between the other databases', async () => {
    const tenant = await newTenant();
    await move(withAway(), tenant, OTHER);
    expect(await placeOf(tenant)).toEqual([{ cell: OTHER }]);
    await move(withAway(), tenant, 'home');
    expect(await placeOf(tenant)).toEqual([]);
  });

  it('admin tenant move to the unreachable cell names its setting, without the password, and begins no move', async () => {
    const tenant = await newTenant();
    const moved = move(withAway(), tenant, AWAY.name);
    await expect(moved).rejects.toThrow(/^DATABASE_CELLS\.away\.url: cannot connect/);
    await expect(moved).rejects.not.toThrow('secret-word');
    expect((await databases.home.owner.query('SELECT FROM cells.moves')).rowCount).toBe(0);
  });

  it('admin tenant delete changes nothing without --skip-unreachable, and says which cell does not answer', async () => {
    const tenant = await newTenant();
    const deleted = deleteTenantOf(withAway(), tenant, 'Twin');
    await expect(deleted).rejects.toThrow(
      /cells do not answer: away\. Nothing was changed\..*--skip-unreachable/,
    );
    expect(await tablesWithRows(databases.home, tenant)).toEqual(['identity.tenants']);
  });

  it('admin tenant delete with --skip-unreachable deletes a tenant of another database, and says which cell it skipped', async () => {
    const tenant = await newTenant();
    const lines = await deleteTenantOf(withAway(), tenant, 'Twin', undefined, {
      skipUnreachable: true,
    });
    expect(lines.at(-1)).toMatch(/ Deleted tenant .* Skipped: away\.$/);
    expect(await tablesWithRows(databases.home, tenant)).toEqual([]);
  });

  it('admin tenant delete with --skip-unreachable does not skip the cell of the tenant', async () => {
    const tenant = await newTenant();
    await place(tenant, AWAY.name);
    const skipUnreachable = true;
    const deleted = deleteTenantOf(withAway(), tenant, 'Twin', undefined, { skipUnreachable });
    await expect(deleted).rejects.toThrow(/^DATABASE_CELLS\.away\.url: cannot connect/);
    expect(await tablesWithRows(databases.home, tenant)).toContain('identity.tenants');
    await databases.home.owner.query('DELETE FROM cells.placements WHERE tenant_id = $1', [tenant]);
  });
});

describe('npm run admin -- migrate', () => {
  let home: TestDatabase;
  let empty: TestDatabase;

  beforeAll(async () => {
    [home, empty] = [await cloneDatabase(), await emptyDatabase()];
  });

  afterAll(async () => {
    await home.drop();
    await empty.drop();
  });

  async function migrate(...flags: string[]) {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const cells = {
      away: { url: NOWHERE },
      eu: { url: empty.ownerUrl, appUrl: empty.appUrl, workerUrl: empty.workerUrl },
    };
    const environment = { ...forOperator(home), DATABASE_CELLS: JSON.stringify(cells) };
    const code = await runAdmin(['migrate', ...flags], environment, { out, err });
    out.end();
    err.end();
    return { code, out: await text(out), err: await text(err) };
  }

  it('npm run admin -- migrate migrates the cells that answer, and fails with the setting of the one that does not', async () => {
    const { code, out, err } = await migrate();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^DATABASE_CELLS\.away\.url: cannot connect .*\n$/);
    const { rows } = await empty.owner.query(
      "SELECT FROM pg_trigger WHERE tgname = 'cell_guard' LIMIT 1",
    );
    expect(rows).toHaveLength(1);
  });

  it('npm run admin -- migrate --skip-unreachable succeeds, and warns of the cell that does not answer', async () => {
    expect(await migrate('--skip-unreachable')).toEqual({
      code: 0,
      out: 'The database is up to date.\n',
      err: 'Warning: skipped cells that do not answer: away. Servers migrate them when they do.\n',
    });
  });
});
