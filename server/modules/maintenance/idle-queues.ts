import type pg from 'pg';
import type { Logger } from 'pino';
import { sqlStateOf } from '../../platform/database/unavailable.ts';
import type { Task } from '../../platform/queue-worker.ts';

/** Hourly. */
export const IDLE_QUEUES_SCHEDULE = '37 * * * *';

/** Queues that one transaction deletes, so that no launch waits long for it. */
const BATCH = 5_000;

/**
 * Deletes the queues of projects and tenants that have no jobs; the next job of one creates it again. A worker locks all
 * idle queues whenever it takes a job, which takes 70 ms for 10,000 of them.
 * @returns how many it deleted
 */
export async function deleteIdleQueues(pool: pg.Pool, isStopping: () => boolean): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(pool);
    deleted += count;
    if (count < BATCH || isStopping()) return deleted;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Deletes idle queues, unless a transaction that queues a job takes long: then those of this hour stay for the next. */
export function idleQueuesTask({ pool, log }: { pool: pg.Pool; log: Logger }): Task {
  return async (_payload, { isStopping }) => {
    try {
      const deleted = await deleteIdleQueues(pool, isStopping);
      if (deleted > 0) log.info({ deleted }, 'Deleted queues without jobs');
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      log.info('Deleting queues without jobs: could not acquire the lock; trying again in an hour');
    }
  };
}

async function deleteSome(pool: pg.Pool): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SET LOCAL lock_timeout = '200ms'");
    await client.query(LOCK_QUEUES);
    const { rowCount } = await client.query(DELETE_IDLE);
    await client.query('COMMIT');
    client.release();
    return rowCount ?? 0;
  } catch (error) {
    // The transaction ends with its connection.
    client.release(true);
    throw error;
  }
}

/**
 * A transaction that has queued a job holds a lock of this table until its commit. Without this lock, a queue could be deleted
 * whose new job is not visible yet, and the job would never run: it has no foreign key.
 */
const LOCK_QUEUES = 'LOCK TABLE graphile_worker._private_job_queues IN SHARE ROW EXCLUSIVE MODE';

const DELETE_IDLE = `
  DELETE FROM graphile_worker._private_job_queues WHERE id IN (
    SELECT q.id FROM graphile_worker._private_job_queues q
    WHERE q.locked_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.job_queue_id = q.id)
    LIMIT ${BATCH})`;
