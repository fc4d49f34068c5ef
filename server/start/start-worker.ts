import type pg from 'pg';
import type { Logger } from 'pino';
import { backfillAssetIndex, PackingProcesses } from '../modules/inventories/index.ts';
import { IDLE_QUEUES_SCHEDULE, idleQueuesTask } from '../modules/maintenance/idle-queues.ts';
import type { RetentionPeriods } from '../modules/maintenance/purge-tenant.ts';
import { RETENTION_SCHEDULE, retentionTask } from '../modules/maintenance/retention.ts';
import { digestPoll } from '../modules/notifications/digest-poll.ts';
import type { Unsubscribe } from '../modules/notifications/index.ts';
import { backfillPosture } from '../modules/posture/index.ts';
import { EvaluationPool } from '../modules/scans/evaluation-pool.ts';
import type { WrittenStep } from '../modules/scans/process-chunks.ts';
import { isUncounted, SCANS_A_TENANT, ScanTask } from '../modules/scans/scan-task.ts';
import { CORRECTION_SCHEDULE, nextRunsTask } from '../modules/schedules/correct-next-runs.ts';
import { schedulePoll } from '../modules/schedules/schedule-poll.ts';
import { type GoogleClients, PullTask } from '../modules/sources/index.ts';
import { DeliveryWorker } from '../modules/webhooks/delivery-worker.ts';
import { Sender } from '../modules/webhooks/sender.ts';
import type { WebhookConfig } from '../modules/webhooks/webhook-config.ts';
import { WorkerCellDatabase } from '../platform/cells/cell-database.ts';
import type { Directory } from '../platform/cells/directory.ts';
import type { Clock } from '../platform/clock.ts';
import { createPool } from '../platform/database/pool.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';
import { DIGEST_TASK, MAIL_TASK, type MailQueue } from '../platform/mail/mail-queue.ts';
import type { Metrics } from '../platform/metrics.ts';
import { QueueWorker, type Task } from '../platform/queue-worker.ts';
import { QueueWorkers } from '../platform/queue-workers.ts';
import type { WebAddress } from '../platform/web-address.ts';

/** Concurrent jobs of one process: projects are scanned in parallel, and a slow mail server delays only mails. */
export const SCANS = SCANS_A_TENANT;
/** For a tenant without a scan in this process, while other tenants hold the jobs above. */
export const SPARE_SCANS = 1;
/** For each kind of mail, so that mails about findings do not delay mails about accounts. */
const MAILS = 1;
const CHORES = 1;
/** A pull mostly waits for Google. One of them holds a page in memory. */
export const PULLS = 3;
/**
 * Connections: one per job, one listener, one for bookkeeping; doubled while one runner replaces another; plus the
 * heartbeat. Otherwise the second half is free for scans, which write two steps and claim the next at the same time.
 */
const CONNECTIONS = 2 * (SCANS + SPARE_SCANS + 2 * MAILS + CHORES + PULLS) + 8;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Requests come first where Postgres runs on the same machine. See decision 0079. */
const NICENESS = 10;
/** Schedules are launched one after the other; the second connection replaces a broken one. */
const LAUNCH_CONNECTIONS = 2;
/** The same as for a change in a request. */
const SERVING_TIMEOUT_MS = 10_000;
/** Mails about findings are written one after the other. */
const DIGEST_CONNECTIONS = 2;
/** One for each pull. */
const PULL_CONNECTIONS = PULLS;
/** Transactions of different tenants record outcomes at the same time. */
const WEBHOOK_CONNECTIONS = 4;
/** One listens for events, one leases those that are due. */
const LEASE_CONNECTIONS = 2;
/** Nobody waits for a worker, so it waits for a slow Postgres rather than repeating a step. */
const ANSWER_WITHIN_MS = 5_000;
/** RFC 5321 §4.5.4.1 recommends four to five days at least. */
const MAIL_RETRY_POLICY = { pauseSeconds: 60, forHours: 5 * 24 };

/** Completes rows that processes of an earlier release stored during an upgrade; rows from before it are completed at the start. */
const BACKFILL_SCHEDULE = '47 3 * * *';

export interface StartWorkerOptions {
  readonly databaseUrl: string;
  /** For a cell: its name, and the directory database that knows identities. Default: the directory database itself. */
  readonly cell?: { readonly name: string; readonly directory: Directory };
  readonly log: Logger;
  readonly clock: Clock;
  /** Default: no metrics. */
  readonly metrics?: Metrics;
  /** Default: no daily work. This worker purges no expired rows and records no posture of past scans. */
  readonly retention?: RetentionPeriods;
  /** Default: other workers send mails. */
  readonly sendMail?: Task;
  /** Default: other workers launch the scans of schedules. */
  readonly schedules?: {
    /** The serving role, so that a scheduled launch has the rights of a request. */
    readonly databaseUrl: string;
    readonly mail: MailQueue;
  };
  /** Default: other workers write the mails about findings. */
  readonly digests?: {
    /** The serving role, so that mails show what their recipients may read. */
    readonly databaseUrl: string;
    readonly mail: MailQueue;
    readonly unsubscribe: Unsubscribe;
    readonly web: WebAddress;
  };
  /** Default: other workers pull inventories. */
  readonly pulls?: {
    /** The serving role: a pulled inventory is written with the rights of an upload. */
    readonly databaseUrl: string;
    readonly google: GoogleClients;
    readonly inventories: { readonly maxBytes: number; readonly kept: number };
  };
  /** Default: other workers deliver events to webhooks. */
  readonly webhooks?: {
    /** The serving role, which alone may disable a webhook. */
    readonly databaseUrl: string;
    readonly mail: MailQueue;
    readonly config: WebhookConfig;
  };
}

/**
 * Starts to process the queue with a separate pool, so jobs never take the connections of requests. `stop` takes no new
 * jobs and resolves when the current ones have ended; it may be called several times.
 */
export async function startWorker(options: StartWorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { cell, log, clock, retention } = options;
  const pool = workerPool(options);
  const open = (of: pg.Pool) =>
    cell === undefined ? new TenantDatabase(of) : new WorkerCellDatabase(of, cell.directory);
  const common: Common = { pool, clock, log, open, tenants: open(pool) };
  const parts = partsOf(options, common);
  let backfill: Promise<void> | null = null;
  let isLeaving = false;
  let leaving: Promise<void> | null = null;
  const leave = async () => {
    isLeaving = true;
    await stopParts(parts);
    await backfill;
    await closeParts(parts, pool);
  };
  const stop = () => {
    leaving ??= leave();
    return leaving;
  };
  await parts.queue.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  for (const { poll } of parts.polls) poll.start();
  parts.webhooks?.worker.start();
  if (retention !== undefined) backfill = backfillEarlierReleases(common, () => isLeaving);
  return { stop };
}

/** What the parts of a worker share. */
interface Common {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly open: (pool: pg.Pool) => TenantDatabase;
  /** The tenants of `pool`. */
  readonly tenants: TenantDatabase;
}

/** The connections for jobs, which requests do not use. */
function workerPool({ databaseUrl, cell, log, metrics }: StartWorkerOptions): pg.Pool {
  const pool = createPool({
    url: databaseUrl,
    name: 'cspm worker',
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    niceness: NICENESS,
    onError: (err) => log.warn({ err }, "A worker's database connection failed"),
  });
  metrics?.watchPool(cell === undefined ? 'worker' : `worker ${cell.name}`, pool);
  return pool;
}

type Parts = ReturnType<typeof partsOf>;

/** Constructs what the options ask for; nothing is started. */
function partsOf(options: StartWorkerOptions, common: Common) {
  const { sendMail, retention, metrics } = options;
  const evaluations = new EvaluationPool();
  const pulling = options.pulls === undefined ? null : pullsOf(options.pulls, common);
  const { pool, log } = common;
  const schedules = options.schedules === undefined ? null : schedulesOf(options.schedules, common);
  const workers = [
    ...scanWorkers(common, evaluations, metrics),
    ...(pulling === null ? [] : [pullWorker(common, pulling.task)]),
    ...(sendMail === undefined ? [] : mailWorkers(common, sendMail)),
    ...(retention === undefined ? [] : [choreWorker(common, retention, schedules?.tenants)]),
  ];
  const queue = new QueueWorkers({ pool, log, workers });
  const polls = [
    ...(schedules === null ? [] : [schedules]),
    ...(options.digests === undefined ? [] : [digestsOf(options.digests, common)]),
  ];
  const webhooks =
    options.webhooks === undefined ? null : webhookDelivery(options, options.webhooks, common);
  return { evaluations, pulling, queue, polls, webhooks };
}

/** Takes no new jobs and waits for the current ones. */
async function stopParts({ polls, webhooks, queue }: Parts): Promise<void> {
  await Promise.all([
    ...polls.map(({ poll }) => poll.stop()),
    webhooks?.worker.stop(),
    queue.stop(),
  ]);
}

async function closeParts(
  { evaluations, polls, pulling, webhooks }: Parts,
  pool: pg.Pool,
): Promise<void> {
  webhooks?.sender.close();
  await evaluations.close();
  await Promise.all([
    ...polls.map((one) => one.pool.end()),
    pulling?.pool.end(),
    ...(webhooks?.pools.map((one) => one.end()) ?? []),
    pool.end(),
  ]);
}

/** One worker for all tenants and one for those that would wait for the scans of others. */
function scanWorkers(
  { pool, tenants, clock, log }: Common,
  evaluations: EvaluationPool,
  metrics: Metrics | undefined,
): QueueWorker[] {
  const onStep = (step: WrittenStep) => metrics?.scanned(step);
  const scans = new ScanTask({ tenants, clock, evaluations, onStep }, log);
  const tasks = { 'scan-project': scans.work };
  return [
    new QueueWorker({
      pool,
      log,
      concurrency: SCANS,
      tasks,
      abandoned: { 'scan-project': scans.giveUp },
      isUncounted,
      leavesToOthers: scans.leavesToOthers,
    }),
    new QueueWorker({
      pool,
      log,
      concurrency: SPARE_SCANS,
      tasks,
      isUncounted,
      leavesToOthers: scans.leavesToOthersWhenSpare,
    }),
  ];
}

function pullWorker({ pool, log }: Common, task: PullTask): QueueWorker {
  return new QueueWorker({
    pool,
    log,
    concurrency: PULLS,
    tasks: { 'pull-inventory': task.work },
    abandoned: { 'pull-inventory': task.giveUp },
  });
}

/** One worker for mails about accounts and one for mails about findings. */
function mailWorkers({ pool, log }: Common, sendMail: Task): QueueWorker[] {
  return [MAIL_TASK, DIGEST_TASK].map(
    (task) =>
      new QueueWorker({
        pool,
        log,
        concurrency: MAILS,
        tasks: { [task]: sendMail },
        retryPolicies: { [task]: MAIL_RETRY_POLICY },
      }),
  );
}

/**
 * Daily and hourly work.
 * @param schedules connections of the serving role; undefined if other workers launch the scans of schedules.
 */
function choreWorker(
  { pool, tenants, clock, log }: Common,
  retention: RetentionPeriods,
  schedules: TenantDatabase | undefined,
): QueueWorker {
  return new QueueWorker({
    pool,
    log,
    concurrency: CHORES,
    tasks: {
      retention: retentionTask({ pool, tenants, clock, log }, retention),
      'delete-idle-queues': idleQueuesTask({ pool, log }),
      'backfill-posture': (_payload, { isStopping }) =>
        backfillPosture({ pool, tenants, log }, isStopping),
      'backfill-asset-index': (_payload, { isStopping }) =>
        backfillAssetIndex({ pool, tenants, log }, isStopping),
      ...(schedules && {
        'correct-next-runs': nextRunsTask({ pool, tenants: schedules, clock, log }),
      }),
    },
    schedule: {
      retention: RETENTION_SCHEDULE,
      'delete-idle-queues': IDLE_QUEUES_SCHEDULE,
      'backfill-posture': BACKFILL_SCHEDULE,
      'backfill-asset-index': BACKFILL_SCHEDULE,
      ...(schedules && { 'correct-next-runs': CORRECTION_SCHEDULE }),
    },
  });
}

/** Completes data that earlier releases stored. A failure is logged, because the daily work tries again. */
function backfillEarlierReleases(
  { pool, tenants, log }: Common,
  isLeaving: () => boolean,
): Promise<void> {
  const services = { pool, tenants, log };
  return backfillAssetIndex(services, isLeaving)
    .then(() => backfillPosture(services, isLeaving))
    .catch((err: unknown) => {
      log.warn({ err }, 'Failed to backfill data of earlier releases; retrying tomorrow');
    });
}

/** Runs schedules, with connections of the serving role that requests do not use. */
function schedulesOf(
  { databaseUrl, mail }: NonNullable<StartWorkerOptions['schedules']>,
  common: Common,
) {
  const pool = servingPool(databaseUrl, 'schedules', LAUNCH_CONNECTIONS, common.log);
  const tenants = common.open(pool);
  return { pool, tenants, poll: schedulePoll({ ...common, mail, tenants }) };
}

/** Writes mails about findings, with connections of the serving role that requests do not use. */
function digestsOf(
  { databaseUrl, ...services }: NonNullable<StartWorkerOptions['digests']>,
  common: Common,
) {
  const pool = servingPool(databaseUrl, 'digests', DIGEST_CONNECTIONS, common.log);
  return { pool, poll: digestPoll({ ...common, ...services, tenants: common.open(pool) }) };
}

/** @param what the connections are for. */
function servingPool(url: string, what: string, maxConnections: number, log: Logger): pg.Pool {
  return createPool({
    url,
    name: `cspm ${what}`,
    maxConnections,
    statementTimeoutMs: SERVING_TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    onError: (err) => log.warn({ err }, `A database connection for ${what} failed`),
  });
}

/** The task that pulls inventories, with connections of the serving role. */
function pullsOf(
  { databaseUrl, google, inventories }: NonNullable<StartWorkerOptions['pulls']>,
  { clock, log, open }: Common,
) {
  const pool = servingPool(databaseUrl, 'pulls', PULL_CONNECTIONS, log);
  const tenants = open(pool);
  const withPacking = { ...inventories, packing: new PackingProcesses() };
  return { pool, task: new PullTask({ tenants, google, clock, inventories: withPacking }, log) };
}

/**
 * A worker that delivers events, with connections of the serving role that requests do not use. It leases events with
 * connections of their own, because those for jobs have a low priority, and no worker leases any while one waits for a core.
 */
function webhookDelivery(
  { databaseUrl: workerUrl }: StartWorkerOptions,
  {
    databaseUrl,
    config: { keys, addresses, lookup },
    mail,
  }: NonNullable<StartWorkerOptions['webhooks']>,
  { clock, log, open }: Common,
) {
  const pool = servingPool(databaseUrl, 'webhooks', WEBHOOK_CONNECTIONS, log);
  const leases = createPool({
    url: workerUrl,
    name: 'cspm webhook leases',
    maxConnections: LEASE_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    onError: (err) => log.warn({ err }, 'A database connection for webhook leases failed'),
  });
  const sender = new Sender({
    ...{ addresses, lookup },
    onThreadError: (err) =>
      log.error({ err }, 'The thread for webhook deliveries failed and was replaced'),
  });
  const services = { pool: leases, tenants: open(pool), mail, keys, clock, log, sender };
  return { pools: [pool, leases], sender, worker: new DeliveryWorker(services) };
}
