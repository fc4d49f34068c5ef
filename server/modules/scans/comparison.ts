import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { ProblemError } from '../../platform/problem.ts';
import type { Comparison } from '../findings/index.ts';
import { unpackProject } from './packed-project.ts';
import type { ScanRow } from './queries.ts';

/**
 * The projects that two scans can be compared by: those that completed in both.
 * @throws {ProblemError} SCAN_NOT_COMPLETED or SCANS_NOT_COMPARABLE
 */
export async function comparisonOf(
  db: TenantConnection,
  later: ScanRow,
  earlier: ScanRow,
): Promise<{ readonly projects: readonly string[]; readonly comparison: Comparison }> {
  // Scans of a project run in the order of their ids.
  if (earlier.id >= later.id) {
    throw notComparable(
      earlier.id === later.id
        ? 'A scan cannot be compared with itself. Choose an earlier scan.'
        : `Scan ${earlier.id} is later than scan ${later.id}. Swap the two.`,
    );
  }
  demandCompleted(later);
  demandCompleted(earlier);
  const values = [db.tenantId, later.id, earlier.id];
  const shared = await db.sql<SharedRow>(SHARED, values);
  if (shared.length === 0) {
    throw notComparable(
      `No project completed in both scans. Choose a scan of ${someOf(later)} that completed before.`,
    );
  }
  return {
    projects: shared.map(({ name }) => name),
    comparison: {
      later: { id: later.id, at: later.created_at },
      earlier: { id: earlier.id, at: earlier.created_at },
      projects: shared.map(({ project_id: id, later_end: laterEnd, earlier_end: earlierEnd }) => ({
        id,
        laterEnd,
        earlierEnd,
      })),
    },
  };
}

/** @throws {ProblemError} SCAN_NOT_COMPLETED for a scan that is still running, or that has no result. */
export function demandCompleted({ id, status }: ScanRow): void {
  if (status === 'completed' || status === 'partial') return;
  const isActive = status === 'queued' || status === 'running';
  const remedy = isActive ? 'Wait until it has completed.' : 'Choose another scan.';
  throw new ProblemError('SCAN_NOT_COMPLETED', `Scan ${id} is ${status}. ${remedy}`);
}

const NAMED = 3;

/** The first few projects of a scan. */
function someOf({ projects }: ScanRow): string {
  const names = projects.slice(0, NAMED).map((packed) => unpackProject(packed).name);
  const others = projects.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` or ${others} more` : ''}`;
}

function notComparable(detail: string): ProblemError {
  return new ProblemError('SCANS_NOT_COMPARABLE', detail);
}

interface SharedRow {
  project_id: string;
  name: string;
  later_end: Date | null;
  earlier_end: Date | null;
}

const SHARED: Statement = {
  name: 'scans-shared-projects',
  reason: 'set',
  text: `SELECT l.project_id, l.name, l.finished_at AS later_end, e.finished_at AS earlier_end
         FROM scan_projects l
         JOIN scan_projects e ON e.tenant_id = $1 AND e.scan_id = $3 AND e.project_id = l.project_id
         WHERE l.tenant_id = $1 AND l.scan_id = $2 AND l.status = 'completed' AND e.status = 'completed'
         ORDER BY l.position`,
};
