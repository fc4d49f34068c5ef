import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../server/testing/server-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the server reads at run time, two folders up from its bundle. */
const FILES = ['openapi.json', 'prisma/migrations', 'server/pages'];

/**
 * The server of now with all that it reads, so that processes that start later are of the same release, whatever happens to
 * the sources meanwhile.
 * @returns the folder, below the root, for packages to be found from there.
 */
export async function makeRelease(): Promise<string> {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const release = await mkdtemp(join(ROOT, 'dist/chaos-'));
  for (const file of FILES) {
    await mkdir(dirname(join(release, file)), { recursive: true });
    await cp(join(ROOT, file), join(release, file), { recursive: true });
  }
  await bundle(serverOf(release));
  return release;
}

/** Where the bundle of a release lies. */
export function serverOf(release: string): string {
  return join(release, 'dist/server');
}
