import type pg from 'pg';
import type { QueueDepth } from './metrics.ts';

/** What waits in the queue, of all tenants together: counts, and nothing of what the jobs are about. */
export async function queueDepth(pool: pg.Pool, now: Date): Promise<readonly QueueDepth[]> {
  const { rows } = await pool.query<Omit<QueueDepth, 'oldestSeconds'> & { oldest_seconds: number }>(
    'SELECT task, waiting, running, failed, oldest_seconds FROM jobs.depth($1)',
    [now],
  );
  return rows.map(({ oldest_seconds: oldestSeconds, ...depth }) => ({ ...depth, oldestSeconds }));
}
