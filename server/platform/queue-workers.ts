import type pg from 'pg';
import type { Logger } from 'pino';
import { isOutage } from './database/unavailable.ts';
import type { QueueWorker } from './queue-worker.ts';
import { withJob } from './tracing/job-spans.ts';

const LOOK_EVERY_MS = 2_000;
/** A worker without a heartbeat for this long is dead and others take its jobs, well within the documented 30 s. */
const DEAD_AFTER_SECONDS = 12;

export interface QueueWorkersOptions {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly workers: readonly QueueWorker[];
}

/**
 * The workers of a process that use the same pool. One heartbeat and one search for due jobs serve all of them: at rest,
 * searches by each worker were most of what the process did.
 */
export class QueueWorkers {
  readonly #options: QueueWorkersOptions;
  #timer: NodeJS.Timeout | null = null;
  /** Separate from the rest, which may take longer than others wait for a heartbeat. */
  #beating: Promise<void> | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: QueueWorkersOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    for (const worker of this.#options.workers) await worker.start();
    this.#look();
    await Promise.all([this.#beating, this.#looking]);
  }

  /** Finishes the jobs in progress and stops. It sends heartbeats until then, or others would take its jobs. */
  async stop(): Promise<void> {
    await Promise.all(this.#options.workers.map((worker) => worker.stop()));
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all([this.#beating, this.#looking]);
  }

  #look(): void {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
    this.#looking ??= this.#lookAfterJobs().finally(() => {
      this.#looking = null;
    });
  }

  async #beat(): Promise<void> {
    const { pool, log, workers } = this.#options;
    try {
      const ids = workers.flatMap((worker) => worker.livingIds());
      await pool.query('SELECT jobs.beat($1, now())', [ids]);
    } catch (err) {
      log.warn({ err }, 'Failed to write the heartbeat to the database');
    }
  }

  /** Frees the jobs of dead workers, has jobs taken that have become due, and replaces degraded runners. */
  async #lookAfterJobs(): Promise<void> {
    const { pool, log, workers } = this.#options;
    try {
      const { rows } = await pool.query<{ dead: number; due: boolean }>(LOOK, [DEAD_AFTER_SECONDS]);
      const { dead = 0, due = false } = rows[0] ?? {};
      if (dead > 0) log.warn({ dead }, 'Released the jobs of dead workers');
      if (due) for (const worker of workers) worker.takeJobs();
      await this.#removeAbandoned();
      for (const worker of workers) await worker.repair();
      await this.#applyRetryPolicies();
    } catch (err) {
      log.warn({ err }, 'Failed to look after the jobs of the queue; trying again');
    }
  }

  /** Removes jobs that will never run, after their tasks' `abandoned` handlers were called. One that fails stays. */
  async #removeAbandoned(): Promise<void> {
    const { pool, log, workers } = this.#options;
    const handlers = new Map(workers.flatMap(({ abandoned }) => Object.entries(abandoned)));
    if (handlers.size === 0) return;
    const { rows } = await pool.query<{ task: string; id: string; payload: unknown }>(ABANDONED, [
      [...handlers.keys()],
    ]);
    for (const { task, ...job } of rows) {
      try {
        await withJob('settle', task, job, async () => handlers.get(task)?.(job.payload));
        await pool.query('SELECT jobs.forget($1)', [job.id]);
      } catch (err) {
        if (isOutage(err)) throw err;
        log.error({ err, task, job: job.id }, 'Failed to settle an abandoned job; trying again');
      }
    }
  }

  async #applyRetryPolicies(): Promise<void> {
    const { pool, workers } = this.#options;
    const policies = workers.flatMap(({ retryPolicies }) => Object.entries(retryPolicies));
    if (policies.length === 0) return;
    await pool.query(KEEP_TRYING, [
      policies.map(([task]) => task),
      policies.map(([, { pauseSeconds }]) => pauseSeconds),
      policies.map(([, { forHours }]) => forHours),
    ]);
  }
}

const LOOK = `
  SELECT jobs.release_dead(now() - make_interval(secs => $1)) AS dead,
         EXISTS (SELECT FROM graphile_worker._private_jobs WHERE is_available AND run_at <= now()) AS due`;

const ABANDONED = `
  SELECT t.task, j.id, j.payload
  FROM unnest($1::text[]) AS t(task) CROSS JOIN LATERAL jobs.abandoned(t.task) j`;

const KEEP_TRYING = `
  SELECT jobs.keep_trying(task, make_interval(secs => pause), make_interval(hours => longest))
  FROM unnest($1::text[], $2::int[], $3::int[]) AS policy(task, pause, longest)`;
