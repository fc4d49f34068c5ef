import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';

/** A project with its active inventory. */
export interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  created_at: Date;
  inventory_id: string | null;
  assets: number | null;
  taken_at: Date | null;
  has_source: boolean;
}

/** Lists projects, newest first, after a cursor, or finds the one with a name. */
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

/**
 * Hand-written: schema.prisma has no relation from a project to its active inventory, so Prisma would need two queries.
 */
const SELECT: Statement = {
  name: 'projects-select',
  reason: 'set',
  text: `SELECT p.id, p.name, p.description, p.created_at, i.id AS inventory_id, i.assets, i.created_at AS taken_at,
           EXISTS (SELECT FROM sources s WHERE s.tenant_id = p.tenant_id AND s.project_id = p.id) AS has_source
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

/** @returns false when the tenant already has a project with this name. */
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

/** Hand-written for speed: `POST /projects` is one of the requests that bench/api measures. */
const INSERT: Statement = {
  name: 'project-insert',
  reason: 'set',
  text: `INSERT INTO projects (tenant_id, id, name, description, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING id`,
};

/** @param description null removes it. */
export async function describeProject(
  db: TenantConnection,
  id: string,
  description: string | null,
): Promise<void> {
  const where = { tenantId: db.tenantId, id };
  await db.prisma.project.updateMany({ where, data: { description } });
}

/** Waits for transactions that write rows of the project, and blocks new ones until this one ends. */
export async function holdForDeletion(db: TenantConnection, id: string): Promise<void> {
  await db.sql(HOLD, [db.tenantId, id]);
}

const HOLD: Statement = {
  name: 'project-hold-for-deletion',
  reason: 'lock',
  text: 'SELECT 1 FROM projects WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
};
