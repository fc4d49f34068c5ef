import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { ChunkRecord } from './chunk-record.ts';
import type { ScanOf } from './scan-lock.ts';
import { type PackedVerdict, unpackVerdicts } from './verdict-packer.ts';

/** Stands for the results of the rules for whole cloud projects, which are in no chunk. */
export const PROJECTS_SEQ = -1;

/**
 * Stores what is kept of consecutive chunks.
 * @param evaluatedBy the digest of the programs.
 */
export async function recordVerdicts(
  db: TenantConnection,
  { scanId, projectId }: ScanOf,
  fromSeq: number,
  chunks: readonly ChunkRecord[],
  evaluatedBy: string,
): Promise<void> {
  if (chunks.length === 0) return;
  const repeatable = chunks.map((chunk) => chunk.repeatable);
  await db.sql(INSERT, [
    db.tenantId,
    scanId,
    projectId,
    fromSeq,
    chunks.map(({ verdicts }) => bufferOf(verdicts)),
    repeatable.map((one) => (one === null ? null : bufferOf(one.fingerprints))),
    repeatable.map((one) => one?.undecided ?? false),
    repeatable.map((one) => one?.sameUntil ?? null),
    evaluatedBy,
  ]);
}

/** A Buffer is sent as a parameter in binary format. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Deletes the verdicts of a project's other scans, when one has completed. */
export async function dropOlderVerdicts(
  db: TenantConnection,
  { scanId, projectId }: ScanOf,
): Promise<void> {
  await db.sql(DROP_OLDER, [db.tenantId, projectId, scanId]);
}

/** Where an asset is in an inventory. */
export interface AssetPlace {
  readonly name: string;
  readonly type: string;
  readonly inventoryId: string;
  readonly seq: number;
  readonly line: number;
}

/** What the last completed scan of a project decided about an asset. */
export interface LastVerdicts {
  readonly scanId: string;
  /** Time of the launch. */
  readonly createdAt: Date;
  /** Null: it did not evaluate the asset, or an earlier release made it. */
  readonly verdicts: readonly PackedVerdict[] | null;
}

/** @returns null when no scan of the project has completed. */
export async function findLastVerdicts(
  db: TenantConnection,
  projectId: string,
  asset: AssetPlace,
): Promise<LastVerdicts | null> {
  const [last] = await db.sql<LastRow>(LAST, [db.tenantId, projectId]);
  if (last === undefined) return null;
  const { scan_id: scanId, created_at: createdAt, inventory_id: inventoryId } = last;
  const place = inventoryId === asset.inventoryId ? asset : await placeIn(db, inventoryId, asset);
  const seqs = place === null ? [PROJECTS_SEQ] : [PROJECTS_SEQ, place.seq];
  const rows = await db.sql<DataRow>(DATA, [db.tenantId, projectId, scanId, seqs]);
  const found = await Promise.all(
    rows.map(({ seq, data }) =>
      unpackVerdicts(
        data,
        seq === PROJECTS_SEQ || place === null ? { name: asset.name } : { line: place.line },
      ),
    ),
  );
  const decided = found.filter((verdicts) => verdicts !== null);
  return { scanId, createdAt, verdicts: decided.length === 0 ? null : decided.flat() };
}

async function placeIn(
  db: TenantConnection,
  inventoryId: string | null,
  { name, type }: AssetPlace,
): Promise<PlaceRow | null> {
  const [row] = await db.sql<PlaceRow>(PLACE, [db.tenantId, inventoryId, name, type]);
  return row ?? null;
}

interface LastRow {
  scan_id: string;
  created_at: Date;
  inventory_id: string | null;
}

interface DataRow {
  seq: number;
  data: Buffer;
}

interface PlaceRow {
  seq: number;
  line: number;
}

/** Set-based: a step of a scan has several chunks. */
const INSERT: Statement = {
  name: 'verdicts-insert',
  reason: 'set',
  text: `INSERT INTO scan_verdicts (
           tenant_id, scan_id, project_id, seq, data, fingerprints, undecided, same_until, evaluated_by)
         SELECT $1, $2, $3, $4 + v.place::int - 1, v.data, v.fingerprints, v.undecided, v.same_until, $9
         FROM unnest($5::bytea[], $6::bytea[], $7::boolean[], $8::timestamptz[]) WITH ORDINALITY
           AS v(data, fingerprints, undecided, same_until, place)
         ON CONFLICT DO NOTHING`,
};

const DROP_OLDER: Statement = {
  name: 'verdicts-drop-older',
  reason: 'set',
  text: 'DELETE FROM scan_verdicts WHERE tenant_id = $1 AND project_id = $2 AND scan_id <> $3',
};

const LAST: Statement = {
  name: 'verdicts-last-scan',
  reason: 'set',
  text: `SELECT sp.scan_id, s.created_at, sp.inventory_id
         FROM scan_projects sp JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
         WHERE sp.tenant_id = $1 AND sp.project_id = $2 AND sp.status = 'completed'
         ORDER BY sp.scan_id DESC LIMIT 1`,
};

const DATA: Statement = {
  name: 'verdicts-data',
  reason: 'hot path',
  text: `SELECT seq, data FROM scan_verdicts
         WHERE tenant_id = $1 AND project_id = $2 AND scan_id = $3 AND seq = ANY ($4::int[])`,
};

const PLACE: Statement = {
  name: 'verdicts-place',
  reason: 'hot path',
  text: `SELECT a.seq, a.line FROM inventory_assets a
         JOIN inventories i ON i.tenant_id = $1 AND i.id = $2 AND i.indexed_at IS NOT NULL
         WHERE a.tenant_id = $1 AND a.inventory_id = $2 AND a.name = $3 AND a.type = $4`,
};
