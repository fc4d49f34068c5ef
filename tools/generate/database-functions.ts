import pg from 'pg';
import { migrate } from '../../server/platform/database/migrate.ts';

/** Where the dump is committed. */
export const FUNCTIONS_FILE = 'prisma/functions.sql';

const HEADER = `-- Functions, views, triggers and row-level-security policies as the migrations leave them.
-- Generated from prisma/migrations by \`npm run generate\`. Do not edit: change a function in a new migration.
`;

/** The name of the database that the dump is taken from. */
const DATABASE = 'functions_dump';

interface PostgresServer {
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly workerUrl: string;
}

/**
 * Migrates a new database of the server and dumps what prisma/schema.prisma cannot express. The owner must be allowed
 * to create databases.
 */
export async function dumpDatabaseFunctions(server: PostgresServer): Promise<string> {
  await query(server.ownerUrl, `CREATE DATABASE ${DATABASE}`);
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
  const database = {
    ownerUrl: at(server.ownerUrl),
    appUrl: at(server.appUrl),
    workerUrl: at(server.workerUrl),
  };
  await migrate(database);
  const definitions = await query<{ schema: string; definition: string }>(
    database.ownerUrl,
    DEFINITIONS,
  );
  const lines = [HEADER];
  let heading = '';
  for (const { schema, definition } of definitions) {
    if (schema !== heading) lines.push(`\n-- Schema ${schema}\n`);
    heading = schema;
    lines.push(`${definition.trimEnd()};\n`);
  }
  return lines.join('\n');
}

/**
 * One statement per object, in a stable order: by schema, then functions, views, triggers and policies by name.
 * Excludes the tables of the queue, which belong to its package, and monthly partitions, which change over time.
 */
const DEFINITIONS = `
  WITH ours AS (
    SELECT oid AS namespace, nspname AS schema FROM pg_namespace
    WHERE nspname IN ('public', 'identity', 'jobs', 'partitions', 'cells')
  ), definitions AS (
    SELECT schema, 1 AS kind, proname::text AS name, pg_get_function_identity_arguments(p.oid) AS detail,
      pg_get_functiondef(p.oid) AS definition
    FROM pg_proc p JOIN ours ON namespace = pronamespace
    WHERE prokind IN ('f', 'p')
    UNION ALL
    SELECT schema, 2, relname::text, '',
      format(E'CREATE VIEW %I.%I AS\\n%s', schema, relname, rtrim(pg_get_viewdef(c.oid), ';'))
    FROM pg_class c JOIN ours ON namespace = relnamespace
    WHERE relkind = 'v'
    UNION ALL
    SELECT schema, 3, relname::text, tgname::text, pg_get_triggerdef(t.oid, true)
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid JOIN ours ON namespace = relnamespace
    WHERE NOT tgisinternal AND NOT relispartition
    UNION ALL
    SELECT schema, 4, relname::text, '',
      concat_ws(E';\\n',
        format('ALTER TABLE %I.%I ENABLE ROW LEVEL SECURITY', schema, relname),
        CASE WHEN relforcerowsecurity THEN format('ALTER TABLE %I.%I FORCE ROW LEVEL SECURITY', schema, relname) END)
    FROM pg_class c JOIN ours ON namespace = relnamespace
    WHERE relrowsecurity AND NOT relispartition
    UNION ALL
    SELECT schema, 4, tablename::text, policyname::text,
      concat_ws(E'\\n  ',
        format('CREATE POLICY %I ON %I.%I AS %s FOR %s TO %s', policyname, schema, tablename, permissive, cmd,
          array_to_string(roles, ', ')),
        CASE WHEN qual IS NOT NULL THEN format('USING (%s)', qual) END,
        CASE WHEN with_check IS NOT NULL THEN format('WITH CHECK (%s)', with_check) END)
    FROM pg_policies JOIN ours ON schema = schemaname
  )
  SELECT schema, definition FROM definitions
  ORDER BY schema COLLATE "C", kind, name COLLATE "C", detail COLLATE "C"`;

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
