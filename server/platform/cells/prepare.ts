import type pg from 'pg';
import { connect, migrate } from '../database/migrate.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../database/unavailable.ts';
import { type Cell, HOME } from './cell-config.ts';
import { installGuards, isGuardedAsHome } from './guards.ts';
import { requireSeparateDatabases } from './separate-databases.ts';

interface PrepareOptions {
  /** Receives a line for the operator. */
  readonly say?: (line: string) => void;
  /** All cells of the configuration, also those that are not prepared. Default: those that are. */
  readonly known?: readonly Cell[];
}

/**
 * Migrates the databases of cells and installs their guards. Repeatable.
 * @throws {Error} when a tenant is on a cell that is not configured: this process would not find its rows. When two
 * names stand for one database.
 */
export async function prepareCells(
  ownerUrl: string,
  cells: readonly Cell[],
  { say, known = cells }: PrepareOptions = {},
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
    await requireKnownPlacements(client, known);
    if (known.length > 0 || (await isGuardedAsHome(client))) await guarded(client, 'home');
  });
  for (const other of others) await connected(other, (client) => guarded(client, 'cell'));
}

/**
 * The cells whose databases answer to all roles, or refuse a connection for a reason that is a fault of the configuration.
 * The roles may connect through different poolers.
 */
export async function reachableCells(cells: readonly Cell[]): Promise<readonly Cell[]> {
  const reachable = await Promise.all(
    cells.map(async (cell) => {
      const urls = new Set([cell.ownerUrl, cell.appUrl, cell.workerUrl]);
      const answers = await Promise.all([...urls].map((url) => isAnswering(cell, url)));
      return answers.every((answer) => answer);
    }),
  );
  return cells.filter((_cell, at) => reachable[at]);
}

async function isAnswering(cell: Cell, url: string): Promise<boolean> {
  try {
    await connected({ setting: settingOf(cell, 'url'), url }, async () => null);
    return true;
  } catch (error) {
    return !isUnreachable(error);
  }
}

/** A refused role (28) or a database that does not exist (3D) does not become right by itself. */
function isUnreachable(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !/^(28|3D)/.test(sqlStateOf(error));
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
