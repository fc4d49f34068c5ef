import { once } from 'node:events';
import { exportEvents } from '../modules/audit/export.ts';
import { type Operator, tenantOf } from './operator.ts';

/** Prints the audit trail of a tenant as NDJSON, oldest event first, in the shape of the API. */
export async function exportAudit(operator: Operator, tenant: string): Promise<void> {
  const tenantId = await tenantOf(operator, tenant);
  const { tenants, rows } = operator;
  const databases = rows === tenants ? [tenants] : [rows, tenants];
  for await (const lines of exportEvents(databases, tenantId, {})) {
    if (!operator.out.write(lines)) await once(operator.out, 'drain');
  }
}
