import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** These do not pass by themselves. A full disk does, so a server starts on one. */
const LASTING = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'];

/**
 * Without a folder for temporary files, large uploads are refused and scans never start, although the server is ready.
 * @throws {Error} when the folder does not exist or cannot be written to.
 */
export async function requireTemporaryFolder(): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(tmpdir(), 'cspm-start-')));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!LASTING.includes(code)) return;
    throw new Error(
      `Cannot write temporary files in ${tmpdir()} (${code}); give this user write access to the folder, or set TMPDIR to another one.`,
      { cause: error },
    );
  }
}
