import type { ProfileDefinition } from '@cspm/scanner';
import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';

/** More would make a list that nobody reads, and that is never paged. */
export const PROFILES_MAX = 100;

interface ProfileRow extends Row, ProfileDefinition {}

/** The profiles that a tenant has defined, in the order of their names. */
export async function listProfiles(db: TenantConnection): Promise<ProfileDefinition[]> {
  return db.sql<ProfileRow>(LIST, [db.tenantId]);
}

export async function findProfile(
  db: TenantConnection,
  name: string,
): Promise<ProfileDefinition | null> {
  const [row] = await db.sql<ProfileRow>(FIND, [db.tenantId, name]);
  return row ?? null;
}

/** @returns false when the name is taken. */
export async function insertProfile(
  db: TenantConnection,
  profile: ProfileDefinition,
  now: Date,
): Promise<boolean> {
  return (await db.sql(INSERT, valuesOf(db, profile, now))).length > 0;
}

/** @returns false when there is no such profile. */
export async function updateProfile(
  db: TenantConnection,
  profile: ProfileDefinition,
  now: Date,
): Promise<boolean> {
  return (await db.sql(UPDATE, valuesOf(db, profile, now))).length > 0;
}

/** @returns false when there is no such profile. */
export async function deleteProfile(db: TenantConnection, name: string): Promise<boolean> {
  return (await db.sql(DELETE, [db.tenantId, name])).length > 0;
}

function valuesOf(db: TenantConnection, profile: ProfileDefinition, now: Date): unknown[] {
  const { name, include, exclude, parameters } = profile;
  return [db.tenantId, name, include, exclude, JSON.stringify(parameters), now];
}

const COLUMNS = 'name, include, exclude, parameters';

const LIST: Statement = {
  name: 'profiles-list',
  text: `SELECT ${COLUMNS} FROM profiles WHERE tenant_id = $1 ORDER BY name COLLATE "C"`,
};

const FIND: Statement = {
  name: 'profile-find',
  text: `SELECT ${COLUMNS} FROM profiles WHERE tenant_id = $1 AND name = $2`,
};

const INSERT: Statement = {
  name: 'profile-insert',
  text: `INSERT INTO profiles (tenant_id, name, include, exclude, parameters, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING name`,
};

const UPDATE: Statement = {
  name: 'profile-update',
  text: `UPDATE profiles SET include = $3, exclude = $4, parameters = $5, updated_at = $6
         WHERE tenant_id = $1 AND name = $2 RETURNING name`,
};

const DELETE: Statement = {
  name: 'profile-delete',
  text: 'DELETE FROM profiles WHERE tenant_id = $1 AND name = $2 RETURNING name',
};
