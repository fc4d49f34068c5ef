import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import { queueJobs } from '../tracing/job-spans.ts';
import type { ScanSlot } from './slots.ts';

/**
 * Queues the job of a slot, in this transaction. Those of a project's first slots are worked on one after the other;
 * the others belong to a scan that is under way, and may be taken at once.
 */
export async function queueSlot(
  db: TenantConnection,
  { tenantId, scanId, projectId, slot }: ScanSlot,
): Promise<void> {
  const line = slot === 0 ? lineOf(projectId) : null;
  await queueJobs('scan-project', 1, (trace) => {
    const payload = JSON.stringify({ tenantId, scanId, projectId, slot, ...trace });
    return db.sql(ENQUEUE, [payload, line, [markOf({ scanId, projectId })]]);
  });
}

/** The line in which the scans of a project wait. In SQL, where many are queued at once, it is written out again. */
function lineOf(projectId: string): string {
  return `project:${projectId}`;
}

/** What the jobs at one project's scan have in common: a process works on one of them at a time. */
export function markOf({ scanId, projectId }: Pick<ScanSlot, 'scanId' | 'projectId'>): string {
  return `scan:${scanId}:${projectId}`;
}

const ENQUEUE: Statement = {
  name: 'scan-slot-enqueue',
  text: "SELECT jobs.enqueue('scan-project', $1::json, $2, NULL, $3::text[])",
};
