import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** The payload of a queued job: a slot of a project's scan. */
export interface ScanSlot {
  readonly tenantId: string;
  readonly scanId: string;
  readonly projectId: string;
  readonly slot: number;
}

/** A slot held by one worker. */
export interface HeldSlot extends ScanSlot {
  /**
   * Lease token, new for every worker that takes the slot. It tells a worker that was presumed dead from its successor.
   */
  readonly leaseToken: string;
}

/** Chunks of the inventory that a slot has claimed: from the first up to but excluding the second index. */
export interface Claim {
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** Another worker has taken the slot and does the rest of its work. */
export class LeaseLost extends Error {
  constructor({ scanId, projectId, slot }: ScanSlot) {
    super(`Slot ${slot} of scan ${scanId}, project ${projectId}, now belongs to another worker`);
  }
}

/** The scan has ended or was cancelled; nothing more may be written for it. */
export class Ended extends Error {}

const keysOf = ({ tenantId, scanId, projectId, slot }: ScanSlot) => [
  tenantId,
  scanId,
  projectId,
  slot,
];

/**
 * Takes a slot. A previous holder loses it once the step it is writing has been committed.
 * @returns false when the scan has ended.
 */
export async function takeSlot(db: TenantConnection, slot: HeldSlot): Promise<boolean> {
  return (await db.sql(TAKE, [...keysOf(slot), slot.leaseToken])).length > 0;
}

const TAKE: Statement = {
  name: 'scan-slot-take',
  reason: 'set',
  text: `
    INSERT INTO scan_slots (tenant_id, scan_id, project_id, slot, holder)
    SELECT tenant_id, scan_id, project_id, $4::int, $5::uuid FROM scan_projects
    WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status IN ('queued', 'running')
    ON CONFLICT (tenant_id, scan_id, project_id, slot) DO UPDATE SET holder = EXCLUDED.holder
    RETURNING slot`,
};

/**
 * Locks the slot to this holder until the transaction ends. Several transactions of the holder may do so at once.
 * @throws {LeaseLost} when another worker holds it, {Ended} when the scan has ended.
 */
export function holdSlot(db: TenantConnection, slot: HeldSlot): Promise<void> {
  return checkHeld(db, slot, HOLD);
}

/** Throws like `holdSlot`, but locks nothing. */
export function checkSlot(db: TenantConnection, slot: HeldSlot): Promise<void> {
  return checkHeld(db, slot, CHECK);
}

async function checkHeld(db: TenantConnection, slot: HeldSlot, by: Statement): Promise<void> {
  const [row] = await db.sql<{ holder: string; status: string }>(by, keysOf(slot));
  if (row?.holder !== slot.leaseToken) throw new LeaseLost(slot);
  if (row.status !== 'running') throw new Ended();
}

const CHECK: Statement = {
  name: 'scan-slot-check',
  reason: 'hot path',
  text: `
    SELECT s.holder, p.status
    FROM scan_slots s
    JOIN scan_projects p ON p.tenant_id = $1 AND p.scan_id = s.scan_id AND p.project_id = s.project_id
    WHERE s.tenant_id = $1 AND s.scan_id = $2 AND s.project_id = $3 AND s.slot = $4`,
};

const HOLD: Statement = {
  name: 'scan-slot-hold',
  reason: 'lock',
  text: `${CHECK.text} FOR SHARE OF s`,
};

/**
 * Claims the next chunks that no slot has.
 * @returns null when there are none, the scan has ended, or another worker holds the slot.
 */
export async function claimChunks(
  db: TenantConnection,
  slot: HeldSlot,
  most: number,
): Promise<Claim | null> {
  const [row] = await db.sql<ClaimRow>(CLAIM, [...keysOf(slot), slot.leaseToken, most]);
  return row === undefined ? null : claimFrom(row);
}

interface ClaimRow {
  from_seq: number;
  to_seq: number;
}

function claimFrom({ from_seq: fromSeq, to_seq: toSeq }: ClaimRow): Claim {
  return { fromSeq, toSeq };
}

/*
 * One UPDATE, which counts past the last chunk. To lock the row and update it in one statement could deadlock: the update
 * starts at the version of the row that the statement saw first. Foreign keys share locks of that version, so another claim
 * can hold it while it waits for the version that is locked.
 */
const CLAIM: Statement = {
  name: 'scan-claim',
  reason: 'set',
  text: `
    WITH noted AS (
      UPDATE scan_projects p SET chunks_claimed = p.chunks_claimed + $6::int FROM scan_slots s
      WHERE p.tenant_id = $1 AND p.scan_id = $2 AND p.project_id = $3 AND p.status = 'running'
        AND p.chunks_claimed < p.chunks
        AND s.tenant_id = $1 AND s.scan_id = $2 AND s.project_id = $3 AND s.slot = $4 AND s.holder = $5
      RETURNING p.chunks_claimed - $6::int AS from_seq, LEAST(p.chunks_claimed, p.chunks) AS to_seq
    )
    INSERT INTO scan_claims (tenant_id, scan_id, project_id, slot, from_seq, to_seq)
    SELECT $1, $2, $3, $4, from_seq, to_seq FROM noted
    RETURNING from_seq, to_seq`,
};

/** Unfinished claims of the slot, including those of earlier holders. */
export async function claimsOf(db: TenantConnection, slot: ScanSlot): Promise<Claim[]> {
  return (await db.sql<ClaimRow>(CLAIMS, keysOf(slot))).map(claimFrom);
}

const CLAIMS: Statement = {
  name: 'scan-claims',
  reason: 'hot path',
  text: `SELECT from_seq, to_seq FROM scan_claims
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND slot = $4
         ORDER BY from_seq`,
};

/**
 * Marks the chunks as done, in the transaction that wrote their results. @throws {LeaseLost} when they were done
 * already.
 */
export async function settleClaim(
  db: TenantConnection,
  slot: HeldSlot,
  { fromSeq }: Claim,
): Promise<void> {
  const settled = await db.sql(SETTLE, [...keysOf(slot), fromSeq]);
  if (settled.length === 0) throw new LeaseLost(slot);
}

const SETTLE: Statement = {
  name: 'scan-claim-settle',
  reason: 'hot path',
  text: `DELETE FROM scan_claims
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND slot = $4 AND from_seq = $5
         RETURNING from_seq`,
};

/**
 * Replaces an unfinished claim by one for each of its chunks.
 * @throws {LeaseLost} when the chunks are done.
 */
export async function splitClaim(
  db: TenantConnection,
  slot: HeldSlot,
  claim: Claim,
): Promise<Claim[]> {
  await settleClaim(db, slot, claim);
  const { fromSeq, toSeq } = claim;
  const rows = await db.sql<ClaimRow>(CLAIM_EACH, [...keysOf(slot), fromSeq, toSeq]);
  return rows.map(claimFrom).toSorted((a, b) => a.fromSeq - b.fromSeq);
}

const CLAIM_EACH: Statement = {
  name: 'scan-claim-each',
  reason: 'set',
  text: `INSERT INTO scan_claims (tenant_id, scan_id, project_id, slot, from_seq, to_seq)
         SELECT $1, $2, $3, $4, seq, seq + 1 FROM generate_series($5::int, $6::int - 1) AS seq
         RETURNING from_seq, to_seq`,
};

/**
 * Gives up a slot without remaining work.
 * @returns false when there is work: a worker that was presumed dead has claimed more chunks meanwhile.
 * @throws {LeaseLost} when another worker holds the slot, which must keep its job.
 */
export async function leaveSlot(db: TenantConnection, slot: HeldSlot): Promise<boolean> {
  const [row] = await db.sql<{ holder: string }>(HOLD_TO_LEAVE, keysOf(slot));
  if (row === undefined) return true;
  if (row.holder !== slot.leaseToken) throw new LeaseLost(slot);
  return (await db.sql(LEAVE, keysOf(slot))).length > 0;
}

const HOLD_TO_LEAVE: Statement = {
  name: 'scan-slot-hold-to-leave',
  reason: 'lock',
  text: `SELECT holder FROM scan_slots
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND slot = $4
         FOR UPDATE`,
};

const LEAVE: Statement = {
  name: 'scan-slot-leave',
  reason: 'set',
  text: `
    DELETE FROM scan_slots s
    WHERE s.tenant_id = $1 AND s.scan_id = $2 AND s.project_id = $3 AND s.slot = $4
      AND NOT EXISTS (
        SELECT 1 FROM scan_claims c
        JOIN scan_projects p ON p.tenant_id = $1 AND p.scan_id = c.scan_id AND p.project_id = c.project_id
        WHERE c.tenant_id = $1 AND c.scan_id = $2 AND c.project_id = $3 AND c.slot = $4
          AND p.status IN ('queued', 'running'))
    RETURNING s.slot`,
};

/** Removes a slot of an ended scan, regardless of its holder. */
export async function clearSlot(db: TenantConnection, slot: ScanSlot): Promise<void> {
  await db.sql(CLEAR, keysOf(slot));
}

const CLEAR: Statement = {
  name: 'scan-slot-clear',
  reason: 'set',
  text: `
    DELETE FROM scan_slots s USING scan_projects p
    WHERE s.tenant_id = $1 AND s.scan_id = $2 AND s.project_id = $3 AND s.slot = $4
      AND p.tenant_id = $1 AND p.scan_id = $2 AND p.project_id = $3
      AND p.status NOT IN ('queued', 'running')`,
};
