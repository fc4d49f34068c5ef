import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { until } from '../../tests/kit/until.ts';
import { createPool } from './database/pool.ts';
import { createLogger } from './logger.ts';
import { QueueWorker } from './queue-worker.ts';

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
  const worker = new QueueWorker({
    pool,
    log: createLogger('silent'),
    concurrency: 1,
    tasks: { [TASK]: async () => undefined },
    abandoned: {
      async [TASK](payload) {
        if (JSON.stringify(payload).includes('failing')) throw new Error('Cannot settle it');
      },
    },
  });
  onTestFinished(async () => {
    await worker.stop();
    await pool.end();
  });
  await worker.start();
  await until('the other job was removed', async () => !(await remaining()).includes('other'));
  expect(await remaining()).toEqual(['failing']);
});
