import { EventEmitter } from 'node:events';
import { Logger, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { z } from 'zod';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { fail } from './scan-progress.ts';
import { type ScanProjectJob, type ScanWorkerServices, scanProject } from './scan-project.ts';

export interface WorkerOptions {
  readonly pool: pg.Pool;
  readonly services: ScanWorkerServices;
  readonly log: Log;
  /** Jobs at a time. */
  readonly concurrency: number;
}

const BEAT_EVERY_MS = 3_000;
/** A worker that has not beaten for so long is dead, and others take its jobs: well within the 30 s promised. */
const DEAD_AFTER_MS = 12_000;

const jobSchema = z.object({ tenantId: z.uuid(), scanId: z.uuid(), projectId: z.uuid() });

/** Takes jobs from the queue until it is stopped. */
export class ScanWorker {
  readonly #options: WorkerOptions;
  readonly #workerIds = new Set<string>();
  #runner: Runner | null = null;
  #beat: NodeJS.Timeout | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { pool, services, log, concurrency } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => this.#workerIds.add(workerPool.id));
    events.on('worker:create', ({ worker }) => this.#workerIds.add(worker.workerId));
    this.#runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      // New jobs are announced by the database; this is for jobs that come due by the clock.
      pollInterval: 2_000,
      logger: new Logger(() => (level, message, meta) => {
        log[LEVELS[level]]({ queue: meta?.['label'] ?? null }, message);
      }),
      taskList: { 'scan-project': (payload) => this.#scan(services, jobSchema.parse(payload)) },
    });
    this.#beat = setInterval(() => void this.#keepAlive(), BEAT_EVERY_MS);
    await this.#keepAlive();
  }

  /** Finishes the steps under way, hands the rest back to the queue, and leaves. */
  async stop(): Promise<void> {
    if (this.#beat !== null) clearInterval(this.#beat);
    await this.#runner?.stop();
  }

  async #scan(services: ScanWorkerServices, job: ScanProjectJob): Promise<void> {
    try {
      await scanProject(services, job);
    } catch (error) {
      // The queue tries again later; what is done stays done.
      if (isDatabaseUnavailable(error)) throw error;
      this.#options.log.error({ err: error, ...job }, 'A scan failed');
      await services.tenants.write(job.tenantId, (db) =>
        fail(db, job, 'An internal error. It is in the log of the server.', services.clock.now()),
      );
    }
  }

  /** Says that this worker is alive, and frees the jobs of those that are not. */
  async #keepAlive(): Promise<void> {
    const { pool, log } = this.#options;
    const now = Date.now();
    try {
      await pool.query('SELECT jobs.beat($1, $2)', [[...this.#workerIds], new Date(now)]);
      const { rows } = await pool.query<{ dead: number }>('SELECT jobs.release_dead($1) AS dead', [
        new Date(now - DEAD_AFTER_MS),
      ]);
      const dead = rows[0]?.dead ?? 0;
      if (dead > 0) log.warn({ dead }, 'Freed the jobs of workers that died');
    } catch (error) {
      log.warn({ err: error }, 'The heartbeat did not reach the database');
    }
  }
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
