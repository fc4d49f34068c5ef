import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';

/** A saved view, with the name of its owner. */
export interface ViewRow {
  readonly id: string;
  readonly ownerId: string;
  readonly owner: string;
  readonly name: string;
  readonly query: string;
  readonly shared: boolean;
  readonly createdAt: Date;
}

/** What a person can change of a view. */
export interface ViewContent {
  readonly name: string;
  readonly query: string;
  readonly shared: boolean;
}

const SELECT = {
  id: true,
  ownerId: true,
  name: true,
  query: true,
  shared: true,
  createdAt: true,
} as const;

/** @param userId null: a credential that does not belong to a person, which sees shared views alone. */
const visibleTo = (userId: string | null) =>
  userId === null ? { shared: true } : { OR: [{ shared: true }, { ownerId: userId }] };

/** The views that a person can see, newest first. */
export async function listViews(
  db: TenantConnection,
  userId: string | null,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<ViewRow[]> {
  const rows = await db.prisma.savedView.findMany({
    where: { tenantId: db.tenantId, id: { lt: before ?? AFTER_ALL_IDS }, ...visibleTo(userId) },
    select: SELECT,
    orderBy: { id: 'desc' },
    take: limit,
  });
  return withOwners(db, rows);
}

/** @returns null when there is no such view, or the person cannot see it. */
export async function findView(
  db: TenantConnection,
  userId: string | null,
  id: string,
): Promise<ViewRow | null> {
  const where = { tenantId: db.tenantId, id, ...visibleTo(userId) };
  const rows = await db.prisma.savedView.findMany({ where, select: SELECT, take: 1 });
  const [view] = await withOwners(db, rows);
  return view ?? null;
}

/** How many views a person owns. */
export function countViews(db: TenantConnection, ownerId: string): Promise<number> {
  return db.prisma.savedView.count({ where: { tenantId: db.tenantId, ownerId } });
}

/** @returns false when the owner has a view of that name. */
export async function insertView(
  db: TenantConnection,
  view: ViewContent & { readonly id: string; readonly ownerId: string; readonly createdAt: Date },
): Promise<boolean> {
  const data = { tenantId: db.tenantId, ...view };
  const { count } = await db.prisma.savedView.createMany({ data, skipDuplicates: true });
  return count > 0;
}

/** Whether the owner has another view of that name. */
export async function isNameTaken(
  db: TenantConnection,
  { id, ownerId }: { readonly id: string; readonly ownerId: string },
  name: string,
): Promise<boolean> {
  const where = { tenantId: db.tenantId, ownerId, name, id: { not: id } };
  return (await db.prisma.savedView.count({ where })) > 0;
}

/** `taken`: another request gave another view of the owner that name at the same time; the transaction has failed. */
export async function updateView(
  db: TenantConnection,
  id: string,
  { name, query, shared }: ViewContent,
): Promise<'updated' | 'unknown' | 'taken'> {
  const where = { tenantId: db.tenantId, id };
  try {
    const data = { name, query, shared };
    const { count } = await db.prisma.savedView.updateMany({ where, data });
    return count > 0 ? 'updated' : 'unknown';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) {
      return 'taken';
    }
    throw error;
  }
}

/** Prisma's code of a violated unique constraint. */
const UNIQUE_VIOLATION = 'P2002';

/** @returns false when there is no such view. */
export async function deleteView(db: TenantConnection, id: string): Promise<boolean> {
  const { count } = await db.prisma.savedView.deleteMany({ where: { tenantId: db.tenantId, id } });
  return count > 0;
}

/** The names of people are kept beside the audit trail alone, from where they can be erased. */
async function withOwners<R extends { readonly ownerId: string }>(
  db: TenantConnection,
  rows: readonly R[],
): Promise<(R & { owner: string })[]> {
  if (rows.length === 0) return [];
  const owners = [...new Set(rows.map(({ ownerId }) => ownerId))];
  const labels = await db.prisma.auditLabel.findMany({
    where: { tenantId: db.tenantId, actorId: { in: owners } },
    select: { actorId: true, label: true },
  });
  const byId = new Map(labels.map(({ actorId, label }) => [actorId, label]));
  return rows.map((row) => ({ ...row, owner: byId.get(row.ownerId) ?? 'removed user' }));
}
