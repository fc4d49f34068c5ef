import type pg from 'pg';
import type { QueueDepth } from './metrics.ts';

/** Counts waiting jobs of all tenants together; job contents are not read. */
export async function queueDepth(pool: pg.Pool, now: Date): Promise<readonly QueueDepth[]> {
  const { rows } = await pool.query<Omit<QueueDepth, 'oldestSeconds'> & { oldest_seconds: number }>(
    'SELECT task, waiting, running, failed, oldest_seconds FROM jobs.depth($1)',
    [now],
  );
  return rows.map(({ oldest_seconds: oldestSeconds, ...depth }) => ({ ...depth, oldestSeconds }));
}
