import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { TestDatabase } from './database.ts';

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

/** A clock of a database that a test can set, for the queue and its heartbeats only. */
export interface SteppedClock {
  /** For the worker's role. Statements of its sessions read this clock. */
  readonly workerUrl: string;
  step(seconds: number): Promise<void>;
  /** How many jobs are due by this clock. */
  dueJobs(): Promise<number>;
}

export async function steppedClock({ owner, workerUrl }: TestDatabase): Promise<SteppedClock> {
  const url = new URL(workerUrl);
  url.searchParams.set('options', '-c search_path=test_clock,pg_catalog,public');
  await owner.query(`
    CREATE SCHEMA test_clock;
    GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
    CREATE TABLE test_clock.step AS SELECT interval '0' AS by;
    GRANT SELECT ON test_clock.step TO PUBLIC;
    CREATE FUNCTION test_clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
      'SELECT pg_catalog.now() + by FROM test_clock.step';
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
      'SELECT pg_catalog.clock_timestamp() + by FROM test_clock.step';
    ALTER FUNCTION jobs.beat(text[], timestamptz) SET search_path = test_clock, pg_catalog, pg_temp;
    ALTER FUNCTION jobs.release_dead(timestamptz) SET search_path = test_clock, pg_catalog, pg_temp`);
  return {
    workerUrl: url.href,
    step: async (seconds) => {
      await owner.query('UPDATE test_clock.step SET by = make_interval(secs => $1)', [seconds]);
    },
    dueJobs: async () => {
      const { rows } = await owner.query<{ due: number }>(
        'SELECT count(*)::int AS due FROM graphile_worker._private_jobs WHERE is_available AND run_at <= test_clock.now()',
      );
      return rows[0]?.due ?? 0;
    },
  };
}
