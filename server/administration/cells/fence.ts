import { setTimeout as delay } from 'node:timers/promises';
import { type Move, setState, transaction } from './move-context.ts';

const LOCK_TIMEOUT_MS = 250;
const PAUSE_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';

/** The key of the lock that cells.enter shares. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('cell ' || $1::text, 0))";

/**
 * Refuses further writes of the tenant at the source, and waits for those that have begun. The fence ends by itself, so
 * a killed move does not keep the tenant from writing.
 * @returns whether no write is left.
 */
export async function fence({ source, tenantId, fenceSeconds }: Move): Promise<boolean> {
  await source.query(
    `INSERT INTO cells.standings (tenant_id, state, until)
     VALUES ($1, 'fenced', clock_timestamp() + make_interval(secs => $2))
     ON CONFLICT (tenant_id) DO UPDATE SET state = 'fenced', until = EXCLUDED.until`,
    [tenantId, fenceSeconds],
  );
  const deadline = performance.now() + fenceSeconds * 500;
  while (performance.now() < deadline) {
    try {
      await transaction(source, async () => {
        // New writes queue behind a lock that waits; they must be refused soon to let their connections go.
        await source.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await source.query(LOCK, [tenantId]);
      });
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE))
        throw error;
      await delay(PAUSE_MS);
    }
  }
  return false;
}

/** Lets the tenant write at the source again. */
export async function unfence({ source, tenantId }: Move): Promise<void> {
  await setState(source, tenantId, 'active');
}

/**
 * Closes the source permanently if the fence has held until now. Nothing was written since the fence began: a writer
 * would hold the lock, and a later writer would find here that the fence has ended.
 * @returns false when the fence has ended before.
 */
export async function seal({ source, tenantId }: Move): Promise<boolean> {
  return transaction(source, async () => {
    await source.query(LOCK, [tenantId]);
    const { rowCount } = await source.query(
      `UPDATE cells.standings SET state = 'gone', until = NULL
       WHERE tenant_id = $1 AND state = 'fenced' AND until > clock_timestamp()`,
      [tenantId],
    );
    if (rowCount !== 1) return false;
    await source.query('SELECT cells.rebuild_dues($1, false)', [tenantId]);
    return true;
  });
}
