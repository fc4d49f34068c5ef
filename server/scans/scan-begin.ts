import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { InventoryContents } from '../inventories/contents.ts';
import { activeTrace } from '../tracing/job-spans.ts';
import { queueSlot } from './queue-slot.ts';
import type { RulesetRule } from './ruleset.ts';
import { ScanFault } from './scan-fault.ts';
import { Ended, type ScanSlot } from './slots.ts';

/** A project's scan as it was launched. */
export interface ScanPlan {
  readonly status: string;
  /** When it was launched. */
  readonly scanAt: Date;
  /** Null: not kept, by a release that did not. */
  readonly rules: readonly RulesetRule[] | null;
}

/** @returns null when there is no such scan. */
export async function findPlan(db: TenantConnection, of: ScanSlot): Promise<ScanPlan | null> {
  const [row] = await db.sql<PlanRow>(PLAN, [db.tenantId, of.scanId, of.projectId]);
  return row === undefined ? null : { ...row, scanAt: row.created_at };
}

interface PlanRow {
  status: string;
  created_at: Date;
  rules: RulesetRule[] | null;
}

const PLAN: Statement = {
  name: 'scan-plan',
  text: `
    SELECT sp.status, s.created_at, r.rules
    FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
    LEFT JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3`,
};

/** A project's scan that is under way. */
export interface Started {
  /** The moment that rules take for now: the same for every worker, also for one that comes to it days later. */
  readonly startedAt: Date;
  readonly inventoryId: string;
  /** How many the inventory holds. */
  readonly assets: number;
  readonly assetTypes: readonly { readonly type: string; readonly count: number }[];
  readonly contents: InventoryContents;
}

/** How many chunks make it worth while for one worker more to come, and how many may come in all. */
const CHUNKS_A_SLOT = 8;
const SLOTS = 4;

/**
 * Begins a project's scan with the inventory that is in force now, and calls others in to share the work when there is
 * much of it; or finds it begun.
 * @returns null when its turn has not come: the end of the one before it has it called again.
 * @throws {Ended} when it is over, {ScanFault} when there is nothing to look at.
 */
export async function begin(
  db: TenantConnection,
  of: ScanSlot,
  now: Date,
): Promise<Started | null> {
  if (of.slot === 0 && !(await isTurnOf(db, of, now))) return null;
  const [row] = await db.sql<StartedRow>(STARTED, [db.tenantId, of.scanId, of.projectId]);
  if (row === undefined) throw new Ended();
  if (row.assets === null) throw new ScanFault('The inventory is gone.');
  if (row.contents === null) {
    throw new ScanFault('The inventory was taken in by an earlier release. Upload it again.');
  }
  return {
    startedAt: row.started_at,
    inventoryId: row.inventory_id,
    assets: row.assets,
    assetTypes: row.asset_types,
    contents: row.contents,
  };
}

interface StartedRow {
  started_at: Date;
  inventory_id: string;
  assets: number | null;
  asset_types: { type: string; count: number }[];
  contents: InventoryContents | null;
}

const STARTED: Statement = {
  name: 'scan-project-started',
  text: `
    SELECT s.started_at, sp.inventory_id, i.assets, i.asset_types, i.contents
    FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
    LEFT JOIN inventories i ON i.tenant_id = $1 AND i.id = sp.inventory_id
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3 AND sp.status = 'running'`,
};

/**
 * Starts the scan if it is the first in its project's line. All that are in the line are locked, in one order: one that
 * is about to end has ended before this looks, and otherwise sees, when it does, that this one waits.
 */
async function isTurnOf(db: TenantConnection, of: ScanSlot, now: Date): Promise<boolean> {
  const line = await db.sql<{ scan_id: string; status: string }>(LINE, [db.tenantId, of.projectId]);
  const own = line.find(({ scan_id: id }) => id === of.scanId);
  if (own === undefined) throw new Ended();
  if (own.status === 'running') return true;
  const values = [db.tenantId, of.scanId, of.projectId];
  if (line.some((other) => other.status === 'running' || other.scan_id < of.scanId)) {
    await db.sql(WAIT, [...values, JSON.stringify(activeTrace())]);
    return false;
  }
  await start(db, of, now);
  return true;
}

async function start(db: TenantConnection, of: ScanSlot, now: Date): Promise<void> {
  const values = [db.tenantId, of.scanId, of.projectId];
  const [row] = await db.sql<{ chunks: number }>(START, values);
  if (row === undefined) throw new ScanFault('The inventory is gone.');
  await db.sql(START_SCAN, [db.tenantId, of.scanId, now]);
  const slots = Math.min(SLOTS, Math.floor(row.chunks / CHUNKS_A_SLOT));
  for (let slot = 1; slot < slots; slot += 1) await queueSlot(db, { ...of, slot });
}

const LINE: Statement = {
  name: 'scan-project-line',
  text: `SELECT scan_id, status FROM scan_projects
         WHERE tenant_id = $1 AND project_id = $2 AND status IN ('queued', 'running')
         ORDER BY scan_id
         FOR NO KEY UPDATE`,
};

const WAIT: Statement = {
  name: 'scan-project-wait',
  text: `UPDATE scan_projects SET waits = true, waits_trace = $4::jsonb
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3`,
};

const START: Statement = {
  name: 'scan-project-start',
  text: `
    UPDATE scan_projects sp
    SET status = 'running', inventory_id = i.id,
        chunks = (SELECT COALESCE(max(c.seq) + 1, 0) FROM inventory_chunks c
                  WHERE c.tenant_id = $1 AND c.inventory_id = i.id)
    FROM projects p
    JOIN inventories i ON i.tenant_id = $1 AND i.id = p.inventory_id
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3 AND sp.status = 'queued'
      AND p.tenant_id = $1 AND p.id = $3
    RETURNING sp.chunks`,
};

const START_SCAN: Statement = {
  name: 'scan-start',
  text: `UPDATE scans SET status = 'running', started_at = $3
         WHERE tenant_id = $1 AND id = $2 AND status = 'queued'`,
};
