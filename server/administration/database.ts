import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import {
  type EmbeddedUrls,
  findEmbedded,
  hasEmbedded,
  startEmbedded,
} from '../development/embedded.ts';

/**
 * The database to administer: the configured one; else the embedded Postgres of a running server; else that Postgres,
 * started for the duration of the command.
 * @param mayCreate whether a DATA_DIR without a database gets one.
 * @throws {Error} when DATA_DIR has no database: its name may be mistyped.
 */
export async function openDatabase(
  config: Config,
  mayCreate: boolean,
): Promise<{ readonly urls: EmbeddedUrls; close(): Promise<void> }> {
  if (config.database !== null) return { urls: config.database, close: async () => undefined };
  const directory = join(resolve(config.dataDir), 'postgres');
  const running = await findEmbedded(directory);
  if (running !== null) return { urls: running, close: async () => undefined };
  if (!mayCreate && !(await hasEmbedded(directory))) {
    throw new Error(
      `${directory} contains no database. Set DATA_DIR to the folder of the server, or DATABASE_URL; a new database is created by the first start of a server, \`migrate\` and \`tenant create\`.`,
    );
  }
  const embedded = await startEmbedded({ directory });
  return { urls: embedded, close: () => embedded.stop() };
}
