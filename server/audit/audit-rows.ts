import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import { AFTER_ALL_IDS, BEFORE_ALL_IDS } from '../ids.ts';

/** A row of the audit trail, with the name behind its actor as far as it is still kept. */
export interface AuditRow extends Row {
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
  /** Ids of people and kinds of credentials. */
  readonly actor?: readonly string[] | undefined;
  readonly action?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The rows before an id (null: from the newest), the newest first. */
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

/** The rows after an id (null: from the oldest), the oldest first. */
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

/** An event as the API shows it. */
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

function valuesOf(db: TenantConnection, { actor, action, from, to }: AuditFilter): unknown[] {
  // Years that only JavaScript or only Postgres knows become errors unless they go through here.
  const at = (time: string) => new Date(time);
  return [
    db.tenantId,
    actor ?? null,
    action ?? null,
    // Always a bound, so that Postgres always leaves out the months that are beyond it.
    from === undefined ? '-infinity' : at(from),
    to === undefined ? 'infinity' : at(to),
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
    AND e.at >= $4::timestamptz AND e.at < $5::timestamptz`;

// Ids are version 7, so their order is that of the events, and the primary key has it.
const NEWEST: Statement = {
  name: 'audit-newest',
  text: `${MATCHING} AND e.id < $6 ORDER BY e.id DESC LIMIT $7`,
};
const OLDEST: Statement = {
  name: 'audit-oldest',
  text: `${MATCHING} AND e.id > $6 ORDER BY e.id LIMIT $7`,
};
