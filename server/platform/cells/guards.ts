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

/**
 * Creates the triggers that are missing by which a database refuses to write a tenant's rows that are not there. They
 * run once a statement.
 */
export async function installGuards(client: pg.ClientBase, where: 'home' | 'cell'): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relnamespace::regnamespace || '.' || c.relname AS name
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgname IN ('cell_guard', 'cell_removal')`,
  );
  const guarded = new Set(rows.map(({ name }) => name));
  for (const { name } of await tenantTables(client)) {
    if (guarded.has(`public.${name}`) || (where === 'home' && KEPT_AT_HOME.has(name))) continue;
    await withTableLock(client, [
      `CREATE OR REPLACE TRIGGER cell_guard BEFORE INSERT OR UPDATE OR DELETE ON public.${pg.escapeIdentifier(name)}
       FOR EACH STATEMENT EXECUTE FUNCTION cells.guard('${where}')`,
    ]);
  }
  if (where === 'home' && !guarded.has('identity.memberships')) {
    await withTableLock(client, [
      `CREATE OR REPLACE TRIGGER cell_removal AFTER DELETE ON identity.memberships
       FOR EACH ROW EXECUTE FUNCTION cells.note_removal()`,
    ]);
  }
}
