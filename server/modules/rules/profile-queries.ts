import type { ProfileDefinition } from '@cspm/scanner';
import type { Prisma } from '../../platform/database/generated/client.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';

/** Keeps the list short, because it is not paged. */
export const PROFILES_MAX = 100;

const SELECT = { name: true, include: true, exclude: true, parameters: true } as const;

/** Profiles read at a time. Each can have 40 KB of selectors, which take more than a millisecond to parse. */
const BATCH = 10;

/** Lists the tenant's own profiles by name. */
export async function listProfiles(db: TenantConnection): Promise<ProfileDefinition[]> {
  const profiles: ProfileDefinition[] = [];
  let isLast = false;
  while (!isLast) {
    const after = profiles.at(-1)?.name ?? '';
    const rows = await db.prisma.profile.findMany({
      where: { tenantId: db.tenantId, name: { gt: after } },
      select: SELECT,
      orderBy: { name: 'asc' },
      take: BATCH,
    });
    profiles.push(...rows.map(definitionFrom));
    isLast = rows.length < BATCH;
  }
  // Sort here, because the database's order depends on its collation.
  return profiles.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function countProfiles(db: TenantConnection): Promise<number> {
  return db.prisma.profile.count({ where: { tenantId: db.tenantId } });
}

export async function findProfile(
  db: TenantConnection,
  name: string,
): Promise<ProfileDefinition | null> {
  const where = { tenantId: db.tenantId, name };
  const row = await db.prisma.profile.findFirst({ where, select: SELECT });
  return row === null ? null : definitionFrom(row);
}

/** @returns false when the name already exists. */
export async function insertProfile(
  db: TenantConnection,
  profile: ProfileDefinition,
  now: Date,
): Promise<boolean> {
  const { name } = profile;
  const data = { tenantId: db.tenantId, name, ...dataOf(profile), createdAt: now, updatedAt: now };
  const { count } = await db.prisma.profile.createMany({ data, skipDuplicates: true });
  return count > 0;
}

/** @returns false when there is no such profile. */
export async function updateProfile(
  db: TenantConnection,
  profile: ProfileDefinition,
  now: Date,
): Promise<boolean> {
  const where = { tenantId: db.tenantId, name: profile.name };
  const data = { ...dataOf(profile), updatedAt: now };
  const { count } = await db.prisma.profile.updateMany({ where, data });
  return count > 0;
}

/** @returns false when there is no such profile. */
export async function deleteProfile(db: TenantConnection, name: string): Promise<boolean> {
  const where = { tenantId: db.tenantId, name };
  const { count } = await db.prisma.profile.deleteMany({ where });
  return count > 0;
}

function dataOf({ include, exclude, parameters }: ProfileDefinition) {
  return {
    include: [...include],
    exclude: [...exclude],
    parameters: parameters as Prisma.InputJsonObject,
  };
}

function definitionFrom(row: {
  readonly name: string;
  readonly include: string[];
  readonly exclude: string[];
  readonly parameters: Prisma.JsonValue;
}): ProfileDefinition {
  // Only `dataOf` writes it, so the cast is safe.
  return { ...row, parameters: row.parameters as ProfileDefinition['parameters'] };
}
