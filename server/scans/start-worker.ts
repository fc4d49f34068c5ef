import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import { ScanWorker } from './worker.ts';

/** Jobs of one process at a time; projects are scanned side by side, each by one job. */
const CONCURRENCY = 2;
/** One for each job, one that listens for jobs, one for the heartbeat and the queue's own bookkeeping. */
const CONNECTIONS = CONCURRENCY + 3;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Starts a worker with a pool of its own, so that scans never take the connections of requests. */
export async function startScanWorker(
  databaseUrl: string,
  log: Logger,
  clock: Clock,
): Promise<{ stop(): Promise<void> }> {
  const pool = createPool({
    url: databaseUrl,
    name: 'cspm worker',
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onError: (err) => log.warn({ err }, 'A connection of the worker broke'),
  });
  const services = { tenants: new TenantDatabase(pool), clock };
  const worker = new ScanWorker({ pool, services, log, concurrency: CONCURRENCY });
  await worker.start();
  return {
    stop: async () => {
      await worker.stop();
      await pool.end();
    },
  };
}
