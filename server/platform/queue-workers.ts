import type pg from 'pg';
import type { Logger } from 'pino';
import { isOutage } from './database/unavailable.ts';
import type { QueueWorker } from './queue-worker.ts';
import { withJob } from './tracing/job-spans.ts';

const LOOK_EVERY_MS = 2_000;
/** A worker without a heartbeat for this long is dead and others take its jobs, well within the documented 30 s. */
const DEAD_AFTER_MS = 12_000;
/** A heartbeat that is later than this after the one before it may mean that no process could write one. */
const LATE_AFTER_MS = 3 * LOOK_EVERY_MS;
/** The clock of the database was set forward if it passes the time between two heartbeats by more than this. */
const STEP_AFTER_MS = 3_000;
/** The clock of this process was set, or the machine was paused. Clocks that are kept in step do not move as far at once. */
const OWN_STEP_AFTER_MS = 300_000;

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
  /** The heartbeat waits for nothing else: the rest may take longer than other processes wait for it. */
  #beating: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #settling: Promise<void> | null = null;
  /** In milliseconds of `performance.now()`. */
  #beatenAt = Number.NEGATIVE_INFINITY;
  /** The same heartbeat by the clock of the database. */
  #beatenAtThere = Number.NEGATIVE_INFINITY;
  #punctualSince = 0;
  /** What the clock of this process showed when `performance.now()` was 0. */
  #clockOrigin = clockOrigin();

  constructor(options: QueueWorkersOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    for (const worker of this.#options.workers) await worker.start();
    this.#look();
    await this.#beating;
    await Promise.all([this.#looking, this.#settling]);
  }

  /** Finishes the jobs in progress and stops. It sends heartbeats until then, or others would take its jobs. */
  async stop(): Promise<void> {
    await Promise.all(this.#options.workers.map((worker) => worker.stop()));
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beating;
    await Promise.all([this.#looking, this.#settling]);
  }

  #look(): void {
    this.#noteClockStep();
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
    this.#settling ??= this.#removeAbandoned().finally(() => {
      this.#settling = null;
    });
  }

  #noteClockStep(): void {
    const origin = clockOrigin();
    const isStep = Math.abs(origin - this.#clockOrigin) > OWN_STEP_AFTER_MS;
    this.#clockOrigin = origin;
    if (isStep) for (const worker of this.#options.workers) worker.noteClockStep();
  }

  async #beat(): Promise<void> {
    const { pool, log, workers } = this.#options;
    try {
      const ids = workers.flatMap((worker) => worker.livingIds());
      const { rows } = await pool.query<{ at: Date }>(BEAT, [ids]);
      const deadBefore = this.#deadBefore(rows[0]?.at);
      this.#looking ??= this.#lookAfterJobs(deadBefore).finally(() => {
        this.#looking = null;
      });
    } catch (err) {
      log.warn({ err }, 'Failed to write the heartbeat to the database');
    }
  }

  /**
   * Workers without a heartbeat since then are dead. While the database is away, nobody can write one, so nobody is declared dead
   * until all have had time to write theirs again. The same holds when the clock of the database steps forward, by which all
   * heartbeats become older, and after a pause of the machine, in which the clock of this process stands still.
   * @param at the time of this process's heartbeat, by the clock of the database
   */
  #deadBefore(at: Date | undefined): Date | null {
    const now = performance.now();
    if (at === undefined) return null;
    const sinceMs = now - this.#beatenAt;
    const stepMs = at.getTime() - this.#beatenAtThere - sinceMs;
    if (sinceMs > LATE_AFTER_MS || stepMs > STEP_AFTER_MS) this.#punctualSince = now;
    this.#beatenAt = now;
    this.#beatenAtThere = at.getTime();
    if (now - this.#punctualSince < DEAD_AFTER_MS) return null;
    return new Date(at.getTime() - DEAD_AFTER_MS);
  }

  /** Frees the jobs of dead workers, has jobs taken that have become due, and replaces degraded runners. */
  async #lookAfterJobs(deadBefore: Date | null): Promise<void> {
    const { pool, log, workers } = this.#options;
    try {
      const scheduled = workers.flatMap((worker) => worker.scheduled);
      const { rows } = await pool.query<{ dead: number; due: boolean }>(LOOK, [
        deadBefore,
        scheduled,
      ]);
      const { dead = 0, due = false } = rows[0] ?? {};
      if (dead > 0) log.warn({ dead }, 'Released the jobs of dead workers');
      if (due) for (const worker of workers) worker.takeJobs();
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
    try {
      const { rows } = await pool.query<AbandonedJob>(ABANDONED, [[...handlers.keys()]]);
      for (const { task, ...job } of rows) {
        try {
          await withJob('settle', task, job, async () => handlers.get(task)?.(job.payload));
          await pool.query('SELECT jobs.forget($1)', [job.id]);
        } catch (err) {
          if (isOutage(err)) throw err;
          log.error({ err, task, job: job.id }, 'Failed to settle an abandoned job; trying again');
        }
      }
    } catch (err) {
      log.warn({ err }, 'Failed to look for abandoned jobs; trying again');
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

interface AbandonedJob {
  readonly task: string;
  readonly id: string;
  readonly payload: unknown;
}

const BEAT = 'SELECT now() AS at FROM jobs.beat($1, now())';

function clockOrigin(): number {
  return Date.now() - performance.now();
}

/**
 * A scheduled task that a process ran while its clock was ahead would not run again before that time. An hour is more than
 * clocks differ: within it, the task would run twice.
 */
const LOOK = `
  WITH corrected AS (
    UPDATE graphile_worker._private_known_crontabs SET last_execution = now()
    WHERE identifier = ANY ($2::text[]) AND last_execution > now() + interval '1 hour'
  )
  SELECT CASE WHEN $1::timestamptz IS NULL THEN 0 ELSE jobs.release_dead($1) END AS dead,
         EXISTS (SELECT FROM graphile_worker._private_jobs WHERE is_available AND run_at <= now()) AS due`;

const ABANDONED = `
  SELECT t.task, j.id, j.payload
  FROM unnest($1::text[]) AS t(task) CROSS JOIN LATERAL jobs.abandoned(t.task) j`;

const KEEP_TRYING = `
  SELECT jobs.keep_trying(task, make_interval(secs => pause), make_interval(hours => longest))
  FROM unnest($1::text[], $2::int[], $3::int[]) AS policy(task, pause, longest)`;
