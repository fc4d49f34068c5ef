import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../ids.ts';

/** A project with the inventory in force. */
export interface ProjectRow extends Row {
  id: string;
  name: string;
  description: string | null;
  created_at: Date;
  inventory_id: string | null;
  assets: number | null;
  taken_at: Date | null;
}

/** Projects, newest first: those after a place in the list, or the one of a name. */
export async function selectProjects(
  db: TenantConnection,
  which: { readonly before?: string | null; readonly name?: string; readonly limit: number },
): Promise<ProjectRow[]> {
  return db.sql<ProjectRow>(SELECT, [
    db.tenantId,
    which.before ?? AFTER_ALL_IDS,
    which.name ?? null,
    which.limit,
  ]);
}

const SELECT: Statement = {
  name: 'projects-select',
  text: `SELECT p.id, p.name, p.description, p.created_at, i.id AS inventory_id, i.assets, i.created_at AS taken_at
         FROM projects p
         LEFT JOIN inventories i ON i.tenant_id = p.tenant_id AND i.id = p.inventory_id
         WHERE p.tenant_id = $1 AND p.id < $2 AND ($3::text IS NULL OR p.name = $3)
         ORDER BY p.id DESC LIMIT $4`,
};

export interface NewProject {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Date;
}

/** @returns false when the tenant has a project of that name. */
export async function insertProject(db: TenantConnection, project: NewProject): Promise<boolean> {
  const rows = await db.sql(INSERT, [
    db.tenantId,
    project.id,
    project.name,
    project.description,
    project.createdAt,
  ]);
  return rows.length > 0;
}

const INSERT: Statement = {
  name: 'project-insert',
  text: `INSERT INTO projects (tenant_id, id, name, description, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING id`,
};

/** @param description null takes it away. */
export async function describeProject(
  db: TenantConnection,
  id: string,
  description: string | null,
): Promise<void> {
  await db.sql(DESCRIBE, [db.tenantId, id, description]);
}

const DESCRIBE: Statement = {
  name: 'project-describe',
  text: 'UPDATE projects SET description = $3 WHERE tenant_id = $1 AND id = $2',
};
