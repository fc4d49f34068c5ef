import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD =
  "import { buildServer } from './scripts/build.mjs'; await buildServer(process.argv[1]);";

/**
 * Bundles the server into a new folder below the root, unless one is given.
 * @returns the folder
 */
export async function bundle(into?: string): Promise<string> {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = into ?? (await mkdtemp(join(ROOT, 'dist/test-')));
  const node = ['--input-type=module', '--eval', BUILD, folder];
  await promisify(execFile)(process.execPath, node, { cwd: ROOT });
  return folder;
}
