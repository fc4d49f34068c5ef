import {
  Intake,
  InventoryError,
  type MergedAsset,
  readInventory,
  ScratchError,
} from '@cspm/scanner';
import { ahead } from '../ahead.ts';
import { Breather } from '../breather.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import type { Principal } from '../identity/principal.ts';
import { newId } from '../ids.ts';
import { actorOf, type Origin, writeAudit } from '../pipeline/audit.ts';
import { notFound, ProblemError, validationFailed } from '../pipeline/problems.ts';
import { chunksOf, insertChunk } from './chunks.ts';
import { ContentsNotes, type InventoryContents } from './contents.ts';

const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** Uploads that were never finished, because a server died, are removed after so long. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;

/** When a sender is told to try again while the disk is full: other uploads may have ended by then. */
const ROOM_AFTER_SECONDS = '30';

export interface UploadOptions {
  readonly maxBytes: number;
  readonly kept: number;
}

export interface Upload {
  readonly project: string;
  readonly format: 'ndjson' | 'json';
  /** The inflated bytes. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly principal: Principal;
  readonly origin: Origin;
}

/**
 * Takes an inventory in. Chunks are written as they come, under a row that nobody sees; the last step, in one
 * transaction, puts the whole in force, removes what is beyond the retention and tells the audit trail. Whatever fails
 * before it leaves the inventory that was in force as it was.
 * @throws {ProblemError} NOT_FOUND for the project, VALIDATION_FAILED with the line, PAYLOAD_TOO_LARGE, or
 * SERVICE_UNAVAILABLE when there is no room for temporary files.
 */
export async function takeIn(tenants: TenantDatabase, upload: Upload, options: UploadOptions) {
  const tenantId = upload.principal.tenant.id;
  const id = newId();
  const projectId = await begin(tenants, tenantId, id, upload);
  const intake = new Intake();
  const notes = new ContentsNotes();
  try {
    const bytes = await receive(intake, notes, upload, options);
    let seq = 0;
    for await (const chunk of ahead(chunksOf(noted(intake.assets(), notes)))) {
      if (!(await tenants.write(tenantId, (db) => insertChunk(db, id, seq, chunk))))
        throw notFound();
      seq += 1;
    }
    return await putInForce(tenants, upload, options, {
      id,
      projectId,
      bytes,
      contents: notes.contents(),
      ...intake.summary(),
    });
  } catch (error) {
    await discard(tenants, tenantId, id);
    throw refusalOf(error);
  } finally {
    await intake.close();
  }
}

async function begin(
  tenants: TenantDatabase,
  tenantId: string,
  id: string,
  upload: Upload,
): Promise<string> {
  return tenants.write(tenantId, async ({ prisma, sql }) => {
    const [project] = await sql<{ id: string }>(HOLD_PROJECT, [tenantId, upload.project]);
    if (project === undefined) throw notFound();
    const createdAt = upload.origin.at;
    await prisma.inventory.createMany({
      data: {
        tenantId,
        id,
        projectId: project.id,
        status: 'receiving',
        assets: 0,
        assetTypes: [],
        bytes: 0,
        warnings: [],
        createdAt,
      },
    });
    await prisma.inventory.deleteMany({
      where: {
        tenantId,
        projectId: project.id,
        status: 'receiving',
        createdAt: { lt: new Date(createdAt.getTime() - ABANDONED_AFTER_MS) },
      },
    });
    return project.id;
  });
}

/** Until this transaction ends, the project is not deleted. */
const HOLD_PROJECT = {
  name: 'project-hold',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND name = $2 FOR KEY SHARE',
};

/** What was sent broke off, or could not be inflated. */
class BrokenBody extends Error {
  constructor(options: ErrorOptions) {
    super('The body of an upload broke', options);
  }
}

/** Reads the whole upload. @returns its size in bytes, inflated. */
async function receive(
  intake: Intake,
  notes: ContentsNotes,
  upload: Upload,
  options: UploadOptions,
): Promise<number> {
  let bytes = 0;
  async function* counted() {
    try {
      for await (const piece of upload.body) {
        bytes += piece.length;
        yield piece;
      }
    } catch (error) {
      throw new BrokenBody({ cause: error });
    }
  }
  const records = readInventory(counted(), {
    format: upload.format,
    maxBytes: options.maxBytes,
    maxRecordBytes: MAX_RECORD_BYTES,
  });
  const breather = new Breather();
  for await (const record of records) {
    await intake.add(record);
    notes.record(record);
    if (breather.isDue) await breather.breathe();
  }
  return bytes;
}

async function* noted(
  assets: AsyncIterable<MergedAsset>,
  notes: ContentsNotes,
): AsyncGenerator<MergedAsset> {
  for await (const asset of assets) {
    notes.asset(asset);
    yield asset;
  }
}

interface Received extends ReturnType<Intake['summary']> {
  readonly id: string;
  readonly projectId: string;
  readonly bytes: number;
  readonly contents: InventoryContents;
}

async function putInForce(
  tenants: TenantDatabase,
  upload: Upload,
  options: UploadOptions,
  received: Received,
) {
  const { principal, origin } = upload;
  const tenantId = principal.tenant.id;
  const { id, projectId, bytes, assets, assetTypes, warnings, contents } = received;
  await tenants.write(tenantId, async (db) => {
    const { prisma } = db;
    await db.sql(HOLD_QUEUED_SCANS, [tenantId, projectId]);
    // Then the project's row, before the inventory's, as where a project is deleted: else the two could wait for each other.
    const project = await prisma.project.updateMany({
      where: { tenantId, id: projectId },
      data: { inventoryId: id },
    });
    const ready = await prisma.inventory.updateMany({
      where: { tenantId, id },
      data: {
        status: 'ready',
        assets,
        assetTypes,
        bytes,
        warnings: warnings.map((w) => ({ ...w })),
        contents: JSON.parse(JSON.stringify(contents)),
      },
    });
    // The project was deleted while the upload was under way, or the upload was given up for lost.
    if (project.count === 0 || ready.count === 0) throw notFound();
    await db.sql(RETIRE, [tenantId, projectId, options.kept, id]);
    await writeAudit(db, origin, {
      action: 'inventory.uploaded',
      outcome: 'success',
      actor: actorOf(principal),
      targetTenantId: tenantId === principal.homeTenantId ? null : tenantId,
      subject: upload.project,
      detail: { inventoryId: id, assets, bytes },
    });
  });
  return { id, assets, assetTypes, bytes, warnings, createdAt: origin.at.toISOString() };
}

/** One that is beginning at this moment has noted which inventory it looks at, when this has been answered. */
const HOLD_QUEUED_SCANS = {
  name: 'project-hold-queued-scans',
  text: `SELECT 1 FROM scan_projects WHERE tenant_id = $1 AND project_id = $2 AND status = 'queued'
         ORDER BY scan_id FOR NO KEY UPDATE`,
};

/**
 * Removes the inventories beyond the newest few, but neither one that a scan is still reading nor the one in force, which
 * need not be the newest: of two uploads at once the one that began earlier may end later.
 */
const RETIRE = {
  name: 'inventory-retire',
  text: `DELETE FROM inventories
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'ready' AND id <> $4
           AND id NOT IN (
             SELECT id FROM inventories
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'ready'
             ORDER BY created_at DESC, id DESC LIMIT $3)
           AND id NOT IN (
             SELECT inventory_id FROM scan_projects
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'running' AND inventory_id IS NOT NULL)`,
};

async function discard(tenants: TenantDatabase, tenantId: string, id: string): Promise<void> {
  const removal = tenants.write(tenantId, ({ prisma }) =>
    prisma.inventory.deleteMany({ where: { tenantId, id } }),
  );
  // If the database is gone too, the next upload removes it; what counts is the first error.
  await removal.catch(() => undefined);
}

function refusalOf(error: unknown): unknown {
  if (error instanceof InventoryError) {
    return error.code === 'too_large'
      ? new ProblemError('PAYLOAD_TOO_LARGE', `${error.place}: ${error.message}`)
      : validationFailed([{ path: error.place, message: error.message }]);
  }
  if (error instanceof BrokenBody) {
    return validationFailed([
      { path: 'body', message: 'is not whole, or not gzip as Content-Encoding says' },
    ]);
  }
  if (error instanceof ScratchError) {
    return new ProblemError(
      'SERVICE_UNAVAILABLE',
      'There is no room for an upload of this size at the moment. Nothing was changed.',
      { headers: { 'Retry-After': ROOM_AFTER_SECONDS }, cause: error },
    );
  }
  return error;
}
