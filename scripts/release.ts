/**
 * `npm run release -- <version>` makes a release in the working tree, up to the commit; RELEASING.md describes it.
 * `npm run release -- --record-only` writes the record of the present version only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordRows } from '../tests/upgrade/recorded.ts';
import { today as presentServer } from '../tests/upgrade/release.ts';
import { startStages } from '../tests/upgrade/stages.ts';
import { release } from '../tools/release/command.ts';
import { packTarballs } from '../tools/release/pack.ts';
import { presentVersion } from '../tools/release/packages.ts';
import { newestRecord } from '../tools/release/record.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await release(process.argv.slice(2), {
  root: ROOT,
  today: new Date().toISOString().slice(0, 10),
  steps: {
    generate: () => npmRun('generate'),
    check: () => npmRun('check'),
    checkBreaking: async () => {
      const { folder } = await newestRecord(ROOT, await presentVersion(ROOT));
      await npmRun('check:breaking', join(folder, 'openapi.json'));
    },
    rows,
    pack: async () => (await packTarballs(ROOT)).map((file) => relative(ROOT, file)),
  },
  print: console.log,
  printError: console.error,
});

async function npmRun(script: string, ...args: string[]): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, ['run', '--silent', script, '--', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm run ${script} failed. Its output says why.`);
}

/** Starts the present server on an empty database, and records the rows that it writes. */
async function rows(): Promise<string> {
  const stages = await startStages(console.log);
  try {
    const server = await presentServer(join(stages.folder, 'present'));
    return await recordRows(server, await stages.stage('recording'));
  } finally {
    await stages.stop();
  }
}
