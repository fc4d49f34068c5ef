import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS, BEFORE_ALL_IDS } from '../../platform/ids.ts';

/** An audit row, with the name of its actor unless it was erased. */
export interface AuditRow {
  id: string;
  at: Date;
  action: string;
  outcome: 'success' | 'failure';
  actor_kind: string;
  actor_id: string | null;
  label: string | null;
  tenant_id: string;
  target_tenant_id: string | null;
  ip: string;
  correlation_id: string;
  subject: string | null;
  detail: Record<string, never>;
}

export interface AuditFilter {
  /** User ids and kinds of credentials. */
  readonly actor?: readonly string[] | undefined;
  readonly action?: readonly string[] | undefined;
  readonly outcome?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Rows before an id (null: from the newest), newest first. */
export function newestEvents(
  db: TenantConnection,
  filter: AuditFilter,
  page: { readonly before: string | null; readonly limit: number },
): Promise<AuditRow[]> {
  return db.sql<AuditRow>(NEWEST, [
    ...valuesOf(db, filter),
    page.before ?? AFTER_ALL_IDS,
    page.limit,
  ]);
}

/** Rows after an id (null: from the oldest), oldest first. */
export function oldestEvents(
  db: TenantConnection,
  filter: AuditFilter,
  page: { readonly after: string | null; readonly limit: number },
): Promise<AuditRow[]> {
  return db.sql<AuditRow>(OLDEST, [
    ...valuesOf(db, filter),
    page.after ?? BEFORE_ALL_IDS,
    page.limit,
  ]);
}

/** Maps an audit row to its contract type. */
export function auditView(row: AuditRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: { kind: row.actor_kind, id: row.actor_id, label: row.label },
    tenantId: row.tenant_id,
    targetTenantId: row.target_tenant_id,
    ip: row.ip,
    correlationId: row.correlation_id,
    subject: row.subject,
    detail: row.detail,
  };
}

function valuesOf(
  db: TenantConnection,
  { actor, action, outcome, from, to }: AuditFilter,
): unknown[] {
  // Normalize the time: JavaScript and Postgres support different ranges of years, so a raw value could cause an error.
  const at = (time: string) => new Date(time);
  return [
    db.tenantId,
    actor ?? null,
    action ?? null,
    // Always pass a bound, so that Postgres can exclude the partitions of other months.
    from === undefined ? '-infinity' : at(from),
    to === undefined ? 'infinity' : at(to),
    outcome ?? null,
  ];
}

const MATCHING = `
  SELECT e.id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, COALESCE(l.label, e.actor_label) AS label,
         e.tenant_id, e.target_tenant_id, e.ip, e.correlation_id, e.subject, e.detail
  FROM audit_events e
  LEFT JOIN audit_labels l ON l.tenant_id = e.tenant_id AND l.actor_id = e.actor_id
  WHERE e.tenant_id = $1
    AND ($2::text[] IS NULL OR e.actor_id::text = ANY ($2) OR e.actor_kind = ANY ($2))
    AND ($3::text[] IS NULL OR e.action = ANY ($3))
    AND e.at >= $4::timestamptz AND e.at < $5::timestamptz
    AND ($6::text[] IS NULL OR e.outcome = ANY ($6))`;

// Ids are UUIDv7, so the primary key orders events by time.
const NEWEST: Statement = {
  name: 'audit-newest',
  reason: 'set',
  text: `${MATCHING} AND e.id < $7 ORDER BY e.id DESC LIMIT $8`,
};
const OLDEST: Statement = {
  name: 'audit-oldest',
  reason: 'set',
  text: `${MATCHING} AND e.id > $7 ORDER BY e.id LIMIT $8`,
};
