import { EventEmitter } from 'node:events';
import {
  type JobHelpers,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { withJob } from '../tracing/job-spans.ts';

/** What a task may know of the job that it runs for. */
export interface Attempt {
  /** Whether the queue gives up after this one. */
  readonly isLast: boolean;
  /** Whether the worker is about to leave. */
  isStopping(): boolean;
}

/** Works on the payload of one job. What it throws has the queue try again later, a number of times. */
export type Task = (payload: unknown, attempt: Attempt) => Promise<void>;

/** How long a task is tried that fails: the queue's own pauses grow to hours, and its attempts are few. */
export interface Patience {
  readonly pauseSeconds: number;
  readonly forHours: number;
}

export interface QueueWorkerOptions {
  readonly pool: pg.Pool;
  readonly log: Log;
  /** By the name under which their jobs are queued. Jobs of other names are left to others. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Jobs at a time. */
  readonly concurrency: number;
  /** What is done about jobs that have no attempt left, because whoever had the last one died of it; by the name of their task. */
  readonly abandoned?: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  /** Tasks that are tried for longer than others, by their name. */
  readonly patience?: Readonly<Record<string, Patience>>;
  /** The marks of jobs that others are to take, as of now. */
  readonly leavesToOthers?: () => string[];
  /** Tasks that are done by the clock (crontab(5), in UTC), once for all workers; made up for when none ran at the time. */
  readonly schedule?: Readonly<Record<string, string>>;
}

const BEAT_EVERY_MS = 3_000;
/** How long after its time a scheduled task is still done. */
const BACKFILL_MS = 24 * 3_600_000;
/** A worker that has not beaten for so long is dead, and others take its jobs: well within the 30 s promised. */
const DEAD_AFTER_SECONDS = 12;

/** The library's workers of one start, under their ids. */
interface Crew {
  readonly runner: Runner;
  readonly workerIds: ReadonlySet<string>;
}

/** Takes jobs from the queue until it is stopped. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  #crew: Crew | null = null;
  /** Crews that take no new jobs, until the last one under way has ended. */
  readonly #leaving = new Set<Crew>();
  /** Whether the crew has lost a worker, or may have lost a job between the database and us. */
  #maimed = false;
  #stopping = false;
  #beat: NodeJS.Timeout | null = null;
  #keepingAlive: Promise<void> | null = null;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#crew = await this.#recruit();
    this.#beat = setInterval(() => {
      this.#keepingAlive ??= this.#keepAlive().finally(() => {
        this.#keepingAlive = null;
      });
    }, BEAT_EVERY_MS);
    await this.#keepAlive();
  }

  /** Finishes the jobs under way, and leaves. Until then it beats, or others would take them for a dead worker's. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#keepingAlive;
    if (this.#crew !== null) this.#dismiss(this.#crew);
    this.#crew = null;
    await Promise.all(
      [...this.#leaving].map(({ runner }) => runner.promise.catch(() => undefined)),
    );
    if (this.#beat !== null) clearInterval(this.#beat);
    await this.#keepingAlive;
  }

  async #recruit(): Promise<Crew> {
    const { pool, log, concurrency, tasks, schedule = {} } = this.#options;
    const workerIds = new Set<string>();
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => workerIds.add(workerPool.id));
    events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId));
    // A worker that cannot report the end of a job ends itself, and the library starts no other in its place.
    events.on('worker:fatalError', ({ worker }) => {
      workerIds.delete(worker.workerId);
      this.#maimed = true;
    });
    // The database may have given out a job that never reached us.
    events.on('worker:getJob:error', () => {
      this.#maimed = true;
    });
    const runner = await run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      forbiddenFlags: this.#options.leavesToOthers ?? null,
      // New jobs are announced by the database; this is for jobs that come due by the clock.
      pollInterval: 2_000,
      // Nothing is to be read from a file that happens to lie about.
      parsedCronItems: parseCronItems(
        Object.entries(schedule).map(([task, match]) => ({
          task,
          match,
          options: { backfillPeriod: BACKFILL_MS, maxAttempts: 3 },
        })),
      ),
      logger: new Logger(() => (level, message, meta) => {
        log[LEVELS[level]]({ queue: meta?.['label'] ?? null }, message);
      }),
      taskList: Object.fromEntries(
        Object.entries(tasks).map(([name, task]) => [
          name,
          (payload: unknown, { job }: JobHelpers) =>
            withJob('process', name, job, () => task(payload, this.#attempt(job))),
        ]),
      ),
    });
    return { runner, workerIds };
  }

  #dismiss(crew: Crew): void {
    this.#leaving.add(crew);
    const gone = () => this.#leaving.delete(crew);
    crew.runner.stop().then(gone, gone);
  }

  #attempt(job: JobHelpers['job']): Attempt {
    return {
      isLast: job.attempts >= job.max_attempts,
      isStopping: () => this.#stopping,
    };
  }

  /** Says that this worker is alive, frees the jobs of those that are not, and makes good its own losses. */
  async #keepAlive(): Promise<void> {
    const { pool, log } = this.#options;
    try {
      await pool.query('SELECT jobs.beat($1, now())', [this.#livingIds()]);
      const { rows } = await pool.query<{ dead: number }>(
        'SELECT jobs.release_dead(now() - make_interval(secs => $1)) AS dead',
        [DEAD_AFTER_SECONDS],
      );
      const dead = rows[0]?.dead ?? 0;
      if (dead > 0) log.warn({ dead }, 'Freed the jobs of workers that died');
      await this.#giveUp();
      if (this.#maimed && !this.#stopping) await this.#renew();
      await this.#keepTrying();
    } catch (error) {
      log.warn({ err: error }, 'The heartbeat did not reach the database');
    }
  }

  /** Clears away the jobs that nobody will do any more, once what they were for knows it. */
  async #giveUp(): Promise<void> {
    const { pool, abandoned = {} } = this.#options;
    for (const [task, tell] of Object.entries(abandoned)) {
      const { rows } = await pool.query<{ id: string; payload: unknown }>(
        'SELECT id, payload FROM jobs.abandoned($1)',
        [task],
      );
      for (const job of rows) {
        await withJob('settle', task, job, () => tell(job.payload));
        await pool.query('SELECT jobs.forget($1)', [job.id]);
      }
    }
  }

  async #keepTrying(): Promise<void> {
    const { pool, patience = {} } = this.#options;
    for (const [task, { pauseSeconds, forHours }] of Object.entries(patience)) {
      const text =
        'SELECT jobs.keep_trying($1, make_interval(secs => $2), make_interval(hours => $3))';
      await pool.query(text, [task, pauseSeconds, forHours]);
    }
  }

  /**
   * Puts a fresh crew, under new ids, in the place of one that is maimed. The old ids beat no longer once its last job has
   * ended, so that whatever they still hold in the queue is freed.
   */
  async #renew(): Promise<void> {
    const former = this.#crew;
    this.#crew = await this.#recruit();
    this.#maimed = false;
    if (former !== null) this.#dismiss(former);
  }

  #livingIds(): string[] {
    const crews = this.#crew === null ? [...this.#leaving] : [this.#crew, ...this.#leaving];
    return crews.flatMap(({ workerIds }) => [...workerIds]);
  }
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
