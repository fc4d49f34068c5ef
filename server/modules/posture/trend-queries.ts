import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** The posture at the end of a day, of a project or of all. */
export interface PostureRow {
  /** For example `2026-11-20`. */
  day: string;
  critical: number;
  high: number;
  medium: number;
  low: number;
  info: number;
  passed_weight: number;
  decided_weight: number;
  decided: number;
  unknown: number;
  opened: number;
  resolved: number;
}

/** Days as `2026-11-20`, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The rows of a range of days, oldest first, and the last one before it, which holds on its first days.
 * @param projectId null: the totals of the tenant.
 */
export async function postureRows(
  db: TenantConnection,
  projectId: string | null,
  { from, to }: DayRange,
): Promise<PostureRow[]> {
  return projectId === null
    ? db.sql<PostureRow>(ROWS_OF_TENANT, [db.tenantId, from, to])
    : db.sql<PostureRow>(ROWS_OF_PROJECT, [db.tenantId, from, to, projectId]);
}

/** @returns null when the tenant has no project of that name. */
export async function findProjectId(db: TenantConnection, name: string): Promise<string | null> {
  const where = { tenantId: db.tenantId, name };
  const project = await db.prisma.project.findFirst({ where, select: { id: true } });
  return project?.id ?? null;
}

/** Sums beyond the 32 bits of an integer are sent as floating point, which is exact up to 2^53. */
export const POSTURE_COLUMNS = `
  t.day::text AS day, t.critical, t.high, t.medium, t.low, t.info, t.passed_weight::float8 AS passed_weight,
  t.decided_weight::float8 AS decided_weight, t.decided::float8 AS decided, t.unknown::float8 AS unknown,
  t.opened, t.resolved`;

/**
 * One range of the primary key, and the row before it. They are two queries: below row-level security, Postgres would not
 * use a condition such as `day >= COALESCE(…)` to enter the index.
 */
const rowsOf = (name: string, table: string, which: string): Statement => ({
  name,
  reason: 'set',
  text: `
    SELECT ${POSTURE_COLUMNS}
    FROM (SELECT * FROM ${table} t WHERE ${which} AND t.day <= $2::date ORDER BY t.day DESC LIMIT 1) t
    UNION ALL
    SELECT ${POSTURE_COLUMNS} FROM ${table} t
    WHERE ${which} AND t.day > $2::date AND t.day <= $3::date
    ORDER BY day`,
});

/** Hand-written as a hot path: two years of a tenant with 1,000 projects take Postgres 1.3 ms (docs/posture.md). */
export const ROWS_OF_TENANT = rowsOf(
  'posture-rows-of-tenant',
  'posture_totals',
  't.tenant_id = $1',
);
export const ROWS_OF_PROJECT = rowsOf(
  'posture-rows-of-project',
  'posture_days',
  't.tenant_id = $1 AND t.project_id = $4',
);
