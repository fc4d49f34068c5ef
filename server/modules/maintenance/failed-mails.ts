import type pg from 'pg';
import { DIGEST_TASK, MAIL_TASK } from '../../platform/mail/mail-queue.ts';

/** Counted from when the mail was queued. Mails are tried for five days; an operator has the rest to notice the failed ones. */
const KEPT_DAYS = 30;
/** Jobs that one statement deletes, so that it is short also after an outage with very many mails. */
const BATCH = 1_000;

/**
 * Deletes mails that the queue no longer tries to send: their jobs hold addresses and texts, encrypted.
 * @returns how many it deleted
 */
export async function deleteFailedMails(pool: pg.Pool, isStopping: () => boolean): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query(DELETE_FAILED, [
      [MAIL_TASK, DIGEST_TASK],
      KEPT_DAYS,
      BATCH,
    ]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH || isStopping()) return deleted;
  }
}

// The time is that of Postgres, which dated the jobs.
const DELETE_FAILED = `
  WITH failed AS MATERIALIZED (
    SELECT j.id FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = ANY($1::text[]) AND j.locked_by IS NULL AND j.attempts >= j.max_attempts
      AND j.created_at < now() - make_interval(days => $2::int)
    LIMIT $3::int
    FOR UPDATE OF j SKIP LOCKED
  )
  DELETE FROM graphile_worker._private_jobs j USING failed WHERE j.id = failed.id`;
