import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { until } from '../../../tests/kit/until.ts';
import { createPool } from '../../platform/database/pool.ts';
import { deleteIdleQueues } from './idle-queues.ts';

let database: TestDatabase;
/** Connected as a worker process is. */
let pool: pg.Pool;
/** Connected as a server is. */
let app: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool({
    url: database.workerUrl,
    name: 'idle queues',
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    onError: () => undefined,
  });
  app = new pg.Client({ connectionString: database.appUrl });
  await app.connect();
});

afterAll(async () => {
  await app.end();
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  await database.owner.query('DELETE FROM graphile_worker._private_jobs');
  await database.owner.query('DELETE FROM graphile_worker._private_job_queues');
});

const enqueue = (name: string) =>
  app.query("SELECT jobs.enqueue('scan-project', '{}', $1, NULL)", [name]);

const idle = (name: string, count = 1) =>
  database.owner.query(
    `INSERT INTO graphile_worker._private_job_queues (queue_name)
     SELECT $1 || CASE WHEN n > 1 THEN n::text ELSE '' END FROM generate_series(1, $2::int) n`,
    [name, count],
  );

const deleteAll = () => deleteIdleQueues(pool, () => false);

async function names(): Promise<string[]> {
  const { rows } = await database.owner.query<{ name: string }>(
    'SELECT queue_name AS name FROM graphile_worker._private_job_queues ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}

describe('deleting idle queues', () => {
  it('queues without jobs are deleted, in batches, and no others', async () => {
    await idle('idle', 12_000);
    await idle('locked');
    await database.owner.query(
      `UPDATE graphile_worker._private_job_queues SET locked_by = 'a worker', locked_at = now()
       WHERE queue_name = 'locked'`,
    );
    await enqueue('busy');
    expect(await deleteAll()).toBe(12_000);
    expect(await names()).toEqual(['busy', 'locked']);
  });

  it('a queue is kept for a job that another transaction has queued and not committed', async () => {
    await idle('launching');
    await app.query('BEGIN');
    await enqueue('launching');
    let isOver = false;
    const deleting = deleteAll()
      // On a slow machine it may give up.
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await until('the deletion to wait for the launch', async () => {
      const { rowCount } = await database.owner.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'idle queues' AND wait_event = 'relation'",
      );
      return rowCount === 1 || isOver;
    });
    await app.query('COMMIT');
    await deleting;
    expect(await names()).toEqual(['launching']);
    expect(await deleteAll()).toBe(0);
  });

  it('deleting idle queues gives up when a transaction holds the lock for long, and works afterwards', async () => {
    await idle('launching');
    await app.query('BEGIN');
    await enqueue('other');
    await expect(deleteAll()).rejects.toMatchObject({ code: '55P03' });
    await app.query('ROLLBACK');
    expect(await deleteAll()).toBe(1);
    expect(await names()).toEqual([]);
  });
});
