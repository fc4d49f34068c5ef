/**
 * The Postgres side of the schema engine (../schema-engine.mjs): its driver adapter, shadow databases, and the few
 * statements that are sent outside of it.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';

/**
 * @typedef {import('@prisma/driver-adapter-utils').SqlDriverAdapter} SqlDriverAdapter
 * @typedef {import('@prisma/driver-adapter-utils').SqlMigrationAwareDriverAdapterFactory} AdapterFactory
 *
 * @typedef {{ url?: string, shadowDatabaseUrl?: string }} Datasource as in `prisma.config.ts`
 * @typedef {{ error: pg.DatabaseError, script: string }} ScriptFailure
 */

/** PostgreSQL's internal type `"char"`, which its catalogues use and `@prisma/adapter-pg` refuses. */
const charOid = 18;
const textOid = 25;

/** How long an interrupted run may take to drop its shadow databases. */
const interruptedCleanupMs = 3000;

/**
 * The shadow databases that exist now, each with the URL of its server.
 *
 * @type {Map<string, string>}
 */
const shadowDatabases = new Map();

/**
 * The last error of a script in this request: the engine passes on little more than its code.
 *
 * @type {ScriptFailure | null}
 */
let lastFailure = null;

export function scriptFailure() {
  return lastFailure;
}

export function forgetScriptFailure() {
  lastFailure = null;
}

// The driver adapter: `@prisma/adapter-pg` with fixes

/**
 * @param {Datasource} datasource
 * @returns {AdapterFactory}
 */
export function adapterFactory(datasource) {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(urlOf(datasource)),
    connectToShadowDb: () => connectToShadowDatabase(datasource),
  };
}

/**
 * @param {string} url
 * @returns {Promise<SqlDriverAdapter>}
 */
async function connect(url) {
  const schema = new URL(url).searchParams.get('schema');
  const factory = new PrismaPg(
    {
      connectionString: url,
      // A single connection, since the engine holds an advisory lock in its session.
      max: 1,
      idleTimeoutMillis: 0,
      // The adapter treats times as UTC, whatever the time zone of the session.
      onConnect: async (client) => void (await client.query("SET TIME ZONE 'UTC'")),
    },
    schema === null ? {} : { schema },
  );
  const adapter = await factory.connect();
  const pool = adapter.underlyingDriver();

  // The adapter splits a script at every ';', even inside function bodies.
  adapter.executeScript = async (script) => {
    try {
      await pool.query(script);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      lastFailure = { error, script };
      throw adapterError(error);
    }
  };

  // A column of type `"char"` is presented to the adapter as text, and to the engine with its real type. The adapter's
  // stand-in limits the remembered columns to one query.
  const { queryRaw } = adapter;
  adapter.queryRaw = async (query) => {
    /** @type {number[]} */
    const charColumns = [];
    const client = {
      /** @param {pg.QueryArrayConfig} config */
      async query(config) {
        const result = await pool.query(config);
        for (const [index, field] of result.fields.entries()) {
          if (field.dataTypeID !== charOid) continue;
          field.dataTypeID = textOid;
          charColumns.push(index);
        }
        return result;
      },
    };
    const standIn = Object.create(adapter, { client: { value: client } });
    const result = await queryRaw.call(standIn, query);
    for (const index of charColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}

/**
 * A new database, dropped when the engine is done with it. A `shadowDatabaseUrl` says on which
 * server and as which role; the database it names is left alone (the native engine empties it).
 *
 * @param {Datasource} datasource
 * @returns {Promise<SqlDriverAdapter>}
 */
async function connectToShadowDatabase(datasource) {
  const server = datasource.shadowDatabaseUrl ?? urlOf(datasource);
  const name = `prisma_migrate_shadow_db_${globalThis.crypto.randomUUID()}`;
  const create = `CREATE DATABASE ${pg.escapeIdentifier(name)}`;
  await execute(server, create).catch((/** @type {unknown} */ error) => {
    throw error instanceof pg.DatabaseError ? adapterError(error) : error;
  });
  shadowDatabases.set(name, server);

  const adapter = await connect(urlOfDatabase(server, name));
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    // Close the adapter first, because its connection would prevent dropping the database.
    await dispose();
    await dropShadowDatabase(name, server);
  };
  return adapter;
}

/**
 * @param {string} name
 * @param {string} server
 */
async function dropShadowDatabase(name, server) {
  await execute(server, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  shadowDatabases.delete(name);
}

/** Drops the shadow databases of an interrupted run. */
export async function abandon() {
  const drops = [...shadowDatabases].map(([name, server]) => dropShadowDatabase(name, server));
  const timeout = new Promise((resolve) => setTimeout(resolve, interruptedCleanupMs));
  await Promise.race([Promise.allSettled(drops), timeout]);
}

/** @param {pg.DatabaseError} error */
function adapterError({ code = 'N/A', severity = 'ERROR', message, detail, column, hint }) {
  return new DriverAdapterError({
    kind: 'postgres',
    originalCode: code,
    originalMessage: message,
    ...{ code, severity, message, detail, column, hint },
  });
}

// Statements outside of the engine, which is bound to one database that exists

/** @param {string} url */
export async function canConnect(url) {
  await execute(url, 'SELECT 1');
}

/** @param {string} url */
export async function createDatabase(url) {
  const name = pg.escapeIdentifier(databaseOf(url));
  await execute(urlOfDatabase(url, 'postgres'), `CREATE DATABASE ${name}`);
}

/**
 * @param {string} url
 * @param {string} sql
 */
async function execute(url, sql) {
  const client = new pg.Client({ connectionString: url });
  // The query reports a broken connection; without a listener, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * @param {Datasource} datasource
 * @returns {string}
 */
export function urlOf({ url }) {
  if (!url) throw new Error('There is no database to connect to. Set DATABASE_URL.');
  return url;
}

/** @param {string} url */
export function databaseOf(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/**
 * @param {string} url
 * @param {string} database
 */
function urlOfDatabase(url, database) {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
