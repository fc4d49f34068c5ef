import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Sees to it that the packages of a folder with a lock file of its own are installed. Heavy tools that few need live in
 * such folders, so that everybody else's `npm ci` stays quick.
 * @throws {Error} in npm's own words, where they cannot be had.
 */
export async function installed(folder) {
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const mark = join(folder, 'node_modules/.installed-lock.json');
  if ((await readFile(mark, 'utf8').catch(() => '')) === lock) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['ci', '--no-audit', '--no-fund'], { cwd: folder }).catch((error) => {
    throw new Error(`The packages of ${folder} cannot be installed:\n${error.stderr}`);
  });
  await writeFile(mark, lock);
}
