import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ASSET_SHOWN } from '@cspm/contract';
import {
  checkJsonText,
  isObject,
  JSON_LIMITS,
  JsonLimitError,
  type JsonObject,
  type JsonValue,
} from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** The inventory in force of a project, from which assets are listed. */
export interface CurrentInventory {
  readonly projectId: string;
  /** Null before the first upload. */
  readonly inventory: {
    readonly id: string;
    readonly createdAt: Date;
    readonly isIndexed: boolean;
  } | null;
}

/** @returns null when the tenant has no such project. */
export async function findCurrentInventory(
  db: TenantConnection,
  project: string,
): Promise<CurrentInventory | null> {
  const [row] = await db.sql<CurrentRow>(CURRENT, [db.tenantId, project]);
  if (row === undefined) return null;
  const { project_id: projectId, id, created_at: createdAt, indexed_at: indexedAt } = row;
  const inventory =
    id === null || createdAt === null ? null : { id, createdAt, isIndexed: indexedAt !== null };
  return { projectId, inventory };
}

interface CurrentRow {
  project_id: string;
  id: string | null;
  created_at: Date | null;
  indexed_at: Date | null;
}

/** Hand-written: schema.prisma has no relation from a project to its active inventory. */
const CURRENT: Statement = {
  name: 'assets-current-inventory',
  reason: 'set',
  text: `SELECT p.id AS project_id, i.id, i.created_at, i.indexed_at
         FROM projects p
         LEFT JOIN inventories i ON i.tenant_id = p.tenant_id AND i.id = p.inventory_id
         WHERE p.tenant_id = $1 AND p.name = $2`,
};

/** An asset as it is stored. */
export interface StoredAsset {
  readonly name: string;
  readonly type: string;
  readonly location: string | null;
  /** The chunk of the inventory, and the line in it. */
  readonly seq: number;
  readonly line: number;
  /** Null for one that is too large to be shown. */
  readonly record: JsonObject | null;
}

/**
 * An asset by its full resource name. Reads one chunk of the inventory.
 * @returns null when an indexed inventory has no such asset.
 */
export async function findAsset(
  db: TenantConnection,
  inventoryId: string,
  { name, type }: { readonly name: string; readonly type?: string | undefined },
): Promise<StoredAsset | null> {
  const values = [db.tenantId, inventoryId, name, type ?? null];
  const [row] = await db.sql<AssetRow>(ASSET, values);
  if (row === undefined) return null;
  const { data, ...place } = row;
  const chunk = await inflate(data);
  // The chunk is larger than what the statement returned, because that was compressed.
  await db.turn();
  return { name, ...place, record: recordAt(chunk, row.line) };
}

interface AssetRow {
  type: string;
  location: string | null;
  seq: number;
  line: number;
  data: Buffer;
}

/** Hand-written: Prisma would need two queries. */
const ASSET: Statement = {
  name: 'assets-find',
  reason: 'set',
  text: `SELECT a.type, a.location, a.seq, a.line, c.data
         FROM (SELECT * FROM inventory_assets a
               WHERE a.tenant_id = $1 AND a.inventory_id = $2 AND a.name = $3 AND ($4::text IS NULL OR a.type = $4)
               ORDER BY a.type LIMIT 1) a
         JOIN inventory_chunks c ON c.tenant_id = $1 AND c.inventory_id = $2 AND c.seq = a.seq`,
};

const LINE_FEED = 0x0a;
const inflate = promisify(gunzip);

function recordAt(bytes: Buffer, line: number): JsonObject | null {
  let start = 0;
  for (let before = 0; before < line; before += 1) start = bytes.indexOf(LINE_FEED, start) + 1;
  const found = bytes.indexOf(LINE_FEED, start);
  const end = found === -1 ? bytes.length : found;
  if (!isShown(bytes.subarray(start, end))) return null;
  const record: JsonValue = JSON.parse(bytes.toString('utf8', start, end));
  return isObject(record) ? record : null;
}

function isShown(json: Uint8Array): boolean {
  if (json.length > ASSET_SHOWN.bytes) return false;
  try {
    checkJsonText(json, { depth: JSON_LIMITS.record.depth, values: ASSET_SHOWN.values });
    return true;
  } catch (error) {
    if (error instanceof JsonLimitError) return false;
    throw error;
  }
}
