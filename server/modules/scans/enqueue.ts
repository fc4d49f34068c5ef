import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { queueJobs } from '../../platform/tracing/job-spans.ts';
import type { ScanSlot } from './leases.ts';

/**
 * Queues the job of a slot in this transaction. First slots of a project's scans run one after the other. Additional
 * slots belong to a running scan and may start immediately.
 */
export async function queueSlot(
  db: TenantConnection,
  { tenantId, scanId, projectId, slot }: ScanSlot,
): Promise<void> {
  const line = slot === 0 ? lineOf(projectId) : null;
  await queueJobs('scan-project', 1, (trace) => {
    const payload = JSON.stringify({ tenantId, scanId, projectId, slot, ...trace });
    const flags = [ANY_SCAN, tenantMarkOf(tenantId), markOf({ scanId, projectId })];
    return db.sql(ENQUEUE, [payload, line, flags]);
  });
}

/** The queue group in which a project's scans wait. SQL that queues many scans repeats this expression. */
function lineOf(projectId: string): string {
  return `project:${projectId}`;
}

/** The group of all jobs of one project's scan. A process works on one job of a group at a time. */
export function markOf({ scanId, projectId }: Pick<ScanSlot, 'scanId' | 'projectId'>): string {
  return `scan:${scanId}:${projectId}`;
}

/** The group of all jobs of a tenant's scans. */
export function tenantMarkOf(tenantId: string): string {
  return `tenant:${tenantId}`;
}

/** The group of the jobs of all scans. SQL that queues many scans repeats the three groups. */
export const ANY_SCAN = 'scan';

const ENQUEUE: Statement = {
  name: 'scan-slot-enqueue',
  reason: 'function',
  text: "SELECT jobs.enqueue('scan-project', $1::json, $2, NULL, $3::text[])",
};
