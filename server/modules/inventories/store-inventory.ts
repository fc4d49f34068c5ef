import { createHash, type Hash } from 'node:crypto';
import { INVENTORY_LOCATIONS_SHOWN } from '@cspm/contract';
import {
  bytesOfSeed,
  type ContentKind,
  type HashSeed,
  type IntakeSummary,
  randomSeed,
  seedFrom,
} from '@cspm/scanner';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { ahead } from '../../platform/prefetch.ts';
import { notFound } from '../../platform/problem.ts';
import { dropUnusedIndexes } from './asset-index.ts';
import { type Chunk, insertChunk } from './chunks.ts';
import type { InventoryContents, LocationCount } from './contents.ts';
import { deleteIndexes } from './delete-indexes.ts';
import type { Packing } from './pack-inventory.ts';

/** Unfinished inventories are removed after this time; their server has died. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;
/**
 * The first chunks of an inventory are written on the connections of requests: opening another one takes longer than writing a few.
 */
const CHUNKS_BEFORE_BACKGROUND = 4;
/** How long an upload deletes indexes that are not needed any more, before it is answered. The nightly task deletes the rest. */
const DELETE_INDEXES_MS = 10_000;

/** An inventory that is being received. */
export interface IncomingInventory {
  readonly tenantId: string;
  readonly project: { readonly name: string } | { readonly id: string };
  readonly createdAt: Date;
  /** Called once. @param seed determines the order of the assets */
  readonly pack: (seed: HashSeed) => Packing;
  /** The decompressed size, after the last chunk. */
  readonly bytes: () => number;
  /** The kinds of content that the source refused to show. */
  readonly refusedKinds?: readonly ContentKind[];
  /** Runs when all chunks are stored. What it throws leaves the previous inventory active. */
  readonly stored?: () => Promise<void>;
  /** Runs in the transaction that activates the inventory. What it throws leaves the previous one active. */
  readonly confirm: (db: TenantConnection, stored: StoredInventory) => Promise<void>;
}

export interface StoredInventory {
  readonly id: string;
  readonly assets: number;
  readonly bytes: number;
}

/** What a caller may tell of a stored inventory. */
interface Stored {
  readonly id: string;
  readonly bytes: number;
  readonly summary: IntakeSummary;
  readonly locations: LocationCount[];
}

/**
 * Stores an inventory. Chunks are written as they arrive, under a row that is not visible yet. One transaction activates
 * the inventory and confirms. After an earlier failure the previous inventory stays active. Inventories beyond the
 * retention are deleted afterwards.
 * @throws {ProblemError} NOT_FOUND for the project; what the packing, `stored` and `confirm` throw
 */
export async function storeInventory(
  tenants: TenantDatabase,
  incoming: IncomingInventory,
  { kept }: { readonly kept: number },
): Promise<Stored> {
  const { tenantId } = incoming;
  const id = newId();
  const { projectId, seed } = await begin(tenants, id, incoming);
  const digest = new ContentDigest();
  const packing = incoming.pack(seed);
  try {
    let seq = 0;
    for await (const chunk of ahead(packing.chunks())) {
      digest.add(chunk);
      const inBackground = seq >= CHUNKS_BEFORE_BACKGROUND;
      const insert = (db: TenantConnection) => insertChunk(db, id, seq, chunk);
      if (!(await tenants.write(tenantId, insert, { inBackground }))) throw notFound();
      seq += 1;
    }
    const bytes = incoming.bytes();
    const { summary, contents: noted } = packing.result();
    const locations = noted.locations.slice(0, INVENTORY_LOCATIONS_SHOWN);
    const { refusedKinds = [] } = incoming;
    const contents = { ...noted, locations, ...(refusedKinds.length > 0 && { refusedKinds }) };
    const contentDigest = digest.of(contents);
    await incoming.stored?.();
    const unused = await putInForce(tenants, incoming, {
      ...{ id, projectId, bytes, contents, contentDigest },
      ...summary,
    });
    const retired = await retire(tenants, tenantId, projectId, kept);
    await deleteUnneeded(tenants, tenantId, [...unused, ...retired]);
    return { id, bytes, summary, locations };
  } catch (error) {
    await discard(tenants, tenantId, id);
    throw error;
  } finally {
    await packing.close();
  }
}

/** @returns the id of the project, and the seed of all its inventories. */
async function begin(
  tenants: TenantDatabase,
  id: string,
  { tenantId, project, createdAt }: IncomingInventory,
): Promise<{ projectId: string; seed: HashSeed }> {
  return tenants.write(tenantId, async ({ prisma, sql }) => {
    const [held] =
      'id' in project
        ? await sql<{ id: string }>(HOLD_PROJECT_OF_ID, [tenantId, project.id])
        : await sql<{ id: string }>(HOLD_PROJECT, [tenantId, project.name]);
    if (held === undefined) throw notFound();
    const seed = await seedOf(prisma, tenantId, held.id);
    await prisma.inventory.createMany({
      data: {
        tenantId,
        id,
        projectId: held.id,
        status: 'receiving',
        assets: 0,
        assetTypes: [],
        bytes: 0,
        warnings: [],
        seed: Buffer.from(bytesOfSeed(seed)),
        createdAt,
      },
    });
    await prisma.inventory.deleteMany({
      where: {
        tenantId,
        projectId: held.id,
        status: 'receiving',
        createdAt: { lt: new Date(createdAt.getTime() - ABANDONED_AFTER_MS) },
      },
    });
    return { projectId: held.id, seed };
  });
}

/** Prevents deletion of the project until the transaction ends. */
const HOLD_PROJECT = {
  name: 'project-hold',
  reason: 'lock',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND name = $2 FOR KEY SHARE',
};
const HOLD_PROJECT_OF_ID = {
  name: 'project-hold-of-id',
  reason: 'lock',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE',
};

/**
 * The seed of the newest inventory, so that the same assets come in the same order and scans can repeat results: decision
 * 0074.
 */
async function seedOf(
  prisma: TenantConnection['prisma'],
  tenantId: string,
  projectId: string,
): Promise<HashSeed> {
  const newest = await prisma.inventory.findFirst({
    where: { tenantId, projectId, seed: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { seed: true },
  });
  return newest?.seed == null ? randomSeed() : seedFrom(newest.seed);
}

/** SHA-256 of everything in an inventory that the results of a scan depend on. */
class ContentDigest {
  readonly #hash: Hash = createHash('sha256');

  add({ assets, data }: Chunk): void {
    this.#hash.update(`${assets} ${data.length} `).update(data);
  }

  /** After the last chunk. */
  of({ projects, refusedKinds }: InventoryContents): Buffer {
    this.#hash.update(JSON.stringify(projects));
    if (refusedKinds !== undefined) this.#hash.update(JSON.stringify(refusedKinds));
    return this.#hash.digest();
  }
}

interface Received extends IntakeSummary {
  readonly id: string;
  readonly projectId: string;
  readonly bytes: number;
  readonly contents: InventoryContents;
  readonly contentDigest: Uint8Array;
}

/** @returns the inventories whose indexes are not needed any more. */
async function putInForce(
  tenants: TenantDatabase,
  { tenantId, createdAt, confirm }: IncomingInventory,
  { id, projectId, bytes, assets, assetTypes, warnings, contents, contentDigest }: Received,
): Promise<string[]> {
  return tenants.write(tenantId, async (db) => {
    const { prisma } = db;
    await db.sql(HOLD_QUEUED_SCANS, [tenantId, projectId]);
    // Lock the project before the inventory, in the same order as project deletion, to avoid a deadlock.
    const project = await prisma.project.updateMany({
      where: { tenantId, id: projectId },
      data: { inventoryId: id },
    });
    const ready = await prisma.inventory.updateMany({
      where: { tenantId, id },
      data: {
        status: 'ready',
        assets,
        assetTypes: assetTypes.map((type) => ({ ...type })),
        bytes,
        warnings: warnings.map((w) => ({ ...w })),
        contents: JSON.parse(JSON.stringify(contents)),
        contentDigest: Buffer.from(contentDigest),
        indexedAt: createdAt,
      },
    });
    // The project was deleted meanwhile, or the inventory was removed as abandoned.
    if (project.count === 0 || ready.count === 0) throw notFound();
    const unused = await dropUnusedIndexes(db, projectId, id);
    await confirm(db, { id, assets, bytes });
    return unused;
  });
}

/**
 * Deletes inventories beyond the retention, with thousands of chunks each if they are large. After a failure the nightly task
 * deletes them: the new inventory is in force.
 * @returns those that have an index of assets.
 */
async function retire(
  tenants: TenantDatabase,
  tenantId: string,
  projectId: string,
  kept: number,
): Promise<string[]> {
  const retirement = tenants.write(tenantId, async (db) => {
    await db.sql(HOLD_QUEUED_SCANS, [tenantId, projectId]);
    // Before the inventories, like the transaction that activates one.
    await db.sql(LOCK_PROJECT, [tenantId, projectId]);
    return db.sql<RetiredRow>(RETIRE, [tenantId, projectId, kept]);
  });
  const retired = await retirement.catch(() => []);
  return retired.flatMap((one) => (one.indexed_at === null ? [] : [one.id]));
}

/** After a failure the nightly task deletes them: the inventory is in force. */
async function deleteUnneeded(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryIds: readonly string[],
): Promise<void> {
  const endsAt = performance.now() + DELETE_INDEXES_MS;
  const isOver = () => performance.now() >= endsAt;
  await deleteIndexes(tenants, tenantId, inventoryIds, isOver).catch(() => undefined);
}

const LOCK_PROJECT = {
  name: 'project-lock-inventories',
  reason: 'lock',
  text: 'SELECT 1 FROM projects WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};

interface RetiredRow {
  id: string;
  indexed_at: Date | null;
}

/** Waits for scans that are starting now; afterwards they have recorded which inventory they read. */
const HOLD_QUEUED_SCANS = {
  name: 'project-hold-queued-scans',
  reason: 'lock',
  text: `SELECT 1 FROM scan_projects WHERE tenant_id = $1 AND project_id = $2 AND status = 'queued'
         ORDER BY scan_id FOR NO KEY UPDATE`,
};

/**
 * Removes all but the newest inventories. It keeps those that a scan is reading and the active one, which need not be
 * the newest: of two concurrent uploads, the one that started first may end last.
 */
const RETIRE = {
  name: 'inventory-retire',
  reason: 'set',
  text: `DELETE FROM inventories
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'ready'
           AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.inventory_id = inventories.id)
           AND id NOT IN (
             SELECT id FROM inventories
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'ready'
             ORDER BY created_at DESC, id DESC LIMIT $3)
           AND id NOT IN (
             SELECT inventory_id FROM scan_projects
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'running' AND inventory_id IS NOT NULL)
         RETURNING id, indexed_at`,
};

/** Removes what was received. An inventory in force stays: its transaction was committed although the answer of Postgres was lost. */
async function discard(tenants: TenantDatabase, tenantId: string, id: string): Promise<void> {
  const removal = tenants.write(tenantId, ({ prisma }) =>
    prisma.inventory.deleteMany({ where: { tenantId, id, status: 'receiving' } }),
  );
  // If the database is unavailable too, the next upload removes it. The first error is the one to report.
  const removed = await removal.catch(() => null);
  if (removed?.count === 1) await deleteUnneeded(tenants, tenantId, [id]);
}
