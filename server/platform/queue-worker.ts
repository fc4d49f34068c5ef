import { EventEmitter } from 'node:events';
import {
  type JobHelpers,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type Worker,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { isDatabaseUnavailable, isTenantRefused } from './database/unavailable.ts';
import { withShortMessage } from './logger.ts';
import { withJob } from './tracing/job-spans.ts';

/** What a task knows about its job. */
export interface Attempt {
  /** Whether this is the last attempt. */
  readonly isLast: boolean;
  /** Whether the worker is stopping. */
  isStopping(): boolean;
}

/** Processes the payload of one job. An exception makes the queue retry later, a limited number of times. */
export type Task = (payload: unknown, attempt: Attempt) => Promise<void>;

/** How long a failing task is retried: the queue's own delays grow to hours, and its attempts are few. */
export interface RetryPolicy {
  readonly pauseSeconds: number;
  readonly forHours: number;
}

export interface QueueWorkerOptions {
  readonly pool: pg.Pool;
  readonly log: Log;
  /** By the name under which their jobs are queued. Jobs with other names are left to other workers. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Number of concurrent jobs. */
  readonly concurrency: number;
  /** Called for jobs whose last attempt ended with the death of the worker; by task name. */
  readonly abandoned?: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  /** Whether an attempt that ended with this error leaves the job its attempts. Default: every attempt counts. */
  readonly isUncounted?: (error: unknown) => boolean;
  /** Tasks that are retried for longer than others, by name. */
  readonly retryPolicies?: Readonly<Record<string, RetryPolicy>>;
  /** Flags of jobs that other workers should take, evaluated each time. */
  readonly leavesToOthers?: () => string[];
  /** Scheduled tasks (crontab(5), in UTC), run once by one worker; missed runs are made up for. */
  readonly schedule?: Readonly<Record<string, string>>;
}

/** Each attempt waits two seconds for a connection: ten in all, as long as the migrations before it wait. */
const START_ATTEMPTS = 5;
/** The database announces new jobs, and `QueueWorkers` looks for jobs that become due. */
const POLL_EVERY_MS = 300_000;
/** How late a scheduled task is still run. */
const BACKFILL_MS = 24 * 3_600_000;

/** The library's workers of one start, with their ids. */
interface ActiveRunner {
  readonly runner: Runner;
  readonly workerIds: ReadonlySet<string>;
  /** Those that take jobs. */
  readonly ready: ReadonlySet<Worker>;
}

/** Takes jobs from the queue until it is stopped. `QueueWorkers` keeps it alive. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  #active: ActiveRunner | null = null;
  /** Runners that take no new jobs and finish the jobs in progress. */
  readonly #draining = new Set<ActiveRunner>();
  /** Whether the current runner has lost a worker, or may have lost a job between the database and this process. */
  #degraded = false;
  #stopping = false;
  #replacing: Promise<void> | null = null;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#active = await this.#startFirst();
  }

  /** Finishes the jobs in progress and stops. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#replacing?.catch(() => undefined);
    if (this.#active !== null) this.#stopRunner(this.#active);
    this.#active = null;
    await Promise.all(
      [...this.#draining].map(({ runner }) => runner.promise.catch(() => undefined)),
    );
  }

  get abandoned(): NonNullable<QueueWorkerOptions['abandoned']> {
    return this.#options.abandoned ?? {};
  }

  /** The names under which the queue records when it last ran the scheduled tasks. */
  get scheduled(): string[] {
    return Object.keys(this.#options.schedule ?? {});
  }

  get retryPolicies(): NonNullable<QueueWorkerOptions['retryPolicies']> {
    return this.#options.retryPolicies ?? {};
  }

  /** Under which it holds jobs in the database. */
  livingIds(): string[] {
    const runners = this.#active === null ? [...this.#draining] : [this.#active, ...this.#draining];
    return runners.flatMap(({ workerIds }) => [...workerIds]);
  }

  /** Takes jobs that are due, as many as may run at the same time. */
  takeJobs(): void {
    for (const worker of this.#active?.ready ?? []) worker.nudge();
  }

  /** The runner waits for the next minute by the former clock, however far away that is. */
  noteClockStep(): void {
    if (this.scheduled.length > 0) this.#degraded = true;
  }

  /**
   * Replaces a degraded runner by a new one with new ids. The old ids send no heartbeat after their last job has ended,
   * so the jobs they still hold in the queue are freed.
   */
  async repair(): Promise<void> {
    if (!this.#degraded || this.#stopping) return;
    this.#replacing = this.#replaceRunner();
    await this.#replacing.finally(() => {
      this.#replacing = null;
    });
  }

  /** Retries while Postgres is slow to accept a connection: nobody waits for a worker's start. */
  async #startFirst(): Promise<ActiveRunner> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#startRunner();
      } catch (error) {
        if (attempt === START_ATTEMPTS || !isDatabaseUnavailable(error)) throw error;
        this.#options.log.warn({ err: error, attempt }, 'Failed to start a worker; trying again');
      }
    }
  }

  async #startRunner(): Promise<ActiveRunner> {
    const { pool, log, concurrency, tasks, schedule = {} } = this.#options;
    const workerIds = new Set<string>();
    const ready = new Set<Worker>();
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => workerIds.add(workerPool.id));
    events.on('worker:create', ({ worker }) => {
      workerIds.add(worker.workerId);
      ready.add(worker);
    });
    events.on('worker:release', ({ worker }) => ready.delete(worker));
    // A worker that cannot report the end of a job ends itself, and the library does not replace it.
    events.on('worker:fatalError', ({ worker }) => {
      workerIds.delete(worker.workerId);
      this.#degraded = true;
    });
    // The database may have assigned a job whose assignment never arrived here.
    events.on('worker:getJob:error', () => {
      this.#degraded = true;
    });
    const runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      forbiddenFlags: this.#options.leavesToOthers ?? null,
      pollInterval: POLL_EVERY_MS,
      // Prevents the library from reading a configuration file in the working directory.
      parsedCronItems: parseCronItems(
        Object.entries(schedule).map(([task, match]) => ({
          task,
          match,
          options: { backfillPeriod: BACKFILL_MS, maxAttempts: 3 },
        })),
      ),
      logger: new Logger(() => (level, message, meta) => {
        // The tenant is being deleted or moved; nobody has to do anything.
        const isRefused = level === 'error' && isTenantRefused(meta?.['error']);
        log[isRefused ? 'warn' : LEVELS[level]]({ queue: meta?.['label'] ?? null }, message);
      }),
      taskList: Object.fromEntries(
        Object.entries(tasks).map(([name, task]) => [
          name,
          (payload: unknown, { job }: JobHelpers) =>
            withJob('process', name, job, () => this.#perform(task, payload, job)),
        ]),
      ),
    });
    return { runner, workerIds, ready };
  }

  #stopRunner(former: ActiveRunner): void {
    this.#draining.add(former);
    const gone = () => this.#draining.delete(former);
    former.runner.stop().then(gone, gone);
  }

  async #perform(task: Task, payload: unknown, job: JobHelpers['job']): Promise<void> {
    const { pool, isUncounted } = this.#options;
    try {
      await task(payload, this.#attempt(job));
    } catch (error) {
      // Before the queue writes the failure, or it would give up a job whose last attempt this was.
      if (isUncounted?.(error) === true) await pool.query(UNCOUNT, [job.id, job.locked_by]);
      // The queue writes the message to its table, and with the stack to the log.
      throw withShortMessage(error);
    }
  }

  #attempt(job: JobHelpers['job']): Attempt {
    return {
      isLast: job.attempts >= job.max_attempts,
      isStopping: () => this.#stopping,
    };
  }

  async #replaceRunner(): Promise<void> {
    const former = this.#active;
    this.#active = await this.#startRunner();
    this.#degraded = false;
    if (former !== null) this.#stopRunner(former);
  }
}

/**
 * The queue pauses for e^attempts seconds, so for 20 s at most. Afterwards the job comes before those that have not run yet:
 * it would follow all of them, because a job is due in the past until it has run.
 */
const UNCOUNT = `
  UPDATE graphile_worker._private_jobs SET attempts = LEAST(attempts, 3), priority = -1
  WHERE id = $1 AND locked_by = $2`;

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
