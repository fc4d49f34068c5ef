/**
 * `npm run test:upgrade` tests an upgrade under load:
 * 1. the present server on the tables and rows of the last release (release/<version>), after it migrated them;
 * 2. the server of the last release beside the present one, where this clone has the commit of that release;
 * 3. the present server while the migrations of a later release are applied.
 * With a ref (`-- v1.2.0`) that ref takes the place of the last release in 2. No request may fail.
 */
import { join } from 'node:path';
import { onRecordedRows } from '../tests/upgrade/recorded.ts';
import { commitOf } from '../tests/upgrade/recorded-commit.ts';
import { ROOT, releaseAt, removeWorktree, today } from '../tests/upgrade/release.ts';
import { afterAnEarlierRelease, beforeALaterRelease } from '../tests/upgrade/side-by-side.ts';
import { startStages } from '../tests/upgrade/stages.ts';
import { newestRecord } from '../tools/release/record.ts';

const [given = '--since-release', ...more] = process.argv.slice(2);
if (more.length > 0 || (given.startsWith('-') && given !== '--since-release')) {
  console.error('Usage: npm run test:upgrade [-- <a tag, a branch or a commit> | --since-release]');
  process.exit(2);
}

try {
  await testUpgrade();
  console.log('Nothing failed.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function testUpgrade(): Promise<void> {
  const record = await newestRecord(ROOT);
  const stages = await startStages(console.log);
  const worktree = join(stages.scratch, 'before');
  try {
    const now = await today(join(stages.folder, 'today'));
    console.log(`The present server on the tables and rows of ${record.version}:`);
    await onRecordedRows(record, now, await stages.stage('recorded'));

    const ref = given === '--since-release' ? await commitOf(ROOT, record.version) : given;
    if (ref === null) {
      console.log(
        `This clone has no commit of ${record.version}, so its server did not run beside the present one. In a shallow clone, fetch it: git fetch --unshallow --tags`,
      );
    } else {
      console.log(`The server of ${ref} beside the present one, which takes over:`);
      const before = await releaseAt(ref, worktree);
      await afterAnEarlierRelease(before, now, await stages.stage('earlier'));
    }
    console.log('The present server beside the migrations of a later release:');
    await beforeALaterRelease(now, stages.folder, await stages.stage('later'));
  } finally {
    await removeWorktree(worktree);
    await stages.stop();
  }
}
