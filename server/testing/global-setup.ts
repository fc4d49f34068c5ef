import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporary } from '../database/embedded-temporary.ts';
import { migrate } from '../database/migrate.ts';
import { type DatabaseUrls, databaseAt } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the template that each test file clones. */
    template: DatabaseUrls;
  }
}

export const TEMPLATE = 'cspm_template';

/** Starts a real Postgres for the run and makes the migrated database that test files clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporary();
  const { ownerUrl, appUrl, workerUrl } = postgres;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${TEMPLATE}`);
  await owner.end();
  const template = databaseAt({ ownerUrl, appUrl, workerUrl }, TEMPLATE);
  await migrate(template);
  project.provide('template', template);
  return () => postgres.stop();
}
