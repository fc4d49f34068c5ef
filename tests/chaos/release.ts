import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../kit/bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files that the server reads at run time, two folders up from its bundle. */
const FILES = [
  'openapi.json',
  'prisma/migrations',
  'server/modules/meta/page.css',
  'server/modules/meta/page.js',
];

/**
 * Copies the current server with all files that it reads, so processes that start later run the same release even if
 * the sources change.
 * @returns the folder, below the root so that packages are found.
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

/** The folder of a release's bundle. */
export function serverOf(release: string): string {
  return join(release, 'dist/server');
}
