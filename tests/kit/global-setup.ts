import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporary } from '../../server/development/embedded-temporary.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { type DatabaseUrls, databaseAt } from './database.ts';
import { followTestClocks } from './database-clock.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The name of the template database that each test file clones. */
    template: DatabaseUrls;
    /** The folder of the bundled programs that the server runs in child processes. */
    programs: string;
  }
}

export const TEMPLATE = 'cspm_template';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD =
  "import { buildServer } from './scripts/build.mjs'; await buildServer(process.argv[1]);";

/** Starts a real Postgres for the run and creates the migrated database that test files clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporary({ base: await fastFolder() });
  const { ownerUrl, appUrl, workerUrl } = postgres;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${TEMPLATE}`);
  await owner.end();
  const template = databaseAt({ ownerUrl, appUrl, workerUrl }, TEMPLATE);
  await migrate(template);
  await followTestClocks(template.ownerUrl);
  project.provide('template', template);
  const programs = await bundledPrograms();
  project.provide('programs', programs);
  return async () => {
    await postgres.stop();
    await rm(programs, { recursive: true, force: true });
  };
}

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Several times what a run stores: its databases are dropped at the end of each file, and Postgres keeps 1 GiB of WAL. */
const ROOM_BYTES = 6 * 1024 ** 3;

/** Where a run stores its databases: it creates hundreds, of eleven megabytes each. */
async function fastFolder(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return room < ROOM_BYTES ? tmpdir() : MEMORY;
}

/** A bundled program starts ten times as fast as its TypeScript source. */
async function bundledPrograms(): Promise<string> {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'dist/test-'));
  const node = ['--input-type=module', '--eval', BUILD, folder];
  await promisify(execFile)(process.execPath, node, { cwd: ROOT });
  return folder;
}
