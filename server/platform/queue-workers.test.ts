import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { until } from '../../tests/kit/until.ts';
import { createPool } from './database/pool.ts';
import { createLogger } from './logger.ts';
import { QueueWorker } from './queue-worker.ts';
import { QueueWorkers } from './queue-workers.ts';

const TASK = 'scan-project';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

async function remaining(): Promise<string[]> {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT payload->>'name' AS name FROM graphile_worker._private_jobs ORDER BY id`,
  );
  return rows.map(({ name }) => name);
}

it('an abandoned job that cannot be settled stays in the queue, and others are settled', async () => {
  const { owner, workerUrl: url } = database;
  for (const name of ['failing', 'other']) {
    const payload = JSON.stringify({ name });
    await owner.query('BEGIN');
    await owner.query('SELECT jobs.enqueue($1, $2::json, NULL, NULL)', [TASK, payload]);
    await owner.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await owner.query('COMMIT');
  }
  const limits = { maxConnections: 2, statementTimeoutMs: 60_000 };
  const pool = createPool({ url, name: 'test queue', ...limits, onError: () => undefined });
  const log = createLogger('silent');
  const worker = new QueueWorker({
    pool,
    log,
    concurrency: 1,
    tasks: { [TASK]: async () => undefined },
    abandoned: {
      async [TASK](payload) {
        if (JSON.stringify(payload).includes('failing')) throw new Error('Cannot settle it');
      },
    },
  });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  onTestFinished(async () => {
    await workers.stop();
    await pool.end();
  });
  await workers.start();
  await until('the other job was removed', async () => !(await remaining()).includes('other'));
  expect(await remaining()).toEqual(['failing']);
});

it('a job that becomes due without an announcement is run, and all workers share one heartbeat', async () => {
  const { owner, workerUrl: url } = database;
  const limits = { maxConnections: 4, statementTimeoutMs: 60_000 };
  const pool = createPool({ url, name: 'test queue', ...limits, onError: () => undefined });
  const log = createLogger('silent');
  await owner.query('BEGIN');
  await owner.query("SELECT jobs.enqueue('send-digest', '{}', NULL, NULL)");
  await owner.query("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'");
  await owner.query('COMMIT');
  const run: string[] = [];
  const workers = new QueueWorkers({
    pool,
    log,
    workers: ['send-mail', 'send-digest'].map(
      (name) =>
        new QueueWorker({
          pool,
          log,
          concurrency: 1,
          tasks: {
            async [name]() {
              run.push(name);
            },
          },
        }),
    ),
  });
  onTestFinished(async () => {
    await workers.stop();
    await pool.end();
  });
  await owner.query('DELETE FROM jobs.heartbeats');
  await workers.start();
  await owner.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await until('the job was run', async () => run.length > 0);
  expect(run).toEqual(['send-digest']);
  const { rows } = await owner.query(
    'SELECT count(*)::int AS ids, count(DISTINCT beat_at)::int AS beats FROM jobs.heartbeats',
  );
  // An id for each worker and one for its place.
  expect(rows).toEqual([{ ids: 4, beats: 1 }]);
});

it('a job that becomes due is run while the settling of an abandoned job does not end', async () => {
  const { owner, workerUrl: url } = database;
  await owner.query('DELETE FROM graphile_worker._private_jobs');
  await owner.query('BEGIN');
  await owner.query('SELECT jobs.enqueue($1, $2::json, NULL, NULL)', [TASK, '{}']);
  await owner.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
  await owner.query("SELECT jobs.enqueue('send-mail', '{}', NULL, NULL)");
  await owner.query("UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'");
  await owner.query('COMMIT');
  const limits = { maxConnections: 4, statementTimeoutMs: 60_000 };
  const pool = createPool({ url, name: 'test queue', ...limits, onError: () => undefined });
  const log = createLogger('silent');
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let [settling, sent] = [false, false];
  const worker = new QueueWorker({
    pool,
    log,
    concurrency: 1,
    tasks: {
      [TASK]: async () => undefined,
      async 'send-mail'() {
        sent = true;
      },
    },
    abandoned: {
      async [TASK]() {
        settling = true;
        await settled;
      },
    },
  });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  const started = workers.start();
  onTestFinished(async () => {
    settle();
    await started;
    await workers.stop();
    await pool.end();
  });
  await until('the abandoned job is being settled', async () => settling);
  await owner.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await until('the due job was run', async () => sent);
});

it('a process releases no job of a silent worker before its own heartbeats have been on time for a while', async () => {
  const { owner, workerUrl: url } = database;
  await owner.query('DELETE FROM jobs.heartbeats');
  await owner.query('DELETE FROM graphile_worker._private_jobs');
  await owner.query('SELECT jobs.enqueue($1, $2::json, NULL, NULL)', [TASK, '{}']);
  // As after an outage of the database, in which nobody could write a heartbeat.
  await owner.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'other', locked_at = now() - interval '1 minute'`,
  );
  const limits = { maxConnections: 4, statementTimeoutMs: 60_000 };
  const pool = createPool({ url, name: 'test queue', ...limits, onError: () => undefined });
  const log = createLogger('silent');
  const tasks = { 'send-mail': async () => undefined };
  const worker = new QueueWorker({ pool, log, concurrency: 1, tasks });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  onTestFinished(async () => {
    await workers.stop();
    await pool.end();
  });
  await workers.start();
  const beatAt = async () => {
    const { rows } = await owner.query('SELECT max(beat_at)::text AS at FROM jobs.heartbeats');
    return rows[0]?.at;
  };
  const first = await beatAt();
  // The round of the first heartbeat is over by the next one.
  await until('the next heartbeat', async () => (await beatAt()) !== first);
  const { rows } = await owner.query('SELECT locked_by FROM graphile_worker._private_jobs');
  expect(rows).toEqual([{ locked_by: 'other' }]);
});

it('a failed job has a short message in the log and in the queue, although its error has a long one', async () => {
  const { owner, workerUrl: url } = database;
  await owner.query('BEGIN');
  await owner.query("SELECT jobs.enqueue('send-mail', '{}', NULL, NULL)");
  await owner.query('COMMIT');
  const limits = { maxConnections: 2, statementTimeoutMs: 60_000 };
  const pool = createPool({ url, name: 'test queue', ...limits, onError: () => undefined });
  const lines: string[] = [];
  const log = createLogger('error', { write: (line) => void lines.push(line) });
  const worker = new QueueWorker({
    pool,
    log,
    concurrency: 1,
    tasks: {
      async 'send-mail'() {
        z.array(z.number()).parse(Array(1_000).fill('x'));
      },
    },
  });
  const workers = new QueueWorkers({ pool, log, workers: [worker] });
  onTestFinished(async () => {
    await workers.stop();
    await pool.end();
  });
  await workers.start();
  const lastError = async () => {
    const { rows } = await owner.query<{ last: string | null }>(
      'SELECT max(last_error) AS last FROM graphile_worker._private_jobs',
    );
    return rows[0]?.last ?? '';
  };
  await until('the failure in the queue', async () => (await lastError()) !== '');
  expect(await lastError()).toMatch(/^0: Invalid input: .* and 990 more issues$/);
  const [line = ''] = lines.filter((text) => text.includes('Failed task'));
  expect(line.length).toBeLessThan(20_000);
  expect(JSON.parse(line).msg).toMatch(
    /with error '0: Invalid input: .* and 990 more issues':\n.*\n +at /,
  );
});
