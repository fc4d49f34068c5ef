import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { flushFolder } from './embedded-place.ts';

/** 192 random bits each, in characters that need no quoting in SQL or in a URL. */
const password = z.string().regex(/^[A-Za-z0-9_-]{32}$/);
const passwords = z.object({ owner: password, app: password, worker: password });

export type Passwords = z.infer<typeof passwords>;

/** Beside the cluster, so a backup contains both. */
export function passwordFile(directory: string): string {
  return join(directory, 'passwords.json');
}

export function newPasswords(): Passwords {
  const make = (): string => randomBytes(24).toString('base64url');
  return { owner: make(), app: make(), worker: make() };
}

/**
 * Null when there is no file.
 * @throws {EmbeddedPostgresError} when its content is not ours.
 */
export async function readPasswords(directory: string): Promise<Passwords | null> {
  const file = passwordFile(directory);
  try {
    return passwords.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    if (errnoOf(error) !== null) throw error;
    throw new EmbeddedPostgresError(
      `${file} is damaged; remove it and start again: new passwords are created and the data is kept`,
    );
  }
}

/** Writes the file atomically and durably, readable by its owner only. */
export async function writePasswords(directory: string, content: Passwords): Promise<void> {
  const file = passwordFile(directory);
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await flushFolder(directory);
}
