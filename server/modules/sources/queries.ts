import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** Who set a source or requested a pull. */
export interface Requester {
  readonly kind: string;
  readonly id: string | null;
  readonly label: string;
}

export interface SourceRow {
  readonly projectId: string;
  readonly kind: string;
  readonly parent: string;
  readonly credentialType: string;
  readonly principal: string;
  /** Sealed. Null: the account is impersonated. */
  readonly credential: Uint8Array | null;
  readonly createdByKind: string;
  readonly createdById: string | null;
  readonly createdByLabel: string;
  readonly createdAt: Date;
}

/** @returns the id of a project; null when the tenant has none of that name. */
export async function findProjectId(db: TenantConnection, name: string): Promise<string | null> {
  const row = await db.prisma.project.findUnique({
    where: { tenantId_name: { tenantId: db.tenantId, name } },
    select: { id: true },
  });
  return row?.id ?? null;
}

/** The same, held until the transaction ends: sources and pulls of a project change one at a time. */
export async function lockProject(db: TenantConnection, name: string): Promise<string | null> {
  const [row] = await db.sql<{ id: string }>(LOCK_PROJECT, [db.tenantId, name]);
  return row?.id ?? null;
}

// Written by hand because Prisma Client takes no row locks.
const LOCK_PROJECT: Statement = {
  name: 'source-lock-project',
  reason: 'lock',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND name = $2 FOR NO KEY UPDATE',
};

export function findSource(db: TenantConnection, projectId: string): Promise<SourceRow | null> {
  return db.prisma.source.findUnique({
    where: { tenantId_projectId: { tenantId: db.tenantId, projectId } },
    omit: { tenantId: true },
  });
}

/** Replaces the source of a project. @returns whether there was one. */
export async function putSource(
  db: TenantConnection,
  { projectId, ...content }: Omit<SourceRow, 'credential'> & { credential: Buffer | null },
): Promise<boolean> {
  const { tenantId } = db;
  const credential = content.credential === null ? null : new Uint8Array(content.credential);
  const data = { ...content, credential };
  const { count } = await db.prisma.source.updateMany({ where: { tenantId, projectId }, data });
  if (count > 0) return true;
  await db.prisma.source.createMany({ data: { tenantId, projectId, ...data } });
  return false;
}

/** @returns false when the project has none. */
export async function deleteSource(db: TenantConnection, projectId: string): Promise<boolean> {
  const where = { tenantId: db.tenantId, projectId };
  return (await db.prisma.source.deleteMany({ where })).count > 0;
}

/** Which of these projects have a source, by name. */
export async function projectsWithSource(
  db: TenantConnection,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { tenantId } = db;
  const rows = await db.prisma.project.findMany({
    where: { tenantId, name: { in: [...names] }, source: { isNot: null } },
    select: { name: true },
  });
  return new Set(rows.map(({ name }) => name));
}
