import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly workerUrl: string;
}

export interface TestDatabase extends DatabaseUrls {
  /** A connection as the owner of the tables, for direct access to rows. */
  readonly owner: pg.Client;
  drop(): Promise<void>;
}

/** Creates a separate migrated, empty database in a few milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  // Copying files takes a third of the time of Postgres' default, which writes the whole template to the WAL.
  return createDatabase(`TEMPLATE ${databaseIn(inject('template').ownerUrl)} STRATEGY FILE_COPY`);
}

/** An empty database, as an operator creates it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

async function createDatabase(how: string): Promise<TestDatabase> {
  const template = inject('template');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintenance = databaseAt(template, 'cspm').ownerUrl;
  await run(maintenance, `CREATE DATABASE ${name} ${how}`);
  const urls = databaseAt(template, name);
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  owner.on('error', () => undefined);
  await owner.connect();
  return {
    ...urls,
    owner,
    drop: async () => {
      await owner.end();
      // Waits for backends that are ending. FORCE would be refused, because they belong to other roles.
      await run(maintenance, `DROP DATABASE ${name}`);
    },
  };
}

/** The same roles on another database of the same server. */
export function databaseAt(urls: DatabaseUrls, name: string): DatabaseUrls {
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return { ownerUrl: at(urls.ownerUrl), appUrl: at(urls.appUrl), workerUrl: at(urls.workerUrl) };
}

function databaseIn(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
