import { afterEach, beforeEach, it, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { until } from '../../tests/kit/until.ts';
import { createPool } from './database/pool.ts';
import { createLogger } from './logger.ts';
import { QueueWorker } from './queue-worker.ts';
import { QueueWorkers } from './queue-workers.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let stop: () => Promise<void>;

beforeEach(async () => {
  database = await cloneDatabase();
});

afterEach(async () => {
  vi.useRealTimers();
  await stop();
  await database.drop();
});

/** Workers of a process with a task that is due each minute. */
async function startWorkers(): Promise<QueueWorker> {
  const limits = { maxConnections: 4, statementTimeoutMs: 60_000 };
  const pool = createPool({
    url: database.workerUrl,
    name: 'test queue',
    ...limits,
    onError: () => undefined,
  });
  const log = createLogger('silent');
  const worker = new QueueWorker({
    pool,
    log,
    concurrency: 1,
    tasks: { retention: async () => undefined },
    schedule: { retention: '* * * * *' },
  });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  stop = async () => {
    await workers.stop();
    await pool.end();
  };
  await workers.start();
  return worker;
}

/** The clock of this process stands still, a tenth of a second before a minute begins, which is a few minutes from now. */
function haltClock(aheadMs: number): void {
  vi.useRealTimers();
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 5 * MINUTE_MS;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(minute + aheadMs - 100);
}

/** Lets the minute begin. */
function advanceClock(): void {
  vi.setSystemTime(Date.now() + 200);
}

/** Waits until the queue has recorded a run of the task, or a correction of the record, in that time from now. */
async function untilRecorded(what: string, from: string, to: string): Promise<void> {
  await until(what, async () => {
    const { rows } = await database.owner.query(
      `SELECT 1 FROM graphile_worker._private_known_crontabs
       WHERE identifier = 'retention' AND last_execution BETWEEN now() + $1::interval AND now() + $2::interval`,
      [from, to],
    );
    return rows.length > 0;
  });
}

it('a scheduled task runs at its next time although another process ran it while its clock was a year ahead', async () => {
  await database.owner.query(
    `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     VALUES ('retention', now(), now() + interval '1 year')`,
  );
  haltClock(0);
  await startWorkers();
  await untilRecorded('the correction', '-1 minute', '0');
  advanceClock();
  await untilRecorded('the next run', '1 minute', '6 minutes');
});

it('a scheduled task runs at its next time after the clock of its process was a week ahead', async () => {
  haltClock(WEEK_MS);
  const worker = await startWorkers();
  advanceClock();
  await untilRecorded('the run in the future', '6 days', '8 days');
  const former = worker.livingIds();
  haltClock(0);
  await until('the queue to wait for the next minute', async () =>
    worker.livingIds().every((id) => !former.includes(id)),
  );
  advanceClock();
  await untilRecorded('the next run', '1 minute', '6 minutes');
});
