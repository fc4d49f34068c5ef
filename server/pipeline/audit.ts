import type { AuditAction } from '@cspm/contract';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { Principal } from '../identity/principal.ts';
import { newId } from '../ids.ts';

/** Who did it, as far as is known: a principal, or a person whose sign-in is being judged. */
export interface Actor {
  readonly kind: string;
  readonly id: string | null;
  /**
   * A name for the reader of the trail. That of a person goes into `audit_labels`, from which it can be erased; that of
   * a `person` whom we do not know goes nowhere, since it is whatever somebody typed.
   */
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
  const { kind, user } = principal;
  if (user !== null) return { kind, id: user.id, label: user.email };
  return { kind, id: null, label: kind === 'master_key' ? 'master key' : 'global API key' };
}

/** Somebody whose sign-in is being judged; of an unknown address there is no id. */
export function personOf(id: string | null, email: string): Actor {
  return { kind: 'person', id, label: email };
}

/** Requests of which a row tells already that they failed: what refuses them need not tell it again. */
const told = new WeakSet<Origin>();

export function isToldToFail(origin: Origin): boolean {
  return told.has(origin);
}

/** Adds a row to the audit trail, on the connection and in the transaction of what it tells of. */
export async function writeAudit(
  db: TenantConnection,
  origin: Origin,
  entry: AuditEntry,
): Promise<void> {
  if (entry.outcome === 'failure') told.add(origin);
  await db.sql(INSERT, [
    db.tenantId,
    newId(),
    origin.at,
    entry.action,
    entry.outcome,
    entry.actor.kind,
    entry.actor.id,
    entry.actor.id === null && entry.actor.kind === 'person' ? null : entry.actor.label,
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
         VALUES ($1, $2, $3, $4, $5, $6, $7::uuid,
                 CASE WHEN $7::uuid IS NULL THEN $8::text ELSE identity.note_label($7::uuid, $8::text) END,
                 $9, $10, $11, $12, $13)`,
};
