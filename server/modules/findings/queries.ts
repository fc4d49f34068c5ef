import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { FindingFilter } from './finding-filter.ts';
import { type FindingPage, type PageQuery, pageOfScan, pageOfTenant } from './finding-page.ts';
import type { ScanMoment } from './matching.ts';
import { lastingMuteOf, mutesOfAny } from './muting.ts';
import { SEEN_FINDINGS } from './seen-findings.ts';

/** A finding with the name of its project and the active mute that ends last, if any. */
export interface FindingRow {
  id: string;
  fingerprint: Buffer;
  rule_id: string;
  severity: string;
  title: string;
  project: string;
  asset_name: string;
  asset_type: string;
  subject: string;
  message: string;
  evidence: unknown;
  status: string;
  delta: string;
  first_seen_at: Date;
  last_seen_at: Date;
  resolved_at: Date | null;
  resolved_reason: string | null;
  mute_reason: string | null;
  mute_expires_at: Date | null;
  /** For a custom rule, until it is deleted. */
  recommendation: string | null;
}

/** A page of the findings that match, in the order of the page. */
export async function listFindings(
  db: TenantConnection,
  filter: FindingFilter,
  page: FindingPage,
): Promise<FindingRow[]> {
  if (filter.scan === undefined) {
    return select(db, pageOfTenant(db.tenantId, filter, page), page.limit);
  }
  const scan = await findScanMoment(db, filter.scan);
  return scan === null ? [] : select(db, pageOfScan(db.tenantId, scan, filter, page), page.limit);
}

/** @returns null when the tenant has no such scan. */
export async function findScanMoment(db: TenantConnection, id: string): Promise<ScanMoment | null> {
  const [scan] = await db.sql<{ created_at: Date }>(SCAN, [db.tenantId, id]);
  return scan === undefined ? null : { id, at: scan.created_at };
}

const SCAN: Statement = {
  name: 'findings-scan',
  reason: 'hot path',
  text: 'SELECT created_at FROM scans WHERE tenant_id = $1 AND id = $2',
};

export async function findFinding(
  db: TenantConnection,
  id: string,
  now: Date,
): Promise<FindingRow | null> {
  const query: PageQuery = {
    name: 'finding',
    tables: [mutesOfAny(NOW)],
    text: 'SELECT f.id, NULL AS delta FROM findings f WHERE f.tenant_id = $1 AND f.id = $3::uuid',
    order: 'f.id',
    values: [db.tenantId, now, id],
  };
  const [row] = await select(db, query, 1);
  return row ?? null;
}

/** The findings with these ids, newest first. Ids that the tenant does not have are left out. */
export async function findingsOfIds(
  db: TenantConnection,
  ids: readonly string[],
  now: Date,
): Promise<FindingRow[]> {
  return select(db, pageOfIds(db.tenantId, ids, now), ids.length);
}

export function pageOfIds(tenantId: string, ids: readonly string[], now: Date): PageQuery {
  return {
    name: 'findings-of-ids',
    tables: [mutesOfAny(NOW)],
    text: 'SELECT id, NULL AS delta FROM unnest($3::uuid[]) AS id',
    order: 'f.id DESC',
    values: [tenantId, now, ids],
  };
}

const NOW = '$2::timestamptz';

function select(db: TenantConnection, page: PageQuery, limit: number): Promise<FindingRow[]> {
  return db.sql<FindingRow>(findingsStatement(page), [...page.values, limit]);
}

const NO_MUTE = 'SELECT NULL::text AS reason, NULL::timestamptz AS expires_at';

/**
 * Selects the rows of a page with their joined data. The LIMIT 1 in each look-up forces Postgres to look up row by row:
 * its estimates are averages over tenants, so for a large one it would read whole tables.
 * @param lasting selects the mute of a finding `f` that it shows.
 */
export function findingsStatement(
  { name, tables, text: page, order, isUnmuted, values }: PageQuery,
  lasting = isUnmuted === true ? NO_MUTE : lastingMuteOf(NOW),
): Statement {
  const text = `
    WITH ${tables.join(', ')}
    SELECT f.id, f.fingerprint, f.rule_id, f.severity, f.title, p.name AS project, f.asset_name, f.asset_type,
           f.subject, f.message, f.evidence, f.status, COALESCE(page.delta, f.delta) AS delta, f.first_seen_at,
           f.last_seen_at, f.resolved_at, f.resolved_reason, mute.reason AS mute_reason,
           mute.expires_at AS mute_expires_at, own.recommendation
    FROM (${page}) page
    CROSS JOIN LATERAL (SELECT * FROM ${SEEN_FINDINGS} f WHERE f.tenant_id = $1 AND f.id = page.id LIMIT 1) f
    CROSS JOIN LATERAL (SELECT p.name FROM projects p WHERE p.tenant_id = $1 AND p.id = f.project_id LIMIT 1) p
    LEFT JOIN LATERAL (${lasting}) mute ON true
    LEFT JOIN custom_rules own ON own.tenant_id = $1 AND own.id = f.rule_id
    ORDER BY ${order} LIMIT $${values.length + 1}`;
  return { name, reason: 'set', text };
}
