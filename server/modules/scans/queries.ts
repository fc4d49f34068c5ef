import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import { queueJobs } from '../../platform/tracing/job-spans.ts';
import type { Ruleset } from '../rules/index.ts';
import { type PackedProject, PROJECT_COLUMNS } from './packed-project.ts';

/** A scan with its projects, in one row. */
export interface ScanRow {
  id: string;
  status: string;
  profile: string;
  profile_digest: string;
  created_by_kind: string;
  created_by_id: string | null;
  created_by_label: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  coverage: ScanCoverage | null;
  schedule_id: string | null;
  projects: PackedProject[];
}

/** Counts of the scan's rules by whether they gave a result. */
export interface ScanCoverage {
  readonly rules: number;
  readonly decided: number;
  readonly undecided: number;
  readonly unmet: number;
}

export interface ScanFilter {
  readonly before: string | null;
  readonly limit: number;
  readonly status?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Lists scans, newest first, in one statement, because clients poll this list. */
export async function listScans(db: TenantConnection, filter: ScanFilter): Promise<ScanRow[]> {
  const { status, project, ids } = filter;
  const page = [db.tenantId, filter.before ?? AFTER_ALL_IDS, filter.limit];
  if (ids !== undefined) {
    return db.sql<ScanRow>(LIST_IDS, [...page, ids, status ?? null, project ?? null]);
  }
  if (project !== undefined) {
    return db.sql<ScanRow>(LIST_OF_PROJECTS, [...page, [...new Set(project)], status ?? null]);
  }
  return status === undefined
    ? db.sql<ScanRow>(LIST, page)
    : db.sql<ScanRow>(LIST_BY_STATUS, [...page, [...new Set(status)]]);
}

export async function findScan(db: TenantConnection, id: string): Promise<ScanRow | null> {
  const [row] = await db.sql<ScanRow>(FIND, [db.tenantId, id]);
  return row ?? null;
}

export interface NewScan {
  readonly id: string;
  readonly ruleset: Ruleset;
  readonly createdBy: {
    readonly kind: string;
    /** Null for a shared credential, which has no user. */
    readonly id: string | null;
    readonly label: string;
  };
  /** The schedule that launches it. Default: launched by a request. */
  readonly scheduleId?: string;
  readonly createdAt: Date;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Stores a scan with its ruleset and queues one job per project, in one statement. All launches queue projects in the same
 * order, because each job holds the queue of its project until the end of the transaction: they would deadlock otherwise.
 */
export async function insertScan(db: TenantConnection, scan: NewScan): Promise<void> {
  const values = [
    db.tenantId,
    scan.id,
    scan.ruleset.profile,
    scan.ruleset.digest,
    scan.createdBy.kind,
    scan.createdBy.id,
    scan.createdBy.label,
    scan.createdAt,
    scan.projects.map((project) => project.id),
    scan.projects.map((project) => project.name),
    JSON.stringify(scan.ruleset.rules),
  ];
  await queueJobs('scan-project', scan.projects.length, ({ traceparent, tracestate }) =>
    db.sql(INSERT, [...values, traceparent ?? null, tracestate ?? null, scan.scheduleId ?? null]),
  );
}

const COLUMNS = `
  s.id, s.status, s.profile, s.profile_digest, s.created_by_kind, s.created_by_id, s.created_by_label,
  s.created_at, s.started_at, s.finished_at, s.coverage, s.schedule_id, p.projects`;

const PROJECTS = `
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_array(sp.${PROJECT_COLUMNS.join(', sp.')}) ORDER BY sp.position) AS projects
    FROM scan_projects sp WHERE sp.tenant_id = s.tenant_id AND sp.scan_id = s.id
  ) p`;

const PAGE = 'ORDER BY s.id DESC LIMIT $3';

const LIST: Statement = {
  name: 'scans-list',
  reason: 'set',
  text: `SELECT ${COLUMNS} FROM scans s ${PROJECTS} WHERE s.tenant_id = $1 AND s.id < $2 ${PAGE}`,
};

/**
 * Reads one page per status and takes the newest of all pages. A rare status would otherwise require a scan of the
 * whole table.
 */
const LIST_BY_STATUS: Statement = {
  name: 'scans-list-by-status',
  reason: 'set',
  text: `SELECT ${COLUMNS}
         FROM unnest($4::text[]) AS by_status(value)
         CROSS JOIN LATERAL (
           SELECT * FROM scans s WHERE s.tenant_id = $1 AND s.status = by_status.value AND s.id < $2 ${PAGE}
         ) s ${PROJECTS} ${PAGE}`,
};

/** The same for each project. A scan of several of them appears once. */
const LIST_OF_PROJECTS: Statement = {
  name: 'scans-list-of-projects',
  reason: 'set',
  text: `SELECT ${COLUMNS}
         FROM (
           SELECT DISTINCT sp.scan_id
           FROM unnest($4::text[]) AS by_name(value)
           CROSS JOIN LATERAL (
             SELECT sp.scan_id FROM scan_projects sp
             JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id AND ($5::text[] IS NULL OR s.status = ANY($5))
             WHERE sp.tenant_id = $1 AND sp.name = by_name.value AND sp.scan_id < $2
             ORDER BY sp.scan_id DESC LIMIT $3
           ) sp
           ORDER BY sp.scan_id DESC LIMIT $3
         ) page
         JOIN scans s ON s.tenant_id = $1 AND s.id = page.scan_id ${PROJECTS} ${PAGE}`,
};

const LIST_IDS: Statement = {
  name: 'scans-list-ids',
  reason: 'set',
  text: `SELECT ${COLUMNS} FROM scans s ${PROJECTS}
         WHERE s.tenant_id = $1 AND s.id < $2 AND s.id = ANY($4::uuid[])
           AND ($5::text[] IS NULL OR s.status = ANY($5))
           AND ($6::text[] IS NULL OR EXISTS (
             SELECT 1 FROM scan_projects f
             WHERE f.tenant_id = $1 AND f.scan_id = s.id AND f.name = ANY($6))) ${PAGE}`,
};

const FIND: Statement = {
  name: 'scan-find',
  reason: 'set',
  text: `SELECT ${COLUMNS} FROM scans s ${PROJECTS} WHERE s.tenant_id = $1 AND s.id = $2`,
};

const INSERT: Statement = {
  name: 'scan-insert',
  reason: 'function',
  text: `
    WITH ruleset AS (
      INSERT INTO rulesets (tenant_id, digest, profile, rules, created_at)
      VALUES ($1, $4, $3, $11, $8)
      ON CONFLICT (tenant_id, digest) DO NOTHING
    ), scan AS (
      INSERT INTO scans (tenant_id, id, status, profile, profile_digest,
                         created_by_kind, created_by_id, created_by_label, created_at, schedule_id)
      VALUES ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $14)
      RETURNING tenant_id, id
    ), queued AS (
      INSERT INTO scan_projects (tenant_id, scan_id, project_id, name, position, status)
      SELECT scan.tenant_id, scan.id, p.id, p.name, p.position, 'queued'
      FROM scan CROSS JOIN unnest($9::uuid[], $10::text[]) WITH ORDINALITY AS p(id, name, position)
      RETURNING tenant_id, scan_id, project_id
    )
    SELECT jobs.enqueue(
      'scan-project',
      json_strip_nulls(json_build_object(
        'tenantId', tenant_id, 'scanId', scan_id, 'projectId', project_id,
        'traceparent', $12::text, 'tracestate', $13::text
      )),
      'project:' || project_id,
      NULL,
      ARRAY['scan', 'tenant:' || tenant_id, 'scan:' || scan_id || ':' || project_id]
    ) FROM queued ORDER BY project_id`,
};
