import { readFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * Makes a database accept clocks that tests move ahead; normally it refuses times of a caller that are later than its
 * own. Only the owner of the function can do this, so neither the serving role nor a worker can.
 */
export async function followTestClocks(ownerUrl: string): Promise<void> {
  await asOwner(
    ownerUrl,
    `CREATE OR REPLACE FUNCTION identity.not_after_now(at timestamptz) RETURNS timestamptz
     LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS 'SELECT at'`,
  );
}

const MIGRATION = new URL(
  '../../prisma/migrations/20261122050000_bounded_arguments/migration.sql',
  import.meta.url,
);

/** Reverts this: the database uses its own clock, as in production. */
export async function followOwnClock(ownerUrl: string): Promise<void> {
  const sql = await readFile(MIGRATION, 'utf8');
  const [definition] = /CREATE FUNCTION identity\.not_after_now[\s\S]*?\n\$\$;/.exec(sql) ?? [];
  if (definition === undefined) throw new Error('The migration does not define not_after_now');
  await asOwner(ownerUrl, definition.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
}

async function asOwner(ownerUrl: string, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(statement);
  } finally {
    await owner.end();
  }
}
