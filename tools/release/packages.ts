import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version-related members. */
interface Package {
  name?: string;
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Lock extends Package {
  packages: Record<string, Package>;
}

/** The version in package.json of the root. */
export async function presentVersion(root: string): Promise<string> {
  return (await read<Package>(join(root, 'package.json'))).version ?? '';
}

/**
 * Gives the root and every workspace the version, in package.json and package-lock.json, and what they say of each other.
 * @returns the files that were written, relative to the root.
 */
export async function setVersion(root: string, version: string): Promise<string[]> {
  const { workspaces = [] } = await read<Package>(join(root, 'package.json'));
  const folders = ['', ...workspaces];
  const names = new Set<string>();
  for (const folder of folders) {
    names.add((await read<Package>(join(root, folder, 'package.json'))).name ?? '');
  }
  for (const folder of folders) {
    const file = join(root, folder, 'package.json');
    await write(file, withVersion(await read<Package>(file), version, names));
  }
  const file = join(root, 'package-lock.json');
  const lock = await read<Lock>(file);
  lock.version = version;
  for (const folder of folders) {
    const entry = lock.packages[folder];
    if (entry === undefined) {
      throw new Error(`package-lock.json does not know ${folder}. Run: npm install`);
    }
    withVersion(entry, version, names);
  }
  await write(file, lock);
  return [...folders.map((folder) => join(folder, 'package.json')), 'package-lock.json'];
}

function withVersion(described: Package, version: string, names: ReadonlySet<string>): Package {
  described.version = version;
  for (const dependencies of [described.dependencies ?? {}, described.devDependencies ?? {}]) {
    for (const name of Object.keys(dependencies)) {
      if (names.has(name)) dependencies[name] = version;
    }
  }
  return described;
}

async function read<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function write(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
