import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { isAbandoned, lockDirectory } from './embedded-lock.ts';
import { runningServer, stopServer } from './embedded-server.ts';

const PREFIX = 'cspm-temporary-';

/**
 * A Postgres for tests: fast because nothing is flushed to disk, in a new folder below `base` that `stop()` removes.
 * Its owner may create databases, to clone one per test file. Servers and folders that killed earlier runs left are
 * removed first.
 * @throws {EmbeddedPostgresError} as startEmbedded does.
 */
export async function startTemporary(
  options: { base?: string; log?: (line: string) => void } = {},
): Promise<EmbeddedPostgres> {
  const { base = tmpdir(), ...rest } = options;
  await clearAbandoned(base);
  const directory = await mkdtemp(join(base, PREFIX));
  // mkdtemp creates it closed, also to the account that runs Postgres for root.
  if (process.geteuid?.() === 0) await chmod(directory, 0o711);
  try {
    const postgres = await startEmbedded({
      ...rest,
      directory,
      durable: false,
      ownerCreatesDatabases: true,
    });
    const stop = async (): Promise<void> => {
      await postgres.stop();
      await removeFolder(directory);
    };
    return { ...postgres, stop };
  } catch (error) {
    await removeFolder(directory);
    throw error;
  }
}

async function clearAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(base, name);
    try {
      const found = await lstat(directory);
      if (!found.isDirectory() || found.uid !== process.geteuid?.()) continue;
      if (!(await isAbandoned(directory))) continue;
      // Two runs may find it at the same moment; only one gets the lock.
      await lockDirectory(directory);
      const server = await runningServer(join(directory, 'cluster'));
      if (server !== null) await stopServer(server);
      await removeFolder(directory);
    } catch (error) {
      // Another run is removing it, so there is nothing to do.
      if (errnoOf(error) === null && !(error instanceof EmbeddedPostgresError)) throw error;
    }
  }
}

/** Retried, since two runs may be removing the same folder. */
function removeFolder(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
