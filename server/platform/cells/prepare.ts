import pg from 'pg';
import { migrate } from '../database/migrate.ts';
import { primaryUrl } from '../database/primary.ts';
import type { Cell } from './cell-config.ts';
import { installGuards } from './guards.ts';

/**
 * Migrates the databases of cells and installs their guards. Repeatable.
 * @throws {Error} when a tenant is on a cell that is not configured: this process would not find its rows.
 */
export async function prepareCells(ownerUrl: string, cells: readonly Cell[]): Promise<void> {
  for (const cell of cells) await migrate(cell);
  await connected(ownerUrl, async (client) => {
    const { rows } = await client.query<{ cell: string }>(
      'SELECT DISTINCT cell FROM cells.placements WHERE cell <> ALL ($1) ORDER BY cell',
      [['home', ...cells.map(({ name }) => name)]],
    );
    if (rows.length > 0) {
      throw new Error(
        `DATABASE_CELLS: tenants are on ${rows.map(({ cell }) => cell).join(', ')}; configure each cell that has tenants.`,
      );
    }
    if (cells.length > 0) await guarded(client, 'home');
  });
  for (const cell of cells) await connected(cell.ownerUrl, (client) => guarded(client, 'cell'));
}

/** An arbitrary advisory lock number: servers that start together install the guards one after the other. */
const GUARDS_LOCK = 7_238_114_251n;

async function guarded(client: pg.Client, where: 'home' | 'cell'): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [GUARDS_LOCK]);
  await installGuards(client, where);
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const connectionString = await primaryUrl(url);
  const client = new pg.Client({ connectionString, application_name: 'cspm cells' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
