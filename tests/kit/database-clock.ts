import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** The functions that read the clock of the database, and the migrations that create them. */
export const CLOCK_FUNCTIONS = {
  not_after_now: '20261122050000_bounded_arguments',
  database_time: '20261126091000_session_clocks_and_ends',
} as const;

/**
 * Makes a database accept clocks that tests move ahead; normally it uses its own, or refuses times of a caller that are
 * later. Only the owner of the functions can do this, so neither the serving role nor a worker can.
 */
export async function followTestClocks(ownerUrl: string): Promise<void> {
  for (const name of Object.keys(CLOCK_FUNCTIONS)) {
    await asOwner(
      ownerUrl,
      `CREATE OR REPLACE FUNCTION identity.${name}(at timestamptz) RETURNS timestamptz
       LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS 'SELECT at'`,
    );
  }
}

/** Reverts this: the database uses its own clock, as in production. */
export async function followOwnClock(ownerUrl: string): Promise<void> {
  for (const [name, migration] of Object.entries(CLOCK_FUNCTIONS)) {
    const file = new URL(`../../prisma/migrations/${migration}/migration.sql`, import.meta.url);
    const sql = await readFile(file, 'utf8');
    const pattern = new RegExp(`CREATE FUNCTION identity\\.${name}[\\s\\S]*?\\n\\$\\$;`);
    const [definition] = pattern.exec(sql) ?? [];
    if (definition === undefined) throw new Error(`The migration does not define ${name}`);
    await asOwner(ownerUrl, definition.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
  }
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
