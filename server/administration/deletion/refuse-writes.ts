import pg from 'pg';
import { withTableLock } from '../../platform/cells/guards.ts';
import { setState, transaction } from '../cells/move-context.ts';
import type { Place } from './deletion-context.ts';

const nameOf = (tenantId: string) => `tenant_deletion_${tenantId.replaceAll('-', '')}`;

/**
 * Refuses writes of the tenant's rows by anyone else: requests get 503, and jobs fail. The triggers are needed because
 * the guards of cells exist only with DATABASE_CELLS. They cost the writes of other tenants one comparison a row.
 * Each statement waits for running writes to its table, so no write is missed.
 */
export async function refuseWrites({ client, tables }: Place, tenantId: string): Promise<void> {
  await transaction(client, async () => {
    await setState(client, tenantId, 'gone');
    await endDues(client, tenantId);
  });
  const tenant = pg.escapeLiteral(tenantId);
  for (const table of tables) {
    await withTableLock(client, [
      `CREATE OR REPLACE TRIGGER ${nameOf(tenantId)} AFTER INSERT OR UPDATE ON public.${pg.escapeIdentifier(table.name)}
       FOR EACH ROW WHEN (NEW.tenant_id = ${tenant}) EXECUTE FUNCTION cells.guard('home')`,
    ]);
  }
  // Writes that were running have added some.
  await endDues(client, tenantId);
}

/** Ends schedules, mails about findings and webhooks, which would be tried and refused again until their rows are deleted. */
async function endDues(client: pg.Client, tenantId: string): Promise<void> {
  await client.query('SELECT cells.rebuild_dues($1, false)', [tenantId]);
}

export async function endRefusal({ client, tables }: Place, tenantId: string): Promise<void> {
  for (const table of tables) {
    await withTableLock(client, [
      `DROP TRIGGER IF EXISTS ${nameOf(tenantId)} ON public.${pg.escapeIdentifier(table.name)}`,
    ]);
  }
}
