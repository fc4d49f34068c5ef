import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../development/embedded-place.ts';

const SECRET_BYTES = 32;

/**
 * The application secret of a development server: generated at its first start and then kept.
 * @throws {Error} that names the file when it cannot be written, or does not contain a whole secret.
 */
export async function developmentSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret');
  await mkdir(dataDir, { recursive: true });
  const stored = await readSecret(file);
  if (stored !== null) return stored;
  await createSecret(dataDir, file).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${file} could not be created: ${reason}. Fix that, set DATA_DIR to another folder, or set APP_SECRET.`,
      { cause: error },
    );
  });
  // Another process may have created it first.
  return (await readSecret(file)) ?? '';
}

/** Null when there is no file. */
async function readSecret(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${file} could not be read: ${reason}. Fix that, set DATA_DIR to another folder, or set APP_SECRET.`,
      { cause: error },
    );
  });
  const secret = text?.trim() ?? null;
  if (secret === null || Buffer.byteLength(secret) >= SECRET_BYTES) return secret;
  throw new Error(
    `${file} contains fewer than ${SECRET_BYTES} bytes, so it is not a whole secret. Restore it from a backup. If there is none, remove it and start again: a new secret is created, and what was encrypted with the old one cannot be read.`,
  );
}

/** File systems without hard links answer with one of these, for example exFAT and SMB. */
const LINKS_REFUSED = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Gives the file its name only when it is complete and on disk: a full disk or a power failure leaves no part of it. */
async function createSecret(dataDir: string, file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch(async (error: unknown) => {
      if (hasCode(error, 'EEXIST')) return;
      if (!LINKS_REFUSED.some((code) => hasCode(error, code))) throw error;
      // Such a file system is rarely shared, so nobody else creates the file between these two steps.
      if ((await readSecret(file)) === null) await rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dataDir);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
