import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { KEPT_AT_HOME, tenantTables } from './tables.ts';

/** The same as in migrations: a statement that waits for a table lock blocks all later ones. */
const LOCK_TIMEOUT_MS = 300;
const PAUSE_MS = 500;
const ATTEMPTS = 240;
const NO_LOCK = ['55P03', '40P01'];

/** Runs statements that lock a table, each lock for a moment. */
export async function withTableLock(
  client: pg.ClientBase,
  statements: readonly string[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const statement of statements) await client.query(statement);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      const { code } = error as { readonly code?: string };
      if (code === undefined || !NO_LOCK.includes(code) || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

type Place = 'home' | 'cell';

/** The guards of a database by table. */
async function guardsIn(client: pg.ClientBase): Promise<ReadonlyMap<string, Place>> {
  const { rows } = await client.query<{ table: string; place: Place }>(
    `SELECT c.relname AS table, split_part(encode(t.tgargs, 'escape'), '\\', 1) AS place
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = 'cell_guard' AND c.relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ table, place }) => [table, place]));
}

/** Whether a database has the guards of a directory, from a start with cells. */
export async function isGuardedAsHome(client: pg.ClientBase): Promise<boolean> {
  return [...(await guardsIn(client)).values()].includes('home');
}

/**
 * Creates the triggers that are missing by which a database refuses to write a tenant's rows that are not there. They
 * run once a statement. In the directory database, those of a cell are corrected: release 0.1.0 created them when a
 * cell named that database, and they refuse audited changes.
 */
export async function installGuards(client: pg.ClientBase, where: Place): Promise<void> {
  const guards = await guardsIn(client);
  for (const { name } of await tenantTables(client)) {
    const present = guards.get(name);
    const isWrong = where === 'home' && present === 'cell';
    if (present !== undefined && !isWrong) continue;
    const table = `public.${pg.escapeIdentifier(name)}`;
    if (where === 'cell' || !KEPT_AT_HOME.has(name)) {
      await withTableLock(client, [
        `CREATE OR REPLACE TRIGGER cell_guard BEFORE INSERT OR UPDATE OR DELETE ON ${table}
         FOR EACH STATEMENT EXECUTE FUNCTION cells.guard('${where}')`,
      ]);
    } else if (isWrong) {
      await withTableLock(client, [`DROP TRIGGER cell_guard ON ${table}`]);
    }
  }
  if (where === 'home') await installRemovalNotes(client);
}

/** Notes the removal of members for the cells that have rows about them. */
async function installRemovalNotes(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_trigger WHERE tgname = 'cell_removal' AND tgrelid = 'identity.memberships'::regclass`,
  );
  if (rows.length > 0) return;
  await withTableLock(client, [
    `CREATE OR REPLACE TRIGGER cell_removal AFTER DELETE ON identity.memberships
     FOR EACH ROW EXECUTE FUNCTION cells.note_removal()`,
  ]);
}
