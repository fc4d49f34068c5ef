import { createGunzip } from 'node:zlib';
import type { Request } from 'express';
import type { TenantConnection } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import { inventoryView, listInventories } from '../inventories/inventory-rows.ts';
import { takeIn } from '../inventories/upload.ts';
import { idAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError } from '../pipeline/problems.ts';
import {
  describeProject,
  insertProject,
  type ProjectRow,
  selectProjects,
} from '../projects/project-rows.ts';
import { cancelScansOf } from '../scans/scan-end.ts';

export const projects: HandlersOf<'projects'> = {
  async list({ input: { query }, db }) {
    const rows = await selectProjects(db, {
      before: idAfter(query.cursor),
      limit: query.limit + 1,
    });
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, projectView) };
  },

  async create({ input: { body }, db, origin, audit }) {
    const project = {
      id: newId(),
      name: body.name,
      description: body.description ?? null,
      createdAt: origin.at,
    };
    if (!(await insertProject(db, project))) {
      throw new ProblemError('CONFLICT', `There is a project of the name ${body.name} already.`);
    }
    audit({ subject: project.name, detail: { projectId: project.id } });
    return {
      status: 201,
      body: { ...project, inventory: null, createdAt: project.createdAt.toISOString() },
    };
  },

  async get({ input: { params }, db }) {
    return { status: 200, body: projectView(await find(db, params.name)) };
  },

  async update({ input: { params, body }, db, audit }) {
    const { id, name } = await find(db, params.name);
    if (body.description !== undefined) await describeProject(db, id, body.description);
    audit({ subject: name, detail: { projectId: id, changed: Object.keys(body) } });
    return { status: 200, body: projectView(await find(db, name)) };
  },

  async inventories({ input: { params, query }, db }) {
    const { id } = await find(db, params.name);
    const rows = await listInventories(db, id, {
      before: idAfter(query.cursor),
      limit: query.limit + 1,
    });
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, inventoryView) };
  },

  async delete({ input: { params }, db, origin, audit }) {
    const { id, name } = await find(db, params.name);
    await cancelScansOf(db, id, origin.at);
    const { count } = await db.prisma.project.deleteMany({ where: { tenantId: db.tenantId, id } });
    if (count === 0) throw notFound();
    audit({ subject: name, detail: { projectId: id } });
    return { status: 204, body: undefined };
  },

  async uploadInventory({ input: { params }, principal, services, origin, upload }) {
    const inventory = await takeIn(
      services.tenants,
      {
        project: params.name,
        format: isNdjson(upload) ? 'ndjson' : 'json',
        body: inflated(upload),
        principal,
        origin,
      },
      services.inventories,
    );
    return { status: 201, body: inventory };
  },
};

/** Media types are written in any case (RFC 9110 §8.3.1). Only two come this far. */
function isNdjson(upload: Request): boolean {
  return /^\s*application\/x-ndjson\b/i.test(upload.headers['content-type'] ?? '');
}

/**
 * The bytes of an upload, whatever Content-Encoding they came in. Whoever stops reading them leaves the upload itself
 * open, since its sender is still to be told why.
 */
function inflated(upload: Request): AsyncIterable<Uint8Array> {
  const encoding = (upload.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return upload.iterator({ destroyOnReturn: false });
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    const gunzip = createGunzip();
    // Whoever reads gets the error too; but one that comes before anybody reads would take the process with it.
    gunzip.on('error', () => undefined);
    upload.once('error', (error) => gunzip.destroy(error));
    upload.once('aborted', () => gunzip.destroy(new Error('The sender went away')));
    return upload.pipe(gunzip);
  }
  throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'Inventories are sent plain or as gzip.');
}

async function find(db: TenantConnection, name: string): Promise<ProjectRow> {
  const [row] = await selectProjects(db, { name, limit: 1 });
  if (row === undefined) throw notFound();
  return row;
}

function projectView(row: ProjectRow) {
  const { inventory_id: id, assets, taken_at: takenAt } = row;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    inventory:
      id === null || assets === null || takenAt === null
        ? null
        : { id, assets, createdAt: takenAt.toISOString() },
    createdAt: row.created_at.toISOString(),
  };
}
