/**
 * Fails when prisma/schema.prisma and the tables that the migrations build differ, and prints the SQL that would change
 * the tables to match the schema; and when prisma/functions.sql is outdated. Part of `npm run check`.
 *
 * The schema contains what Prisma knows: tables, columns, keys, plain indexes and enums of the listed schemas.
 * functions.sql contains functions, views, triggers and policies. Partitions, checks, grants, and partial and
 * expression indexes are in the migrations only; separate tests cover them.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startTemporary } from '../server/development/embedded-temporary.ts';
import { dumpDatabaseFunctions, FUNCTIONS_FILE } from '../tools/generate/database-functions.ts';
import { staleFiles } from '../tools/generate/files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const noDifference = 0;
const someDifference = 2;

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main(): Promise<void> {
  try {
    const server = await startTemporary();
    try {
      const [difference, functions] = await Promise.all([
        differenceOn(server.ownerUrl),
        dumpDatabaseFunctions(server),
      ]);
      if (difference !== null) {
        console.error(
          'prisma/schema.prisma differs from the schema that the migrations build. The difference is:\n',
        );
        console.error(difference);
        console.error(
          'Change one or the other; `npm run db:migrate -- --name …` makes the migration.',
        );
        process.exitCode = 1;
      }
      if ((await staleFiles(root, { [FUNCTIONS_FILE]: functions })).length > 0) {
        console.error(
          `${FUNCTIONS_FILE} differs from the functions that the migrations build. Run \`npm run generate\` and commit the file.`,
        );
        process.exitCode = 1;
      }
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

interface Inputs {
  readonly schema?: string;
  readonly migrations?: string;
}

/**
 * The SQL that changes the tables that the migrations build to match the schema; null when they are the same. The
 * tables are built in a separate Postgres, by an ordinary owner as in production, so a migration that needs a superuser
 * fails here too.
 * @throws {Error} with Prisma's own message, when a migration fails or the schema is not valid.
 */
export async function schemaDifference(inputs: Inputs = {}): Promise<string | null> {
  const server = await startTemporary();
  try {
    return await differenceOn(server.ownerUrl, inputs);
  } finally {
    await server.stop();
  }
}

async function differenceOn(
  ownerUrl: string,
  { schema = 'prisma/schema.prisma', migrations = 'prisma/migrations' }: Inputs = {},
): Promise<string | null> {
  const { code, stdout, stderr } = await prisma(ownerUrl, [
    ...['migrate', 'diff', '--script', '--exit-code'],
    ...['--from-migrations', migrations],
    ...['--to-schema', schema],
  ]);
  if (code === noDifference) return null;
  if (code === someDifference) return stdout;
  throw new Error(`prisma migrate diff failed:\n${stderr.trim()}`);
}

async function prisma(
  databaseUrl: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const packageJson = createRequire(import.meta.url).resolve('prisma/package.json');
  const cli = join(dirname(packageJson), 'build/index.js');
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      // The check has to work with access to npm only.
      SCHEMA_ENGINE: 'wasm',
      // Disables Prisma's check for new versions.
      CHECKPOINT_DISABLE: '1',
    },
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
