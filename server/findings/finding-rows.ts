import type { Prisma } from '../database/generated/client.ts';
import type { TenantConnection } from '../database/tenant-database.ts';

export interface FindingFilter {
  readonly before: string | null;
  readonly limit: number;
  readonly project?: readonly string[] | undefined;
  readonly severity?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly rule?: readonly string[] | undefined;
  readonly scan?: string | undefined;
}

const withProject = { project: { select: { name: true } } } as const;

export type FindingRow = Prisma.FindingGetPayload<{ include: typeof withProject }>;

/** Findings, newest first; with `scan`, what that scan saw or resolved, under the delta that it gave. */
export async function listFindings(
  db: TenantConnection,
  filter: FindingFilter,
): Promise<FindingRow[]> {
  const seen = filter.scan === undefined ? null : await seenBy(db, filter.scan, filter);
  if (seen !== null && seen.length === 0) return [];
  const rows = await db.prisma.finding.findMany({
    where: {
      ...conditions(db, filter),
      ...(seen === null ? {} : { id: { in: seen.map((s) => s.id) } }),
    },
    include: withProject,
    orderBy: { id: 'desc' },
    take: filter.limit,
  });
  if (seen === null) return rows;
  const deltas = new Map(seen.map(({ id, delta }) => [id, delta]));
  return rows.map((row) => ({ ...row, delta: deltas.get(row.id) ?? row.delta }));
}

export async function findFinding(db: TenantConnection, id: string): Promise<FindingRow | null> {
  return db.prisma.finding.findFirst({
    where: { tenantId: db.tenantId, id },
    include: withProject,
  });
}

function conditions(db: TenantConnection, filter: FindingFilter): Prisma.FindingWhereInput {
  const { before, project, severity, status, rule } = filter;
  return {
    tenantId: db.tenantId,
    ...(before === null ? {} : { id: { lt: before } }),
    ...(project === undefined ? {} : { project: { name: { in: [...project] } } }),
    ...(severity === undefined ? {} : { severity: { in: [...severity] } }),
    ...(status === undefined ? {} : { status: { in: [...status] } }),
    ...(rule === undefined ? {} : { ruleId: { in: [...rule] } }),
  };
}

/** One page of what a scan saw, after the other filters. The time of the scan names the partition to look in. */
async function seenBy(
  db: TenantConnection,
  scanId: string,
  filter: FindingFilter,
): Promise<{ id: string; delta: string }[]> {
  return db.sql<{ id: string; delta: string }>(SEEN, [
    db.tenantId,
    scanId,
    filter.before,
    filter.project ?? null,
    filter.severity ?? null,
    filter.status ?? null,
    filter.rule ?? null,
    filter.limit,
  ]);
}

const SEEN = {
  name: 'findings-seen-by-scan',
  text: `
    SELECT f.id, sf.delta
    FROM scans s
    JOIN scan_findings sf ON sf.tenant_id = $1 AND sf.scan_id = s.id AND sf.scan_at = s.created_at
    JOIN findings f ON f.tenant_id = $1 AND f.id = sf.finding_id
    JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id
    WHERE s.tenant_id = $1 AND s.id = $2
      AND ($3::uuid IS NULL OR sf.finding_id < $3)
      AND ($4::text[] IS NULL OR p.name = ANY($4))
      AND ($5::text[] IS NULL OR f.severity = ANY($5))
      AND ($6::text[] IS NULL OR f.status = ANY($6))
      AND ($7::text[] IS NULL OR f.rule_id = ANY($7))
    ORDER BY sf.finding_id DESC
    LIMIT $8`,
};
