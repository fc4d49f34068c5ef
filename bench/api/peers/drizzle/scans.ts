import { and, desc, eq, lt } from 'drizzle-orm';
import { pageOf } from '../service/scan-page.ts';
import type { ListQuery, ScanPage } from '../service/schemas.ts';
import { inTenant } from './client.ts';
import { scans } from './tables.ts';

export async function listScans(tenantId: string, query: ListQuery): Promise<ScanPage> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  const rows = await inTenant(tenantId, (tx) =>
    tx.query.scans.findMany({
      where: and(eq(scans.tenantId, tenantId), before === null ? undefined : lt(scans.id, before)),
      with: { projects: { orderBy: (project, { asc }) => [asc(project.position)] } },
      orderBy: [desc(scans.id)],
      limit: limit + 1,
    }),
  );
  return pageOf(rows, limit);
}
