import { REQUEST_LIMITS } from '@cspm/contract';
import { gunzipped } from '@cspm/scanner';
import type { Request } from 'express';
import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import type { GiveWayReason, UploadOptions } from '../inventories/index.ts';
import { ingest } from '../inventories/index.ts';
import { inventoryView, listInventories } from '../inventories/queries.ts';
import {
  describeProject,
  holdForDeletion,
  insertProject,
  type ProjectRow,
  selectProjects,
} from './queries.ts';

interface ProjectServices {
  readonly tenants: TenantDatabase;
  readonly inventories: UploadOptions;
  /** Cancels the scans of a project that are queued or running. */
  readonly cancelScansOf: (db: TenantConnection, projectId: string, now: Date) => Promise<void>;
  /** Deletes the findings of a project before it, in parts, with the mutes of single ones. */
  readonly deleteFindingsOf: (db: TenantConnection, projectId: string) => Promise<void>;
  /** Takes a project out of the posture of its tenant. */
  readonly forgetPosture: (db: TenantConnection, projectId: string) => Promise<void>;
}

export const projects: HandlersOf<'projects', ProjectServices> = {
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
      throw new ProblemError('CONFLICT', `A project with the name ${body.name} already exists.`);
    }
    audit({ subject: project.name, detail: { projectId: project.id } });
    return {
      status: 201,
      body: {
        ...project,
        inventory: null,
        hasSource: false,
        createdAt: project.createdAt.toISOString(),
      },
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

  async delete({ input: { params }, db, services, origin, audit }) {
    const { id, name } = await find(db, params.name);
    await services.cancelScansOf(db, id, origin.at);
    await services.deleteFindingsOf(db, id);
    // Scans that were launched meanwhile lock the project before the posture too.
    await holdForDeletion(db, id);
    await services.forgetPosture(db, id);
    const { count } = await db.prisma.project.deleteMany({ where: { tenantId: db.tenantId, id } });
    if (count === 0) throw notFound();
    audit({ subject: name, detail: { projectId: id } });
    return { status: 204, body: undefined };
  },

  async uploadInventory(context) {
    const { input, principal, services, origin, upload, reauthorize } = context;
    const inventory = await ingest(
      services.tenants,
      {
        project: input.params.name,
        format: isNdjson(upload) ? 'ndjson' : 'json',
        body: inflated(upload),
        principal,
        origin,
        isAbandoned: () => upload.socket.destroyed,
        reauthorize,
        client: {
          bytes: () => upload.socket.bytesRead,
          isAwaited: () => !upload.complete && upload.readableLength === 0,
          isGone: () => upload.destroyed,
          end: () => context.giveUp(TOO_SLOW),
          giveWay: (reason) => context.giveUp(GIVEN_WAY[reason]),
        },
      },
      services.inventories,
    );
    return { status: 201, body: inventory };
  },
};

const TOO_SLOW = new ProblemError(
  'REQUEST_TIMEOUT',
  `The server has reached its limit of concurrent uploads of this size, and this one delivered fewer than ${REQUEST_LIMITS.slowUploadBytesPerSecond / 1024} KiB per second. Repeat it over a faster connection, or compress it with gzip.`,
);

const GIVEN_WAY: Readonly<Record<GiveWayReason, ProblemError>> = {
  second: new ProblemError(
    'REQUEST_TIMEOUT',
    `The server has reached its limit of concurrent uploads. Your tenant had two uploads and another tenant had none, and this one delivered fewer than ${REQUEST_LIMITS.slowSecondUploadBytesPerSecond / 1024} KiB per second. Repeat it when your other upload has finished.`,
  ),
  long: new ProblemError(
    'REQUEST_TIMEOUT',
    `The server has reached its limit of concurrent uploads and another tenant had none. This one had taken more than ${REQUEST_LIMITS.longUploadSeconds / 60} minutes, and delivered fewer than ${REQUEST_LIMITS.slowSecondUploadBytesPerSecond / 1024} KiB per second. Compress it with gzip, divide it among several projects, or repeat it later.`,
  ),
};

/** Media types are case-insensitive (RFC 9110 §8.3.1). Other types were refused before. */
function isNdjson(upload: Request): boolean {
  return /^\s*application\/x-ndjson\b/i.test(upload.headers['content-type'] ?? '');
}

/**
 * The decompressed bytes of an upload. Ending the iteration keeps the request open, because the client still needs the
 * response.
 */
function inflated(upload: Request): AsyncIterable<Uint8Array> {
  const encoding = (upload.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return upload.iterator({ destroyOnReturn: false });
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipped(upload);
  throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'Send inventories uncompressed or with gzip.');
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
    hasSource: row.has_source,
    createdAt: row.created_at.toISOString(),
  };
}
