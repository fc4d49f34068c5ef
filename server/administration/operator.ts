import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { AuditAction } from '@cspm/contract';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { type Origin, writeAudit } from '../pipeline/audit.ts';

/** What a command of the operator has at hand: the database as its owner, which no server ever serves as. */
export interface Operator {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  /** Those of the server, the one in use first. */
  appSecrets(): Promise<readonly string[]>;
  readonly out: Writable;
  /** Writes a line to standard output. */
  say(line: string): void;
}

/** What cannot be done, in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Audits what the operator did to a tenant, in the transaction of the effect. */
export async function auditOperator(
  operator: Operator,
  db: TenantConnection,
  what: { action: AuditAction; subject: string; detail?: Record<string, unknown> },
): Promise<void> {
  const origin: Origin = { ip: '', correlationId: randomUUID(), at: operator.clock.now() };
  await writeAudit(db, origin, {
    ...what,
    outcome: 'success',
    actor: { kind: 'operator', id: null, label: 'npm run admin' },
  });
}

/** The connection as one of another tenant, until the transaction ends: for what concerns several of them. */
export async function inTenant(db: TenantConnection, tenantId: string): Promise<TenantConnection> {
  await db.sql(BIND, [tenantId]);
  return { ...db, tenantId };
}

const BIND: Statement = {
  name: 'operator-bind',
  text: "SELECT set_config('app.tenant_id', $1, true)",
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws {CommandError} when there is no tenant of that id. */
export async function tenantOf(operator: Operator, id: string): Promise<string> {
  const { rows } = UUID.test(id)
    ? await operator.pool.query<{ id: string }>('SELECT id FROM identity.tenants WHERE id = $1', [
        id,
      ])
    : { rows: [] };
  if (rows[0] === undefined) throw new CommandError(`There is no tenant ${id}.`);
  return rows[0].id;
}
