import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/**
 * Marks the database of a connection until the connection ends, by an advisory lock with a random name. These locks are
 * per database, so marks show whether two connections lead to one database: different URLs can name one database, and
 * copies of a database have the same identifiers.
 */
export async function markDatabase(client: pg.ClientBase): Promise<string> {
  const mark = randomUUID();
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [mark]);
  return mark;
}

/** Whether the database of this connection has the mark that another connection has set. */
export async function hasMark(client: pg.ClientBase, mark: string): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free',
    [mark],
  );
  return rows[0]?.free === false;
}
