import { rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporary } from '../../server/development/embedded-temporary.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { bundle } from './bundle.ts';
import { type DatabaseUrls, databaseAt } from './database.ts';
import { followTestClocks } from './database-clock.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The name of the template database that each test file clones. */
    template: DatabaseUrls;
    /** The folder of the bundled server, with the programs that it runs in child processes. */
    programs: string;
  }
}

export const TEMPLATE = 'cspm_template';

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
  // A bundled program starts ten times as fast as its TypeScript source.
  const programs = await bundle();
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
