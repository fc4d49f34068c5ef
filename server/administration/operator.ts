import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { AuditAction } from '@cspm/contract';
import type pg from 'pg';
import { type Origin, writeAudit } from '../platform/audit-writer.ts';
import type { Cell } from '../platform/cells/cell-config.ts';
import type { Clock } from '../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../platform/database/tenant-database.ts';

/** What an operator command uses: a database connection as the owner, a role that no server uses for serving. */
export interface Operator {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  /** The rows of tenants, in the database where each is. The same as `tenants` without further databases. */
  readonly rows: TenantDatabase;
  /** The owner's URL of the directory database, and the further databases of tenants. */
  readonly ownerUrl: string;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
  /** The server's secrets, the one in use first. */
  appSecrets(): Promise<readonly string[]>;
  readonly out: Writable;
  /** Writes a line to standard output. */
  say(line: string): void;
  /** Writes a line to standard error, so that it is not part of what another program reads. */
  warn(line: string): void;
}

/** An error of a command, described in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Audits a change to a tenant in the transaction of the change. */
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

/** Binds the connection to another tenant until the transaction ends, for changes to several tenants. */
export async function inTenant(db: TenantConnection, tenantId: string): Promise<TenantConnection> {
  await db.sql(BIND, [tenantId]);
  return { ...db, tenantId };
}

const BIND: Statement = {
  name: 'operator-bind',
  reason: 'command',
  text: "SELECT set_config('app.tenant_id', $1, true)",
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws {CommandError} when no tenant has that id. */
export async function tenantOf(operator: Operator, id: string): Promise<string> {
  const { rows } = UUID.test(id)
    ? await operator.pool.query<{ id: string }>('SELECT id FROM identity.tenants WHERE id = $1', [
        id,
      ])
    : { rows: [] };
  if (rows[0] === undefined) throw new CommandError(`Tenant ${id} does not exist.`);
  return rows[0].id;
}

/** Such as "1 row" and "2 rows". */
export function quantity(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
