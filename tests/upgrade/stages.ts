import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startTemporary } from '../../server/development/embedded-temporary.ts';
import { databaseAt } from '../kit/database.ts';
import { ROOT } from './release.ts';
import type { Stage } from './side-by-side.ts';

/** A Postgres and folders for the tested servers; `stop` removes all of it. */
export interface Stages {
  /** Below the root of the repository, so bundles find their packages. */
  readonly folder: string;
  readonly scratch: string;
  /** A separate, empty database. */
  stage(name: string): Promise<Stage>;
  stop(): Promise<void>;
}

export async function startStages(say: (line: string) => void): Promise<Stages> {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'dist/upgrade-'));
  const scratch = await mkdtemp(join(tmpdir(), 'cspm-upgrade-'));
  const postgres = await startTemporary();
  return {
    folder,
    scratch,
    stage: async (name) => {
      const owner = new pg.Client({ connectionString: postgres.ownerUrl });
      await owner.connect();
      await owner.query(`CREATE DATABASE upgrade_${name}`).finally(() => owner.end());
      const urls = databaseAt(postgres, `upgrade_${name}`);
      return { urls, dataDir: join(scratch, name), say };
    },
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
