import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { newId } from '../ids.ts';
import type { Cell } from './cell-config.ts';
import { installGuards } from './guards.ts';
import { prepareCells } from './prepare.ts';

let home: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [home, other] = [await cloneDatabase(), await cloneDatabase()];
});

afterAll(async () => {
  await home.drop();
  await other.drop();
});

/** The database as a cell, by another URL. */
function cell(name: string, { ownerUrl, appUrl, workerUrl }: TestDatabase): Cell {
  const url = new URL(ownerUrl);
  url.searchParams.set('application_name', name);
  return { name, ownerUrl: url.href, appUrl, workerUrl };
}

/** The guards of a database that are those of `home` or of a cell, by table. */
async function guards({ owner }: TestDatabase, place: 'home' | 'cell'): Promise<string[]> {
  const { rows } = await owner.query<{ table: string }>(
    `SELECT tgrelid::regclass::text AS table FROM pg_trigger
     WHERE tgname = 'cell_guard' AND pg_get_triggerdef(oid) LIKE $1 ORDER BY 1`,
    [`%guard('${place}')`],
  );
  return rows.map(({ table }) => table);
}

describe('preparing the databases of cells', () => {
  it('a start with a cell that is the database of DATABASE_URL fails with the name of the setting, and creates no guard', async () => {
    await expect(prepareCells(home.ownerUrl, [cell('eu', home)])).rejects.toThrow(
      /^DATABASE_CELLS\.eu\.url: is the same database as DATABASE_URL; /,
    );
    expect(await guards(home, 'cell')).toEqual([]);
    expect(await guards(home, 'home')).toEqual([]);
  });

  it('a start with two cells that are one database fails with the names of both settings, and creates no guard', async () => {
    const cells = [cell('eu', other), cell('us', other)];
    await expect(prepareCells(home.ownerUrl, cells)).rejects.toThrow(
      /^DATABASE_CELLS\.us\.url: is the same database as DATABASE_CELLS\.eu\.url; /,
    );
    expect(await guards(other, 'cell')).toEqual([]);
  });

  it('a start with a cell that cannot be reached names the setting of that cell', async () => {
    const nobody = { ...cell('eu', other), ownerUrl: 'postgres://u:secret-word@127.0.0.1:1/x' };
    const started = prepareCells(home.ownerUrl, [nobody]);
    await expect(started).rejects.toThrow(/^DATABASE_CELLS\.eu\.url: cannot connect/);
    await expect(started).rejects.not.toThrow('secret-word');
  });

  it('a start with a serving role of a cell that cannot connect names the setting of that role', async () => {
    const refused = { ...cell('eu', other), appUrl: 'postgres://u@127.0.0.1:1/x' };
    await expect(prepareCells(home.ownerUrl, [refused])).rejects.toThrow(
      /^DATABASE_CELLS\.eu\.appUrl: cannot connect/,
    );
  });

  it('a start with a serving role of a cell in another database names the setting of that role', async () => {
    const mixed = { ...cell('eu', other), appUrl: home.appUrl };
    await expect(prepareCells(home.ownerUrl, [mixed])).rejects.toThrow(
      /^DATABASE_CELLS\.eu\.appUrl: is another database than DATABASE_CELLS\.eu\.url; /,
    );
  });
});

describe('a directory database with guards of a cell', () => {
  const damaged: TestDatabase[] = [];

  afterEach(async () => {
    for (const database of damaged.splice(0)) await database.drop();
  });

  it.each([
    ['without DATABASE_CELLS', () => []],
    ['with DATABASE_CELLS', () => [cell('eu', other)]],
  ])(
    'a start %s drops the guards of a cell from the directory database, so that audited changes work again',
    async (_how, cells) => {
      const database = await cloneDatabase();
      damaged.push(database);
      for (const place of ['home', 'cell'] as const) await installGuards(database.owner, place);
      const rightful = await guards(database, 'home');
      expect(await guards(database, 'cell')).toContain('audit_events');
      const tenant = newId();
      const audit = () =>
        rowsOf(
          database,
          tenant,
          `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
           VALUES ($1, gen_random_uuid(), now(), 'x', 'success', 'system', '', '', '{}')`,
          [tenant],
        );
      await expect(audit()).rejects.toThrow('its rows are in another database');
      await prepareCells(database.ownerUrl, cells());
      expect(await guards(database, 'cell')).toEqual([]);
      expect(await guards(database, 'home')).toEqual(rightful);
      await audit();
    },
  );
});
