import type { AuditAction } from '@cspm/contract';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { Principal } from '../identity/principal.ts';
import { newId } from '../ids.ts';

/** Who did it, as far as is known: a principal, or a person whose sign-in is being judged. */
export interface Actor {
  readonly kind: string;
  readonly id: string | null;
  readonly label: string | null;
}

/** Where a request came from. */
export interface Origin {
  readonly ip: string;
  readonly correlationId: string;
  readonly at: Date;
}

export interface AuditEntry {
  readonly action: AuditAction;
  readonly outcome: 'success' | 'failure';
  readonly actor: Actor;
  /** The tenant acted upon, where it is not the actor's own. */
  readonly targetTenantId?: string | null;
  /** What it was done to: an id or a name. */
  readonly subject?: string | null;
  readonly detail?: Record<string, unknown>;
}

export function actorOf(principal: Principal): Actor {
  return { kind: principal.kind, id: principal.user.id, label: principal.user.email };
}

/** Adds a row to the audit trail, on the connection and in the transaction of what it tells of. */
export async function writeAudit(
  db: TenantConnection,
  origin: Origin,
  entry: AuditEntry,
): Promise<void> {
  await db.sql(INSERT, [
    db.tenantId,
    newId(),
    origin.at,
    entry.action,
    entry.outcome,
    entry.actor.kind,
    entry.actor.id,
    entry.actor.label,
    entry.targetTenantId ?? null,
    origin.ip,
    origin.correlationId,
    entry.subject ?? null,
    JSON.stringify(entry.detail ?? {}),
  ]);
}

const INSERT: Statement = {
  name: 'audit-insert',
  text: `INSERT INTO audit_events
           (tenant_id, id, at, action, outcome, actor_kind, actor_id, actor_label, target_tenant_id,
            ip, correlation_id, subject, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
};
