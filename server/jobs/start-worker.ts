import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { EvaluatorPool } from '../custom-rules/evaluator-pool.ts';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import type { Metrics } from '../operations/metrics.ts';
import {
  RETENTION_SCHEDULE,
  type RetentionPeriods,
  retentionTask,
} from '../operations/retention.ts';
import { ScanTask } from '../scans/scan-task.ts';
import type { WrittenStep } from '../scans/work-off.ts';
import { QueueWorker, type Task } from './queue-worker.ts';

/** Jobs of one process at a time: projects are scanned side by side; a mail server that is slow holds up mails alone. */
const SCANS = 2;
const MAILS = 1;
const CHORES = 1;
/** One for each job, one that listens, one for bookkeeping; twice, while one crew takes over from another; the heartbeat. */
const CONNECTIONS = 2 * (SCANS + MAILS + CHORES) + 8;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Nobody waits for a worker: it rather sits out a Postgres that is slow than do a step again. */
const ANSWER_WITHIN_MS = 5_000;
/** RFC 5321 §4.5.4.1 wants four to five days at the least. */
const MAIL_PATIENCE = { pauseSeconds: 60, forHours: 5 * 24 };

export interface StartWorkerOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Left out: nobody looks. */
  readonly metrics?: Metrics;
  /** Left out: nothing is cleared away by this worker. */
  readonly retention?: RetentionPeriods;
  /** Left out: mails are left to other workers. */
  readonly sendMail?: Task;
}

/**
 * Starts to work on the queue, with a pool of its own, so that jobs never take the connections of requests. `stop` takes no
 * new jobs and resolves when those under way have ended, however often it is called.
 */
export async function startWorker(options: StartWorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, log, clock, sendMail, retention, metrics } = options;
  const pool = createPool({
    url: databaseUrl,
    name: 'cspm worker',
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    onError: (err) => log.warn({ err }, 'A connection of the worker broke'),
  });
  metrics?.watchPool('worker', pool);
  const tenants = new TenantDatabase(pool);
  const evaluators = new EvaluatorPool();
  const onStep = (step: WrittenStep) => metrics?.scanned(step);
  const scans = new ScanTask({ tenants, clock, evaluators, onStep }, log);
  const workers = [
    new QueueWorker({
      pool,
      log,
      concurrency: SCANS,
      tasks: { 'scan-project': scans.work },
      abandoned: { 'scan-project': scans.giveUp },
      leavesToOthers: scans.leavesToOthers,
    }),
    ...(sendMail === undefined
      ? []
      : [
          new QueueWorker({
            pool,
            log,
            concurrency: MAILS,
            tasks: { 'send-mail': sendMail },
            patience: { 'send-mail': MAIL_PATIENCE },
          }),
        ]),
    ...(retention === undefined
      ? []
      : [
          new QueueWorker({
            pool,
            log,
            concurrency: CHORES,
            tasks: { retention: retentionTask({ pool, tenants, clock, log }, retention) },
            schedule: { retention: RETENTION_SCHEDULE },
          }),
        ]),
  ];
  const leave = async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await evaluators.close();
    await pool.end();
  };
  let leaving: Promise<void> | null = null;
  const stop = () => {
    leaving ??= leave();
    return leaving;
  };
  for (const worker of workers) {
    await worker.start().catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  }
  return { stop };
}
