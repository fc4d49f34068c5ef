import { once } from 'node:events';
import { exportEvents } from '../modules/audit/export.ts';
import { type Operator, tenantOf } from './operator.ts';

/** Prints the audit trail of a tenant as NDJSON, oldest event first, in the shape of the API. */
export async function exportAudit(operator: Operator, tenant: string): Promise<void> {
  const tenantId = await tenantOf(operator, tenant);
  for await (const lines of exportEvents(operator.tenants, tenantId, {})) {
    if (!operator.out.write(lines)) await once(operator.out, 'drain');
  }
}
