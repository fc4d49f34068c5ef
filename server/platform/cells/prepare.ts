import type pg from 'pg';
import { connect, migrate } from '../database/migrate.ts';
import { type Cell, HOME } from './cell-config.ts';
import { installGuards, isGuardedAsHome } from './guards.ts';
import { requireSeparateDatabases } from './separate-databases.ts';

/**
 * Migrates the databases of cells and installs their guards. Repeatable.
 * @param say receives a line for the operator.
 * @throws {Error} when a tenant is on a cell that is not configured: this process would not find its rows. When two
 * names stand for one database.
 */
export async function prepareCells(
  ownerUrl: string,
  cells: readonly Cell[],
  say?: (line: string) => void,
): Promise<void> {
  const home = { setting: 'DATABASE_URL', url: ownerUrl };
  const others = cells.map((cell) => ({ setting: settingOf(cell, 'url'), url: cell.ownerUrl }));
  if (cells.length > 0) await requireSeparateDatabases([home, ...others]);
  for (const cell of cells) {
    const settings = {
      owner: settingOf(cell, 'url'),
      app: settingOf(cell, 'appUrl'),
      worker: settingOf(cell, 'workerUrl'),
    };
    await migrate({ ...cell, settings, say });
  }
  await connected(home, async (client) => {
    await requireKnownPlacements(client, cells);
    if (cells.length > 0 || (await isGuardedAsHome(client))) await guarded(client, 'home');
  });
  for (const other of others) await connected(other, (client) => guarded(client, 'cell'));
}

/** @throws {Error} when a tenant is on a cell that is not configured. */
export async function requireKnownPlacements(
  client: pg.ClientBase,
  cells: readonly Cell[],
): Promise<void> {
  const { rows } = await client.query<{ cell: string }>(
    'SELECT DISTINCT cell FROM cells.placements WHERE cell <> ALL ($1) ORDER BY cell',
    [[HOME, ...cells.map(({ name }) => name)]],
  );
  if (rows.length === 0) return;
  throw new Error(
    `DATABASE_CELLS: tenants are on ${rows.map(({ cell }) => cell).join(', ')}; configure each cell that has tenants.`,
  );
}

function settingOf({ name }: Cell, member: 'url' | 'appUrl' | 'workerUrl'): string {
  return `DATABASE_CELLS.${name}.${member}`;
}

/** An arbitrary advisory lock number: servers that start together install the guards one after the other. */
const GUARDS_LOCK = 7_238_114_251n;

async function guarded(client: pg.Client, where: 'home' | 'cell'): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [GUARDS_LOCK]);
  await installGuards(client, where);
}

async function connected<T>(
  { setting, url }: { readonly setting: string; readonly url: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url, setting);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
