import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { inTrace, type TraceContext } from '../../platform/tracing/job-spans.ts';
import { noteSerious, queueDigests } from '../notifications/index.ts';
import { announceFindings, announceScan, type EndedScan } from './announce.ts';
import { queueSlot } from './enqueue.ts';
import { type ScanOf, stopWriting } from './scan-lock.ts';

/** Completes the scan of a project, and the whole scan when this was its last project. */
export async function complete(
  db: TenantConnection,
  of: ScanOf,
  resolved: number,
  now: Date,
): Promise<void> {
  await endProject(db, of, { status: 'completed', error: null, resolved }, now);
}

/** Fails the scan of a project unless it has ended. Findings of its committed steps remain. */
export async function fail(
  db: TenantConnection,
  of: ScanOf,
  error: string,
  now: Date,
): Promise<void> {
  await endProject(db, of, { status: 'failed', error, resolved: 0 }, now);
}

interface End {
  readonly status: 'completed' | 'failed';
  readonly error: string | null;
  readonly resolved: number;
}

async function endProject(
  db: TenantConnection,
  of: ScanOf,
  { status, error, resolved }: End,
  now: Date,
): Promise<void> {
  const values = [db.tenantId, of.scanId, of.projectId, status, error, resolved, now];
  const [ended] = await db.sql<EndedProjectRow>(END_PROJECT, values);
  if (ended === undefined) return;
  await announceProject(db, ended, now);
  await endScanIfDone(db, of.scanId, now);
  await callNext(db, of.projectId);
}

/**
 * Cancels the queued and running projects of a scan. After the commit the scan has ended: running steps have been
 * committed before, and no other step is written.
 * @returns whether there was anything to cancel.
 */
export async function cancelScan(
  db: TenantConnection,
  scanId: string,
  now: Date,
): Promise<boolean> {
  const open = await db.sql<ScanOfRow>(OPEN_OF_SCAN, [db.tenantId, scanId]);
  await stopWriting(db, open.map(scanOf));
  await db.sql(HOLD_SCAN, [db.tenantId, scanId]);
  const rows = await db.sql<EndedProjectRow>(CANCEL_SCAN, [db.tenantId, scanId, now]);
  if (rows.length === 0) return false;
  for (const row of rows) await announceProject(db, row, now);
  // A cancelled scan has the status cancelled, even if some of its projects had completed.
  await endScanIfDone(db, scanId, now, 'cancelled');
  // In the order in which launches queue projects, so that the transactions cannot deadlock.
  const projectIds = rows.map((row) => scanOf(row).projectId).toSorted();
  for (const projectId of projectIds) await callNext(db, projectId);
  return true;
}

/** Cancels all queued and running scans of a project, for example before it is deleted. */
export async function cancelScansOf(
  db: TenantConnection,
  projectId: string,
  now: Date,
): Promise<void> {
  const stopped = new Set<string>();
  for (;;) {
    const open = await db.sql<ScanOfRow>(OPEN_OF_PROJECT, [db.tenantId, projectId]);
    // Further ones may have begun while this waited for the end of a scan.
    const further = open.map(scanOf).filter(({ scanId }) => !stopped.has(scanId));
    if (further.length === 0) break;
    await stopWriting(db, further);
    for (const { scanId } of further) stopped.add(scanId);
  }
  await db.sql(HOLD_PROJECT, [db.tenantId, projectId]);
  const cancelled = await db.sql<ScanOfRow>(CANCEL_PROJECT, [db.tenantId, projectId, now]);
  const scanIds = cancelled.map((row) => scanOf(row).scanId).toSorted();
  // All of them before the end of the first one, which may lock notification settings.
  await db.sql(LOCK_SCANS, [db.tenantId, scanIds]);
  for (const scanId of scanIds) await endScanIfDone(db, scanId, now);
}

interface ScanOfRow {
  scan_id: string;
  project_id: string;
}

interface EndedProjectRow extends ScanOfRow {
  name: string;
  /** Numbers of findings. */
  opened: number;
  resolved: number;
}

/** Tells webhooks and members what the scan of a project has changed. */
async function announceProject(
  db: TenantConnection,
  { name: project, opened, resolved, ...row }: EndedProjectRow,
  now: Date,
): Promise<void> {
  const of = scanOf(row);
  await announceFindings(db, { ...of, project, opened, resolved }, now);
  if (opened > 0) await noteSerious(db, of);
}

function scanOf({ scan_id: scanId, project_id: projectId }: ScanOfRow): ScanOf {
  return { scanId, projectId };
}

/**
 * Ends a scan without queued or running projects. A separate statement locks its row first: when two projects end
 * concurrently, the later one then counts the committed result of the earlier one.
 */
async function endScanIfDone(
  db: TenantConnection,
  scanId: string,
  now: Date,
  status: 'cancelled' | null = null,
): Promise<void> {
  await db.sql(LOCK_SCAN, [db.tenantId, scanId]);
  const [ended] = await db.sql<EndedScan>(END_SCAN, [db.tenantId, scanId, now, status]);
  if (ended === undefined) return;
  await announceScan(db, scanId, ended, now);
  await queueDigests(db, scanId, now);
}

/** Queues the next scan of the project again if it was turned away; otherwise its job is still in the queue. */
async function callNext(db: TenantConnection, projectId: string): Promise<void> {
  const { tenantId } = db;
  const [next] = await db.sql<NextRow>(NEXT, [tenantId, projectId]);
  if (next?.waits === true) {
    const slot = { tenantId, scanId: next.scan_id, projectId, slot: 0 };
    await inTrace(next.waits_trace, () => queueSlot(db, slot));
  }
}

interface NextRow {
  scan_id: string;
  waits: boolean;
  waits_trace: TraceContext | null;
}

const CHANGED = 'delta_new + delta_reopened AS opened, delta_resolved AS resolved';

const END_PROJECT: Statement = {
  name: 'scan-project-end',
  reason: 'set',
  text: `UPDATE scan_projects SET status = $4, error = $5, delta_resolved = $6, finished_at = $7
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status IN ('queued', 'running')
         RETURNING scan_id, project_id, name, ${CHANGED}`,
};

// All transactions lock these rows in the same order, by project and scan, and before the statement that updates them:
// see `CLAIM` in leases.ts.

const OPEN_OF_SCAN: Statement = {
  name: 'scan-open-projects',
  reason: 'hot path',
  text: `SELECT scan_id, project_id FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND status IN ('queued', 'running')
         ORDER BY project_id`,
};

const HOLD_SCAN: Statement = {
  name: 'scan-hold-open-projects',
  reason: 'lock',
  text: `${OPEN_OF_SCAN.text} FOR NO KEY UPDATE`,
};

const CANCEL_SCAN: Statement = {
  name: 'scan-cancel',
  reason: 'set',
  text: `UPDATE scan_projects SET status = 'cancelled', finished_at = $3
         WHERE tenant_id = $1 AND scan_id = $2 AND status IN ('queued', 'running')
         RETURNING scan_id, project_id, name, ${CHANGED}`,
};

const OPEN_OF_PROJECT: Statement = {
  name: 'project-open-scans',
  reason: 'hot path',
  text: `SELECT scan_id, project_id FROM scan_projects
         WHERE tenant_id = $1 AND project_id = $2 AND status IN ('queued', 'running')
         ORDER BY scan_id`,
};

const HOLD_PROJECT: Statement = {
  name: 'project-hold-open-scans',
  reason: 'lock',
  text: `${OPEN_OF_PROJECT.text} FOR NO KEY UPDATE`,
};

const CANCEL_PROJECT: Statement = {
  name: 'project-cancel-scans',
  reason: 'set',
  text: `UPDATE scan_projects SET status = 'cancelled', finished_at = $3
         WHERE tenant_id = $1 AND project_id = $2 AND status IN ('queued', 'running')
         RETURNING scan_id, project_id`,
};

const NEXT: Statement = {
  name: 'project-next-scan',
  reason: 'hot path',
  text: `SELECT scan_id, waits, waits_trace FROM scan_projects
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'queued' ORDER BY scan_id LIMIT 1`,
};

const LOCK_SCAN: Statement = {
  name: 'scan-lock',
  reason: 'lock',
  text: 'SELECT 1 FROM scans WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};

const LOCK_SCANS: Statement = {
  name: 'scans-lock',
  reason: 'lock',
  text: `SELECT 1 FROM scans WHERE tenant_id = $1 AND id = ANY($2::uuid[])
         ORDER BY id FOR NO KEY UPDATE`,
};

/** Counts the scan's rules: those that passed or failed somewhere, those that only gave UNKNOWN, and the rest. */
const COVERAGE = `
  SELECT jsonb_build_object('rules', r.total, 'decided', c.decided, 'undecided', c.undecided,
                            'unmet', greatest(0, r.total - c.decided - c.undecided))
  FROM (
    SELECT count(*) FILTER (WHERE decided > 0) AS decided,
           count(*) FILTER (WHERE decided = 0 AND undecided > 0) AS undecided
    FROM (
      SELECT sum(pass + fail) AS decided, sum(unknown) AS undecided FROM scan_rule_counts
      WHERE tenant_id = $1 AND scan_id = $2 GROUP BY rule_id
    ) by_rule
  ) c
  CROSS JOIN LATERAL (
    SELECT COALESCE((SELECT jsonb_array_length(rules) FROM rulesets
                     WHERE tenant_id = $1 AND digest = scans.profile_digest),
                    c.decided + c.undecided) AS total
  ) r`;

const END_SCAN: Statement = {
  name: 'scan-end',
  reason: 'set',
  text: `
    UPDATE scans SET finished_at = $3, coverage = (${COVERAGE}), status = COALESCE($4, CASE
      WHEN ended.failed > 0 AND ended.completed > 0 THEN 'partial'
      WHEN ended.failed > 0 THEN 'failed'
      WHEN ended.completed > 0 THEN 'completed'
      ELSE 'cancelled'
    END)
    FROM (
      SELECT count(*) FILTER (WHERE status IN ('queued', 'running')) AS open,
             count(*) FILTER (WHERE status = 'completed') AS completed,
             count(*) FILTER (WHERE status = 'failed') AS failed
      FROM scan_projects WHERE tenant_id = $1 AND scan_id = $2
    ) ended
    WHERE scans.tenant_id = $1 AND scans.id = $2 AND scans.finished_at IS NULL AND ended.open = 0
    RETURNING scans.status, scans.profile, scans.schedule_id`,
};
