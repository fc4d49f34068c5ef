import type { Prisma } from '../../../../server/platform/database/generated/client.ts';
import { pageOf } from '../service/scan-page.ts';
import type { ListQuery, ScanPage } from '../service/schemas.ts';
import { inTenant } from './client.ts';

export async function listScans(tenantId: string, query: ListQuery): Promise<ScanPage> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  const rows = await inTenant(tenantId, (tx) =>
    tx.scan.findMany({
      where: { tenantId, ...(before === null ? {} : { id: { lt: before } }) },
      select: SHOWN,
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  );
  return pageOf(rows, limit);
}

const SHOWN = {
  id: true,
  status: true,
  profile: true,
  profileDigest: true,
  coverage: true,
  createdByKind: true,
  createdById: true,
  createdByLabel: true,
  scheduleId: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  projects: {
    orderBy: { position: 'asc' },
    select: {
      name: true,
      status: true,
      error: true,
      inventoryId: true,
      assets: true,
      evaluations: true,
      pass: true,
      fail: true,
      unknown: true,
      critical: true,
      high: true,
      medium: true,
      low: true,
      info: true,
      deltaNew: true,
      deltaResolved: true,
      deltaReopened: true,
      deltaUnchanged: true,
    },
  },
} satisfies Prisma.ScanSelect;
