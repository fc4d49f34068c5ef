import type pg from 'pg';

/** The settings of a session of the pool that the server relies on, in the units of Postgres. */
export async function sessionSettings(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('TimeZone', 'jit', 'statement_timeout', 'idle_in_transaction_session_timeout')`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}
