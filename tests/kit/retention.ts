import type pg from 'pg';
import { retentionTask } from '../../server/modules/maintenance/retention.ts';
import { TenantDatabase } from '../../server/platform/database/tenant-database.ts';
import { createLogger } from '../../server/platform/logger.ts';
import type { TestServer } from './test-server.ts';

/** @returns what runs the nightly task on a pool of the worker role. It keeps two inventories and one month of scans. */
export function retentionOf(
  { clock }: TestServer,
  pool: pg.Pool,
  log = createLogger('silent'),
): () => Promise<void> {
  const services = { pool, tenants: new TenantDatabase(pool), clock, log };
  const task = retentionTask(services, { auditMonths: 2, scanMonths: 1, inventoriesKept: 2 });
  return () => task({}, { isLast: false, isStopping: () => false });
}
