import type { Statement, TenantConnection } from '../database/tenant-database.ts';

/** The scan of one project. */
export interface ScanOf {
  readonly scanId: string;
  readonly projectId: string;
}

/*
 * Whoever writes what a scan found shares a lock until the transaction ends; whoever ends the scan for others, by
 * cancelling it or deleting its project, has it alone. It comes before every other lock of either, so that the two never
 * wait for each other; and unlike the locks of rows it is given in the order in which it is asked for, so that steps of
 * many workers, of which always one is under way, do not keep a cancellation waiting.
 */

/** Waits for whoever is ending the scan. */
export async function shareWriting(
  db: TenantConnection,
  { scanId, projectId }: ScanOf,
): Promise<void> {
  await db.sql(SHARE, [scanId, projectId]);
}

/** Waits for whoever is writing. From here on nobody does, until the transaction ends. In the order given. */
export async function stopWriting(db: TenantConnection, scans: readonly ScanOf[]): Promise<void> {
  for (const { scanId, projectId } of scans) await db.sql(STOP, [scanId, projectId]);
}

const KEY = "hashtextextended('scan ' || $1::text || ' ' || $2::text, 0)";

const SHARE: Statement = {
  name: 'scan-share-writing',
  text: `SELECT pg_advisory_xact_lock_shared(${KEY})`,
};

const STOP: Statement = {
  name: 'scan-stop-writing',
  text: `SELECT pg_advisory_xact_lock(${KEY})`,
};
