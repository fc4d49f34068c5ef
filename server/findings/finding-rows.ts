import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import {
  type FindingFilter,
  type FindingPage,
  type PageQuery,
  pageOfScan,
  pageOfTenant,
} from './finding-page.ts';
import { lastingMuteOf, mutesOfAny } from './muting.ts';

/** A finding with the name of its project and the mute that lasts longest, if any is in force. */
export interface FindingRow extends Row {
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
  /** Of a rule that the tenant has written, for as long as it is there. */
  recommendation: string | null;
}

/** Findings, newest first. */
export async function listFindings(
  db: TenantConnection,
  filter: FindingFilter,
  page: FindingPage,
): Promise<FindingRow[]> {
  if (filter.scan === undefined) {
    return select(db, pageOfTenant(db.tenantId, filter, page), page.limit);
  }
  const [scan] = await db.sql<{ created_at: Date }>(SCAN, [db.tenantId, filter.scan]);
  if (scan === undefined) return [];
  const of = { id: filter.scan, at: scan.created_at };
  return select(db, pageOfScan(db.tenantId, of, filter, page), page.limit);
}

const SCAN: Statement = {
  name: 'findings-scan',
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
    values: [db.tenantId, now, id],
  };
  const [row] = await select(db, query, 1);
  return row ?? null;
}

const NOW = '$2::timestamptz';

/**
 * The rows of a page, with all that is looked up for each: one by one, which the limits of 1 hold Postgres to. What it
 * takes a tenant to have is an average, and for the largest it would rather read everything and throw most of it away.
 */
function select(
  db: TenantConnection,
  { name, tables, text: page, values }: PageQuery,
  limit: number,
): Promise<FindingRow[]> {
  const text = `
    WITH ${tables.join(', ')}
    SELECT f.id, f.fingerprint, f.rule_id, f.severity, f.title, p.name AS project, f.asset_name, f.asset_type,
           f.subject, f.message, f.evidence, f.status, COALESCE(page.delta, f.delta) AS delta, f.first_seen_at,
           f.last_seen_at, f.resolved_at, f.resolved_reason, mute.reason AS mute_reason,
           mute.expires_at AS mute_expires_at, own.recommendation
    FROM (${page}) page
    CROSS JOIN LATERAL (SELECT * FROM findings f WHERE f.tenant_id = $1 AND f.id = page.id LIMIT 1) f
    CROSS JOIN LATERAL (SELECT p.name FROM projects p WHERE p.tenant_id = $1 AND p.id = f.project_id LIMIT 1) p
    LEFT JOIN LATERAL (${lastingMuteOf(NOW)}) mute ON true
    LEFT JOIN custom_rules own ON own.tenant_id = $1 AND own.id = f.rule_id
    ORDER BY f.id DESC LIMIT $${values.length + 1}`;
  return db.sql<FindingRow>({ name, text }, [...values, limit]);
}
