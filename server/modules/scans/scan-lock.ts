import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { isStatementCanceled } from '../../platform/database/unavailable.ts';
import { ProblemError } from '../../platform/problem.ts';

/** The scan of one project. */
export interface ScanOf {
  readonly scanId: string;
  readonly projectId: string;
}

/*
 * Transactions that write results of a scan take a shared lock; a transaction that ends the scan from outside, by
 * cancelling it or deleting its project, takes it exclusively. Both take it before any other lock, so they cannot
 * deadlock. Unlike row locks, advisory locks are granted in the order of the requests, so a continuous series of steps
 * cannot delay a cancellation.
 */

/** Waits for a transaction that is ending the scan. */
export async function shareWriting(
  db: TenantConnection,
  { scanId, projectId }: ScanOf,
): Promise<void> {
  await db.sql(SHARE, [scanId, projectId]);
}

/**
 * Waits for running writers and blocks new ones until the transaction ends. Locks the scans in the given order.
 * @throws {ProblemError} SERVICE_UNAVAILABLE when a writer takes longer than a statement may, as on a busy machine.
 */
export async function stopWriting(db: TenantConnection, scans: readonly ScanOf[]): Promise<void> {
  try {
    for (const { scanId, projectId } of scans) await db.sql(STOP, [scanId, projectId]);
  } catch (error) {
    throw isStatementCanceled(error) ? stillWriting() : error;
  }
}

const RETRY_AFTER_SECONDS = 5;

function stillWriting(): ProblemError {
  return new ProblemError(
    'SERVICE_UNAVAILABLE',
    'A scan is writing its results, which takes longer than usual. Nothing was changed. Try again in a few seconds.',
    { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  );
}

const KEY = "hashtextextended('scan ' || $1::text || ' ' || $2::text, 0)";

/** Whether a transaction waits for `stopWriting`. A long transaction that writes results should then end without them. */
export async function isStopAwaited(
  db: TenantConnection,
  { scanId, projectId }: ScanOf,
): Promise<boolean> {
  return (await db.sql(AWAITED, [scanId, projectId])).length > 0;
}

const SHARE: Statement = {
  name: 'scan-share-writing',
  reason: 'lock',
  text: `SELECT pg_advisory_xact_lock_shared(${KEY})`,
};

/** Postgres shows a key of 64 bits as two numbers of 32 bits. */
const AWAITED: Statement = {
  name: 'scan-stop-awaited',
  reason: 'set',
  text: `SELECT 1 FROM pg_locks l, (SELECT ${KEY} AS bits) key
         WHERE l.locktype = 'advisory' AND NOT l.granted AND l.objsubid = 1
           AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND l.classid = ((key.bits >> 32) & 4294967295)::oid AND l.objid = (key.bits & 4294967295)::oid
         LIMIT 1`,
};

const STOP: Statement = {
  name: 'scan-stop-writing',
  reason: 'lock',
  text: `SELECT pg_advisory_xact_lock(${KEY})`,
};
