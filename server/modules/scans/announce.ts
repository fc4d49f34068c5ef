import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type EventData, fitting, queueEvent, shortened } from '../webhooks/index.ts';
import type { ScanOf } from './scan-lock.ts';

/** A scan that has just ended. */
export interface EndedScan {
  status: string;
  profile: string;
  schedule_id: string | null;
}

/** Queues the event of a scan's end, in the transaction that ends it. A cancelled scan has none. */
export async function announceScan(
  db: TenantConnection,
  scanId: string,
  { status, profile, schedule_id: scheduleId }: EndedScan,
  now: Date,
): Promise<void> {
  const data = async () => {
    const rows = await db.sql<ProjectRow>(PROJECTS, [db.tenantId, scanId]);
    const sum = (count: (row: ProjectRow) => number) =>
      rows.reduce((total, row) => total + count(row), 0);
    return {
      ...{ scanId, profile, scheduleId, finishedAt: now.toISOString() },
      projects: rows.map(({ name, status: ended, error }) => ({
        name,
        status: ended as 'completed' | 'failed' | 'cancelled',
        error: error === null ? null : shortened(error),
      })),
      findings: {
        new: sum((row) => row.delta_new),
        reopened: sum((row) => row.delta_reopened),
        resolved: sum((row) => row.delta_resolved),
        unchanged: sum((row) => row.delta_unchanged),
      },
    };
  };
  if (status === 'completed' || status === 'partial') {
    await queueEvent(db, 'scan.completed', now, async () => ({ ...(await data()), status }));
  } else if (status === 'failed') {
    await queueEvent(db, 'scan.failed', now, async () => ({ ...(await data()), status }));
  }
}

interface ProjectRow {
  name: string;
  status: string;
  error: string | null;
  delta_new: number;
  delta_reopened: number;
  delta_resolved: number;
  delta_unchanged: number;
}

/** What the scan of a project has changed. */
interface ChangedProject extends ScanOf {
  readonly project: string;
  /** Numbers of findings. */
  readonly opened: number;
  readonly resolved: number;
}

/**
 * Queues the events of a project's findings, in the transaction that ends its scan. Findings that a failed or cancelled
 * scan has written count too: for the next scan they are no longer new.
 */
export async function announceFindings(
  db: TenantConnection,
  { scanId, projectId, project, opened, resolved }: ChangedProject,
  now: Date,
): Promise<void> {
  const values = [db.tenantId, projectId, scanId];
  if (opened > 0) {
    await queueEvent(db, 'findings.opened', now, async () => {
      const counts = await db.sql<CountRow>(COUNT_OPENED, values);
      const rows = await db.sql<OpenedRow>(LIST_OPENED, values);
      const findings = rows.map((row): EventData<'findings.opened'>['findings'][number] => ({
        ...findingOf(row),
        delta: row.delta === 'new' ? 'new' : 'reopened',
        message: shortened(row.message),
      }));
      return { ...{ scanId, project }, ...listed(counts, fitting(findings)) };
    });
  }
  if (resolved > 0) {
    await queueEvent(db, 'findings.resolved', now, async () => {
      const counts = await db.sql<CountRow>(COUNT_RESOLVED, values);
      const rows = await db.sql<ResolvedRow>(LIST_RESOLVED, values);
      const findings = rows.map((row): EventData<'findings.resolved'>['findings'][number] => ({
        ...findingOf(row),
        // The server wrote it, so the cast is safe.
        reason: row.resolved_reason as 'fixed' | 'asset_gone' | 'rule_retired',
      }));
      return { ...{ scanId, project }, ...listed(counts, fitting(findings)) };
    });
  }
}

function listed<F>(counts: readonly CountRow[], findings: F[]) {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity, count } of counts) bySeverity[severity as Severity] += count;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return { total, bySeverity, truncated: findings.length < total, findings };
}

function findingOf(row: FindingRow) {
  return {
    id: row.id,
    ruleId: row.rule_id,
    severity: row.severity as Severity,
    title: row.title,
    asset: { name: row.asset_name, type: row.asset_type },
  };
}

interface CountRow {
  severity: string;
  count: number;
}

interface FindingRow {
  id: string;
  rule_id: string;
  severity: string;
  title: string;
  asset_name: string;
  asset_type: string;
}

interface OpenedRow extends FindingRow {
  delta: string;
  message: string;
}

interface ResolvedRow extends FindingRow {
  resolved_reason: string | null;
}

// Set-based, over the findings of one scan.
const PROJECTS: Statement = {
  name: 'announce-projects',
  reason: 'set',
  text: `SELECT name, status, left(error, 501) AS error, delta_new, delta_reopened, delta_resolved, delta_unchanged
         FROM scan_projects WHERE tenant_id = $1 AND scan_id = $2 ORDER BY position`,
};

const OPENED = `FROM findings f
  WHERE f.tenant_id = $1 AND f.project_id = $2 AND f.status = 'open' AND f.last_scan_id = $3
    AND f.delta IN ('new', 'reopened')`;

/** The time of the scan selects the partition of its findings. */
const RESOLVED = `FROM scan_findings s
  JOIN findings f ON f.tenant_id = $1 AND f.id = s.finding_id AND f.project_id = $2
  WHERE s.tenant_id = $1 AND s.scan_id = $3 AND s.delta = 'resolved'
    AND s.scan_at = (SELECT created_at FROM scans WHERE tenant_id = $1 AND id = $3)`;

/** Longer names than Google's are left out: the event says that it does not list all findings. */
const list = (columns: string, from: string) => `
  SELECT f.id, f.rule_id, f.severity, f.title, f.asset_name, f.asset_type, ${columns} ${from}
    AND length(f.asset_name) <= 2048
  ORDER BY array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], f.severity), f.id
  LIMIT 100`;

const COUNT_OPENED: Statement = {
  name: 'announce-count-opened',
  reason: 'set',
  text: `SELECT f.severity, count(*)::int AS count ${OPENED} GROUP BY f.severity`,
};
const LIST_OPENED: Statement = {
  name: 'announce-list-opened',
  reason: 'set',
  text: list('f.delta, left(f.message, 501) AS message', OPENED),
};
const COUNT_RESOLVED: Statement = {
  name: 'announce-count-resolved',
  reason: 'set',
  text: `SELECT f.severity, count(*)::int AS count ${RESOLVED} GROUP BY f.severity`,
};
const LIST_RESOLVED: Statement = {
  name: 'announce-list-resolved',
  reason: 'set',
  text: list('f.resolved_reason', RESOLVED),
};
