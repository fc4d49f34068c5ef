import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { Attempt, Task } from '../jobs/queue-worker.ts';
import { fail } from './scan-progress.ts';
import { type ScanWorkerServices, scanProject } from './scan-project.ts';

/** How often a job whose database is away tries again before it goes back to the queue, and how soon. */
const TRIES = 30;
const RETRY_AFTER_MS = 250;
const RETRY_AFTER_AT_MOST_MS = 3_000;

const jobSchema = z.object({ tenantId: z.uuid(), scanId: z.uuid(), projectId: z.uuid() });

/** What the worker does for a job of the queue `scan-project`. */
export function scanTask(services: ScanWorkerServices, log: Logger): Task {
  return async (payload, attempt) => {
    const scan = jobSchema.parse(payload);
    try {
      await persist(() => scanProject(services, scan), attempt, log);
    } catch (error) {
      // The queue tries again later; what is done stays done.
      if (isDatabaseUnavailable(error) && !attempt.isLast) throw error;
      log.error({ err: error, ...scan }, 'A scan failed');
      await services.tenants.write(scan.tenantId, (db) =>
        fail(db, scan, 'An internal error. It is in the log of the server.', services.clock.now()),
      );
    }
  };
}

/** Sits out an outage of the database with the job in hand, so that no later scan of the project comes before it. */
async function persist(work: () => Promise<void>, { isStopping }: Attempt, log: Logger) {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries === TRIES || isStopping()) throw error;
      log.warn({ err: error }, 'The database is out of reach; the scan goes on later');
      await delay(Math.min(RETRY_AFTER_MS * tries, RETRY_AFTER_AT_MOST_MS));
    }
  }
}
