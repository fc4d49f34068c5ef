/**
 * `npm run test:upgrade` rehearses an upgrade under load: today's server and worker beside the migrations of a later
 * release; and with a ref (`-- v1.2.0`) the server of that ref, which today's joins and takes over from. `--since-release`
 * takes the last release for the ref, if there is one. Nothing may fail.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startTemporary } from '../server/database/embedded-temporary.ts';
import { databaseAt } from '../server/testing/database.ts';
import { Releases } from './migrations/unreleased.ts';
import { ROOT, releaseAt, removeWorktree, today } from './upgrade/release.ts';
import { afterAnEarlierRelease, beforeALaterRelease, type Stage } from './upgrade/side-by-side.ts';

const [given, ...more] = process.argv.slice(2);
if (more.length > 0) {
  console.error('Usage: npm run test:upgrade [-- <a tag, a branch or a commit> | --since-release]');
  process.exit(2);
}
const ref = given === '--since-release' ? await new Releases(ROOT).last() : (given ?? null);

await mkdir(join(ROOT, 'dist'), { recursive: true });
const folder = await mkdtemp(join(ROOT, 'dist/upgrade-'));
const scratch = await mkdtemp(join(tmpdir(), 'cspm-upgrade-'));
const worktree = join(scratch, 'before');
const postgres = await startTemporary();

try {
  const now = await today(join(folder, 'today'));
  console.log('Today’s server beside the migrations of a later release:');
  await beforeALaterRelease(now, folder, await stage('later'));
  if (ref === null) {
    console.log('No release before it was named, so none was run beside it.');
  } else {
    console.log(`The server of ${ref}, which today’s takes over from:`);
    await afterAnEarlierRelease(await releaseAt(ref, worktree), now, await stage('earlier'));
  }
  console.log('Nothing failed.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await postgres.stop();
  await removeWorktree(worktree);
  await rm(folder, { recursive: true, force: true });
  await rm(scratch, { recursive: true, force: true });
}

/** A database of its own, empty. */
async function stage(name: string): Promise<Stage> {
  const { ownerUrl } = postgres;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE upgrade_${name}`).finally(() => owner.end());
  const urls = databaseAt(postgres, `upgrade_${name}`);
  return { urls, dataDir: join(scratch, name), say: console.log };
}
