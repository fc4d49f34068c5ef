import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connect } from '../database/migrate.ts';

/** The owner's URL of a database, and the setting that holds it. */
interface NamedDatabase {
  readonly setting: string;
  readonly url: string;
}

const HOLD = 'SELECT pg_advisory_lock(hashtextextended($1, 0))';
const TRY = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free';

/**
 * Compares databases by advisory locks, which are per database: different URLs can name one database, and copies of a
 * database have the same identifiers.
 * @throws {Error} when two of the URLs name one database.
 */
export async function requireSeparateDatabases(databases: readonly NamedDatabase[]): Promise<void> {
  const id = randomUUID();
  const held: { readonly client: pg.Client; readonly setting: string; readonly key: string }[] = [];
  try {
    for (const { setting, url } of databases) {
      const own = { client: await connect(url, setting), setting, key: `${id} ${setting}` };
      held.push(own);
      for (const other of held.slice(0, -1)) {
        const { rows } = await own.client.query<{ free: boolean }>(TRY, [other.key]);
        if (rows[0]?.free !== true) {
          throw new Error(
            `${setting}: is the same database as ${other.setting}; each cell needs a database of its own.`,
          );
        }
      }
      await own.client.query(HOLD, [own.key]);
    }
  } finally {
    for (const { client } of held) await client.end();
  }
}
