import type pg from 'pg';
import { type Move, setState, transaction } from './move-context.ts';

interface Job {
  readonly task: string;
  readonly payload: string;
  readonly queue: string | null;
  readonly run_at: Date;
  readonly max_attempts: number;
  readonly key: string | null;
  readonly priority: number;
  readonly flags: string[] | null;
}

/**
 * Activates the target in one transaction: the tenant's rows, its due dates and its jobs. A job that is running at the
 * source runs again at the target, as after the death of a worker; the source refuses its further writes.
 */
export async function activate({ source, target, tenantId }: Move): Promise<void> {
  await transaction(target, async () => {
    const { rows } = await target.query<{ state: string }>(
      'SELECT state FROM cells.standings WHERE tenant_id = $1 FOR UPDATE',
      [tenantId],
    );
    if (rows[0]?.state === 'active') return;
    await setState(target, tenantId, 'active');
    await target.query('SELECT cells.rebuild_dues($1, true)', [tenantId]);
    for (const job of await jobsAt(source, tenantId)) {
      await target.query(
        `SELECT graphile_worker.add_job($1, payload => $2::json, queue_name => $3, run_at => $4, max_attempts => $5,
           job_key => $6, priority => $7, flags => $8)`,
        [
          job.task,
          job.payload,
          job.queue,
          job.run_at,
          job.max_attempts,
          job.key,
          job.priority,
          job.flags,
        ],
      );
    }
    await target.query('DELETE FROM cells.copied WHERE tenant_id = $1', [tenantId]);
  });
}

async function jobsAt(source: pg.Client, tenantId: string): Promise<Job[]> {
  const { rows } = await source.query<Job>(
    `SELECT t.identifier AS task, j.payload::text AS payload, q.queue_name AS queue, j.run_at, j.max_attempts, j.key,
       j.priority, CASE WHEN j.flags IS NOT NULL THEN ARRAY(SELECT jsonb_object_keys(j.flags)) END AS flags
     FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
     WHERE j.payload->>'tenantId' = $1 ORDER BY j.id`,
    [tenantId],
  );
  return rows;
}

/** Removes the jobs at the source, and their queues, which would stay locked by the workers that hold them. */
export async function removeJobs({
  source,
  tenantId,
}: Pick<Move, 'source' | 'tenantId'>): Promise<void> {
  await source.query(
    `WITH gone AS (
       DELETE FROM graphile_worker._private_jobs j WHERE j.payload->>'tenantId' = $1 RETURNING j.id, j.job_queue_id
     )
     DELETE FROM graphile_worker._private_job_queues q
     WHERE q.id IN (SELECT g.job_queue_id FROM gone g) AND NOT EXISTS (
       SELECT 1 FROM graphile_worker._private_jobs j WHERE j.job_queue_id = q.id AND j.id NOT IN (SELECT g.id FROM gone g)
     )`,
    [tenantId],
  );
}
