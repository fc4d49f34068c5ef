import type { Prisma } from '../database/generated/client.ts';
import type { TenantConnection } from '../database/tenant-database.ts';

const shown = {
  id: true,
  assets: true,
  assetTypes: true,
  bytes: true,
  warnings: true,
  createdAt: true,
} as const;

export type InventoryRow = Prisma.InventoryGetPayload<{ select: typeof shown }>;

/** The inventories of a project that are kept, newest first; uploads that are still coming in are none yet. */
export async function listInventories(
  db: TenantConnection,
  projectId: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<InventoryRow[]> {
  return db.prisma.inventory.findMany({
    select: shown,
    where: {
      tenantId: db.tenantId,
      projectId,
      status: 'ready',
      ...(before === null ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  });
}

/** An inventory as the contract shows it. */
export function inventoryView({ id, assets, bytes, createdAt, ...row }: InventoryRow) {
  return {
    id,
    assets,
    // The database holds what this server wrote there.
    assetTypes: row.assetTypes as { type: string; count: number }[],
    bytes: Number(bytes),
    warnings: row.warnings as { line: number; message: string }[],
    createdAt: createdAt.toISOString(),
  };
}
