import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { type EmbeddedUrls, findEmbedded, startEmbedded } from '../development/embedded.ts';

/**
 * The database to administer: the configured one; else the embedded Postgres of a running server; else that Postgres,
 * started for the duration of the command.
 */
export async function openDatabase(
  config: Config,
): Promise<{ readonly urls: EmbeddedUrls; close(): Promise<void> }> {
  if (config.database !== null) return { urls: config.database, close: async () => undefined };
  const directory = join(resolve(config.dataDir), 'postgres');
  const running = await findEmbedded(directory);
  if (running !== null) return { urls: running, close: async () => undefined };
  const embedded = await startEmbedded({ directory });
  return { urls: embedded, close: () => embedded.stop() };
}
