import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/**
 * Installs the packages of `requirements.txt` into `dist/venv` of the same folder, unless they are there.
 * @returns the folder of its programs
 */
export async function installedVenv(folder: string): Promise<string> {
  const lock = await readFile(join(folder, 'requirements.txt'), 'utf8');
  const venv = join(folder, 'dist/venv');
  const mark = join(venv, 'installed.txt');
  const bin = join(venv, 'bin');
  if ((await readFile(mark, 'utf8').catch(() => '')) === lock) return bin;
  await run({ command: 'python3', args: ['-m', 'venv', '--clear', venv], cwd: folder });
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  const locked = ['--require-hashes', '--only-binary', ':all:', '-r', 'requirements.txt'];
  await run({ command: join(bin, 'pip'), args: ['install', ...quiet, ...locked], cwd: folder });
  await writeFile(mark, lock);
  return bin;
}
