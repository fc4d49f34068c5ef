import { afterEach, beforeEach, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { type SteppedClock, steppedClock } from '../../tests/kit/database-clock.ts';
import { until } from '../../tests/kit/until.ts';
import { createPool } from './database/pool.ts';
import { createLogger } from './logger.ts';
import { QueueWorker } from './queue-worker.ts';
import { QueueWorkers } from './queue-workers.ts';

let database: TestDatabase;
let clock: SteppedClock;
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  database = await cloneDatabase();
  clock = await steppedClock(database);
});

afterEach(async () => {
  await stop();
  await database.drop();
});

/** Workers of a process, which cannot take the jobs of these tests themselves. */
async function startWorkers(): Promise<void> {
  const limits = { maxConnections: 4, statementTimeoutMs: 60_000 };
  const pool = createPool({
    url: clock.workerUrl,
    name: 'test queue',
    ...limits,
    onError: () => undefined,
  });
  const log = createLogger('silent');
  const tasks = { 'send-mail': async () => undefined };
  const worker = new QueueWorker({ pool, log, concurrency: 1, tasks });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  stop = async () => {
    await workers.stop();
    await pool.end();
  };
  await workers.start();
}

/** A job that a worker of another process runs. Its lock and its last heartbeat, if any, have this age. */
async function takenBy(worker: string, ageSeconds: number, hasBeaten: boolean): Promise<void> {
  const { owner } = database;
  await owner.query('SELECT jobs.enqueue($1, $2::json, NULL, NULL)', ['scan-project', '{}']);
  await owner.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - make_interval(secs => $2)
     WHERE locked_by IS NULL`,
    [worker, ageSeconds],
  );
  if (hasBeaten) await beat(worker, ageSeconds);
}

async function beat(worker: string, ageSeconds: number): Promise<void> {
  await database.owner.query(
    `INSERT INTO jobs.heartbeats VALUES ($1, now() - make_interval(secs => $2))
     ON CONFLICT (worker_id) DO UPDATE SET beat_at = EXCLUDED.beat_at`,
    [worker, ageSeconds],
  );
}

/** The workers of other processes that hold jobs. */
async function holders(): Promise<unknown[]> {
  const { rows } = await database.owner.query(
    'SELECT DISTINCT locked_by FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL',
  );
  return rows.map(({ locked_by: worker }) => worker);
}

const latestBeat = async () => {
  const { rows } = await database.owner.query<{ at: Date }>(
    "SELECT max(beat_at) AS at FROM jobs.heartbeats WHERE worker_id <> 'living'",
  );
  return rows[0]?.at.getTime() ?? 0;
};

it('a process releases no job of a living worker when the clock of the database steps forward', async () => {
  await takenBy('dead', 60, true);
  await startWorkers();
  await until('the process to release jobs', async () => (await holders()).length === 0);
  await takenBy('living', 0, true);
  await clock.step(60);
  const ahead = Date.now() + 30_000;
  // The process finds the step before the other worker can write a heartbeat by the new clock.
  const first = await until('a heartbeat by the new clock', async () => {
    const at = await latestBeat();
    return at > ahead && at;
  });
  await until('the next heartbeat', async () => (await latestBeat()) > first);
  expect(await holders()).toEqual(['living']);
});

it('jobs of dead workers are released and due soon after the clock of the database was set back by ten minutes', async () => {
  await takenBy('dead', 0, true);
  await takenBy('dead before its first heartbeat', 0, false);
  await clock.step(-600);
  await startWorkers();
  await until('the jobs to be released', async () => (await holders()).length === 0);
  expect(await clock.dueJobs()).toBe(2);
});
