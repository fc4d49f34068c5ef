/**
 * Fails when prisma/schema.prisma and the tables that the migrations build are not the same, and
 * prints the SQL that would lead from the tables to the schema. Part of `npm run check`.
 *
 * It compares what Prisma knows: tables, columns, keys, plain indexes and enums of the schemas that
 * schema.prisma lists. Partitions, policies, functions, triggers, checks, grants, and partial and
 * expression indexes stand in the migrations alone, and tests of their own assert them.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startTemporary } from '../server/database/embedded-temporary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const noDifference = 0;
const someDifference = 2;

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main(): Promise<void> {
  try {
    const difference = await schemaDifference();
    if (difference === null) return;
    console.error('prisma/schema.prisma is not what the migrations build. It would take this:\n');
    console.error(difference);
    console.error('Change one or the other; `npm run db:migrate -- --name …` makes the migration.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exitCode = 1;
}

/**
 * The SQL that leads from the tables that the migrations build to those of the schema; null when
 * they are the same. The tables are built in a Postgres of its own, by an ordinary owner as in
 * production, so that a migration that needs a superuser fails here too.
 * @throws {Error} with Prisma's own words, when a migration fails or the schema is not valid.
 */
export async function schemaDifference({
  schema = 'prisma/schema.prisma',
  migrations = 'prisma/migrations',
} = {}): Promise<string | null> {
  const server = await startTemporary();
  try {
    const { code, stdout, stderr } = await prisma(server.ownerUrl, [
      ...['migrate', 'diff', '--script', '--exit-code'],
      ...['--from-migrations', migrations],
      ...['--to-schema', schema],
    ]);
    if (code === noDifference) return null;
    if (code === someDifference) return stdout;
    throw new Error(`prisma migrate diff failed:\n${stderr.trim()}`);
  } finally {
    await server.stop();
  }
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
    // Without the variable it asks its maker for news of a later version.
    env: { ...process.env, DATABASE_URL: databaseUrl, CHECKPOINT_DISABLE: '1' },
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
