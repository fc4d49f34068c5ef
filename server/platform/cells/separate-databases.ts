import type pg from 'pg';
import { hasMark, markDatabase } from '../database/marks.ts';
import { connect } from '../database/migrate.ts';

/** The owner's URL of a database, and the setting that holds it. */
interface NamedDatabase {
  readonly setting: string;
  readonly url: string;
}

/** @throws {Error} when two of the URLs name one database. */
export async function requireSeparateDatabases(databases: readonly NamedDatabase[]): Promise<void> {
  const marked: { readonly setting: string; readonly mark: string }[] = [];
  const clients: pg.Client[] = [];
  try {
    for (const { setting, url } of databases) {
      const client = await connect(url, setting);
      clients.push(client);
      for (const other of marked) {
        if (await hasMark(client, other.mark)) {
          throw new Error(
            `${setting}: is the same database as ${other.setting}; each cell needs a database of its own.`,
          );
        }
      }
      marked.push({ setting, mark: await markDatabase(client) });
    }
  } finally {
    for (const client of clients) await client.end();
  }
}
