import type { AuditAction } from '@cspm/contract';
import type { Statement, TenantConnection } from './database/tenant-database.ts';
import { newId } from './ids.ts';
import type { Principal } from './principal.ts';

/** The acting party: a principal, or a person whose sign-in is being checked. */
export interface Actor {
  readonly kind: string;
  readonly id: string | null;
  /**
   * A name for readers of the trail. A person's name is stored in `audit_labels`, from which it can be erased. The name
   * of an unknown `person` is not stored, because it is unverified input.
   */
  readonly label: string | null;
  /** The API key of the person that sent the request. It is written to the detail, because `id` is the person. */
  readonly apiKeyId?: string;
}

/** Where a request came from. */
export interface Origin {
  readonly ip: string;
  readonly correlationId: string;
  readonly at: Date;
  /** Set once a failure row is written, so that the refusal of the request does not write a second one. */
  failureIsAudited?: boolean;
}

export interface AuditEntry {
  readonly action: AuditAction;
  readonly outcome: 'success' | 'failure';
  readonly actor: Actor;
  /** The tenant acted upon, if it is not the actor's own. */
  readonly targetTenantId?: string | null;
  /** The id or name of the object acted upon. */
  readonly subject?: string | null;
  readonly detail?: Record<string, unknown>;
}

export function actorOf(principal: Principal): Actor {
  const { kind, user } = principal;
  const key = principal.kind === 'api_key' ? { apiKeyId: principal.keyId } : {};
  if (user !== null) return { kind, id: user.id, label: user.email, ...key };
  return { kind, id: null, label: kind === 'master_key' ? 'master key' : 'global API key' };
}

/** A person whose sign-in is being checked; the id is null for an unknown address. */
export function personOf(id: string | null, email: string): Actor {
  return { kind: 'person', id, label: email };
}

/** Adds a row to the audit trail in the current transaction. */
export async function writeAudit(
  db: TenantConnection,
  origin: Origin,
  entry: AuditEntry,
): Promise<void> {
  if (entry.outcome === 'failure') origin.failureIsAudited = true;
  await db.sql(INSERT, columnsOf(db, origin, entry));
}

/** Adds a row to the audit trail at the end of the current transaction, in one round trip with the commit. */
export async function writeAuditWithCommit(
  db: TenantConnection,
  origin: Origin,
  entry: AuditEntry,
): Promise<void> {
  if (entry.outcome === 'failure') origin.failureIsAudited = true;
  await db.sqlWithCommit(INSERT, columnsOf(db, origin, entry));
}

function columnsOf({ tenantId }: TenantConnection, origin: Origin, entry: AuditEntry): unknown[] {
  const { actor } = entry;
  return [
    tenantId,
    newId(),
    origin.at,
    entry.action,
    entry.outcome,
    actor.kind,
    actor.id,
    actor.id === null && actor.kind === 'person' ? null : actor.label,
    entry.targetTenantId ?? null,
    origin.ip,
    origin.correlationId,
    entry.subject ?? null,
    JSON.stringify({ ...entry.detail, apiKeyId: actor.apiKeyId }),
  ];
}

const INSERT: Statement = {
  name: 'audit-insert',
  reason: 'function',
  text: `INSERT INTO audit_events
           (tenant_id, id, at, action, outcome, actor_kind, actor_id, actor_label, target_tenant_id,
            ip, correlation_id, subject, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7::uuid,
                 CASE WHEN $7::uuid IS NULL THEN $8::text ELSE identity.note_label($7::uuid, $8::text) END,
                 $9, $10, $11, $12, $13)`,
};
