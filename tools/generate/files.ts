import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Generated files: path relative to the root → content. */
export type GeneratedFiles = Record<string, string>;

/** Writes the missing and changed files, and returns their paths. */
export async function writeFiles(root: string, files: GeneratedFiles): Promise<string[]> {
  const stale = await staleFiles(root, files);
  for (const path of stale) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), files[path] ?? '');
  }
  return stale;
}

/** The paths of the files that are missing or outdated. */
export async function staleFiles(root: string, files: GeneratedFiles): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    if ((await read(join(root, path))) !== content) stale.push(path);
  }
  return stale;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
