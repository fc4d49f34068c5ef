/**
 * `npm run db:migrate -- --name add_labels` writes the migration from the existing ones to prisma/schema.prisma,
 * without a developer database and without the network. With `--empty` it writes one for SQL that Prisma cannot
 * express.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { schemaDifference } from './check-drift.ts';

const usage = 'Usage: npm run db:migrate -- --name add_labels [--empty]';
const folder = new URL('../prisma/migrations/', import.meta.url);

/** Changes that lose data without a warning: Prisma treats a rename as a removal and an addition. */
const losesRows = /^\s*DROP TABLE|\bDROP COLUMN/m;

try {
  const { name, empty } = options();
  const migration = `${await nextTimestamp()}_${name}`;
  const sql = empty ? `-- ${name}\n` : await schemaDifference();
  if (sql === null) {
    throw new Error(
      'Nothing to write: the migrations build prisma/schema.prisma as it is. For SQL by hand, add --empty.',
    );
  }
  const file = new URL(`${migration}/migration.sql`, folder);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, sql, { flag: 'wx' });
  console.log(relative(process.cwd(), fileURLToPath(file)));
  console.log(empty ? '\nWrite its SQL by hand.' : reminder(sql));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function options(): { name: string; empty: boolean } {
  let values: { name?: string; empty?: boolean };
  try {
    ({ values } = parseArgs({
      options: { name: { type: 'string' }, empty: { type: 'boolean', default: false } },
    }));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
  const { name = '', empty = false } = values;
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(name)) {
    throw new Error(
      `A migration is named in lower case, digits and _, as in add_labels.\n${usage}`,
    );
  }
  return { name, empty };
}

/** Migrations are applied in the order of their names, so a new one must sort last. */
async function nextTimestamp(): Promise<string> {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const last = names.sort().at(-1) ?? '';
  if (last.slice(0, 14) >= now) {
    throw new Error(`The migration ${last} is later than the present time, ${now} UTC.`);
  }
  return now;
}

function reminder(sql: string): string {
  const loss = `
It removes a table or a column, which the version that still runs uses: that comes in a later release than
the one that does without it (docs/decisions/0024). Of a rename: add the new name, and write both.
`;
  return `${losesRows.test(sql) ? loss : ''}
Read it, and add by hand what Prisma does not know:
  - of a table of tenants: ENABLE and FORCE ROW LEVEL SECURITY and its policy
  - of a partitioned table: PARTITION BY after CREATE TABLE (…), and its default partition
  - of a list (TEXT[] and the like): NOT NULL
  - of an index on a table that was there: CONCURRENTLY IF NOT EXISTS, in a migration of its own (--empty)
  - partial and expression indexes, checks, functions and triggers
  - what the serving roles may do with it (server/platform/database/grants.ts)
Then: npm run db:client, npm run generate (it writes prisma/functions.sql), npm run check, and npm run check:migrations -- <the branch that it goes to>.`;
}
