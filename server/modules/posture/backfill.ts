import type pg from 'pg';
import type { Logger } from 'pino';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../platform/database/tenant-database.ts';
import { isOutage } from '../../platform/database/unavailable.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import type { ResolvedCount } from '../findings/index.ts';
import type { RulesetRule } from '../rules/index.ts';
import { lockPosture, type OpenCounts, recordPosture, type ScannedProject } from './record.ts';

export interface BackfillServices {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  readonly log: Logger;
}

/** Scans that are read at a time, and rows that are written in one transaction. */
const SCANS_A_PAGE = 20;
const ROWS_A_TRANSACTION = 50;

/**
 * Records the posture of completed scans that have none, because an earlier release ended them; for all tenants. May be
 * stopped or killed at any moment and run again, by several workers at once: each scan of a project is recorded once, in
 * the transaction that marks it.
 */
export async function backfillPosture(
  { pool, tenants, log }: BackfillServices,
  isStopping: () => boolean,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT jobs.tenants() AS id');
  for (const { id } of rows) {
    if (isStopping()) return;
    try {
      const recorded = await backfillTenant(tenants, id, isStopping);
      if (recorded > 0) log.info({ tenant: id, recorded }, 'Recorded the posture of past scans');
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error({ err: error, tenant: id }, 'Failed to record the posture of past scans');
    }
  }
}

/**
 * Goes from the newest scan to the oldest one that is to be recorded, in one snapshot. The findings that were open after a
 * scan are those open now, less what later scans opened, plus what they resolved. A finding counts with its present
 * severity, and a resolution with the end of its scan where a later scan reopened the finding.
 * @returns how many scans of projects were recorded.
 */
async function backfillTenant(
  tenants: TenantDatabase,
  tenantId: string,
  isStopping: () => boolean,
): Promise<number> {
  return tenants.write(tenantId, async (db) => {
    await db.sql(SNAPSHOT);
    const [oldest] = await db.sql<{ scan_id: string }>(OLDEST, [tenantId]);
    if (oldest === undefined) return 0;
    const openAfter = new OpenByProject(await db.sql<OpenRow>(OPEN, [tenantId]));
    let recorded = 0;
    let before = AFTER_ALL_IDS;
    for (;;) {
      const page = await db.sql<ScanRow>(PAGE, [tenantId, before, oldest.scan_id, SCANS_A_PAGE]);
      for (const scan of page) {
        if (isStopping()) return recorded;
        before = scan.id;
        const values = [tenantId, scan.id, scan.created_at, scan.finished_at];
        const changes = await db.sql<ChangeRow>(CHANGES, values);
        const found = scannedIn(scan, changes, openAfter);
        openAfter.undo(changes);
        for (let from = 0; from < found.length; from += ROWS_A_TRANSACTION) {
          recorded += await record(tenants, tenantId, found.slice(from, from + ROWS_A_TRANSACTION));
          // A transaction that is idle for 30 s is ended.
          await db.sql(KEEP_ALIVE);
        }
      }
      if (page.length < SCANS_A_PAGE) return recorded;
    }
  });
}

/** The projects of a scan that are to be recorded. */
function scannedIn(
  scan: ScanRow,
  changes: readonly ChangeRow[],
  openAfter: OpenByProject,
): ScannedProject[] {
  const { finished_at: at } = scan;
  if (at === null) return [];
  const resolved = new Map<string, ResolvedCount[]>(scan.waiting.map((id) => [id, []]));
  for (const { project_id: id, severity, resolved: count, ended, seconds } of changes) {
    resolved.get(id)?.push({ severity, count, ended, seconds });
  }
  return [...resolved].map(([projectId, counts]) => ({
    projectId,
    scanId: scan.id,
    at,
    rules: scan.rules ?? [],
    open: { ...openAfter.of(projectId) },
    resolved: counts,
  }));
}

async function record(
  tenants: TenantDatabase,
  tenantId: string,
  scans: readonly ScannedProject[],
): Promise<number> {
  return tenants.write(tenantId, async (db) => {
    await lockPosture(db);
    let recorded = 0;
    for (const scan of scans) if (await recordOnce(db, scan)) recorded += 1;
    return recorded;
  });
}

/** @returns false when it is recorded already, or its project was deleted. */
async function recordOnce(db: TenantConnection, scan: ScannedProject): Promise<boolean> {
  const values = [db.tenantId, scan.scanId, scan.projectId, scan.at];
  const [marked] = await db.sql<{ has_project: boolean }>(MARK, values);
  if (marked?.has_project !== true) return false;
  await recordPosture(db, scan);
  return true;
}

/** Open findings by project, at a moment that is moved back scan by scan. */
class OpenByProject {
  readonly #open = new Map<string, OpenCounts>();

  constructor(rows: readonly OpenRow[]) {
    for (const { project_id: id, severity, count } of rows) this.of(id)[severity] += count;
  }

  of(projectId: string): OpenCounts {
    let open = this.#open.get(projectId);
    if (open === undefined) {
      open = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
      this.#open.set(projectId, open);
    }
    return open;
  }

  undo(changes: readonly ChangeRow[]): void {
    for (const { project_id: id, severity, opened, resolved } of changes) {
      this.of(id)[severity] += resolved - opened;
    }
  }
}

interface OpenRow extends Pick<ResolvedCount, 'severity' | 'count'> {
  project_id: string;
}

interface ScanRow {
  id: string;
  created_at: Date;
  finished_at: Date | null;
  rules: RulesetRule[] | null;
  /** The projects whose scan completed and is not recorded. */
  waiting: string[];
}

interface ChangeRow extends Pick<ResolvedCount, 'severity' | 'ended' | 'seconds'> {
  project_id: string;
  opened: number;
  resolved: number;
}

const SNAPSHOT: Statement = {
  name: 'posture-snapshot',
  reason: 'command',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
};

const KEEP_ALIVE: Statement = { name: 'posture-keep-alive', reason: 'command', text: 'SELECT 1' };

/** From the index of the scans of projects without posture, which is empty as a rule. */
const OLDEST: Statement = {
  name: 'posture-oldest-unrecorded',
  reason: 'set',
  text: `
    SELECT sp.scan_id FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id AND s.finished_at IS NOT NULL
    WHERE sp.tenant_id = $1 AND sp.status = 'completed' AND sp.finished_at IS NULL
    ORDER BY sp.scan_id LIMIT 1`,
};

const OPEN: Statement = {
  name: 'posture-open-by-project',
  reason: 'set',
  text: `SELECT project_id, severity, count(*)::int AS count FROM findings
         WHERE tenant_id = $1 AND status = 'open' GROUP BY project_id, severity`,
};

const PAGE: Statement = {
  name: 'posture-scans',
  reason: 'set',
  text: `
    SELECT s.id, s.created_at, s.finished_at, r.rules,
           ARRAY(SELECT sp.project_id FROM scan_projects sp
                 WHERE sp.tenant_id = $1 AND sp.scan_id = s.id AND sp.status = 'completed'
                   AND sp.finished_at IS NULL) AS waiting
    FROM scans s LEFT JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
    WHERE s.tenant_id = $1 AND s.id < $2 AND s.id >= $3
    ORDER BY s.id DESC LIMIT $4`,
};

/** What a scan changed, by project and severity. */
const CHANGES: Statement = {
  name: 'posture-changes',
  reason: 'set',
  text: `
    SELECT f.project_id, f.severity,
           count(*) FILTER (WHERE sf.delta IN ('new', 'reopened'))::int AS opened,
           count(*) FILTER (WHERE sf.delta = 'resolved')::int AS resolved,
           count(*) FILTER (WHERE has_ended)::int AS ended,
           COALESCE(sum(greatest(0, round(extract(epoch FROM
             CASE WHEN f.resolved_at BETWEEN $3 AND $4 THEN f.resolved_at ELSE $4 END - f.first_seen_at
           )))) FILTER (WHERE has_ended), 0)::float8 AS seconds
    FROM scan_findings sf JOIN findings f ON f.tenant_id = $1 AND f.id = sf.finding_id
    CROSS JOIN LATERAL (
      SELECT sf.delta = 'resolved' AND f.resolved_reason IS DISTINCT FROM 'rule_retired' AS has_ended
    ) e
    WHERE sf.tenant_id = $1 AND sf.scan_id = $2 AND sf.scan_at = $3 AND sf.delta <> 'unchanged'
    GROUP BY f.project_id, f.severity`,
};

/** Marks a scan of a project as recorded, also where the project is gone and there is nothing to record. */
const MARK: Statement = {
  name: 'posture-mark',
  reason: 'set',
  text: `
    UPDATE scan_projects sp SET finished_at = $4
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3
      AND sp.status = 'completed' AND sp.finished_at IS NULL
    RETURNING EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.id = $3) AS has_project`,
};
