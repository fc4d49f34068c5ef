import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { activeTrace } from '../../platform/tracing/job-spans.ts';
import type { InventoryContents } from '../inventories/index.ts';
import type { RulesetRule } from '../rules/index.ts';
import { findEarlierScan } from './earlier-scan.ts';
import { queueSlot } from './enqueue.ts';
import { Ended, type ScanSlot } from './leases.ts';
import { ScanFault } from './scan-fault.ts';

/** A project's scan as it was launched. */
export interface ScanPlan {
  readonly status: string;
  /** Time of the launch. */
  readonly scanAt: Date;
  /** Null for scans of releases that did not store the rules. */
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
  reason: 'set',
  text: `
    SELECT sp.status, s.created_at, r.rules
    FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
    LEFT JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3`,
};

/** A running scan of a project. */
export interface Started {
  /** The current time as seen by rules. It is the same for every worker, even one that joins days later. */
  readonly startedAt: Date;
  readonly inventoryId: string;
  /** Number of assets in the inventory. */
  readonly assets: number;
  readonly assetTypes: readonly { readonly type: string; readonly count: number }[];
  readonly contents: InventoryContents;
  /**
   * Number of slots that `queueFurtherSlots` is to queue unless the results of an earlier scan can be repeated: other
   * workers would begin to evaluate chunks meanwhile.
   */
  readonly furtherSlots: number;
}

/** Number of chunks that justify one more worker, and the maximum number of workers. */
const CHUNKS_A_SLOT = 8;
const SLOTS = 4;

/**
 * Starts a project's scan with the active inventory and queues additional slots for large inventories, unless they are
 * left to the caller. If it is already running, returns its state.
 * @returns null when an earlier scan of the project is still running; its end queues this job again.
 * @throws {Ended} when the scan has ended, {ScanFault} when there is no inventory.
 */
export async function begin(
  db: TenantConnection,
  of: ScanSlot,
  now: Date,
): Promise<Started | null> {
  const turn = of.slot === 0 ? await takeTurn(db, of, now) : { furtherSlots: 0 };
  if (turn === null) return null;
  const [row] = await db.sql<StartedRow>(STARTED, [db.tenantId, of.scanId, of.projectId]);
  if (row === undefined) throw new Ended();
  if (row.assets === null) throw new ScanFault('The inventory was deleted.');
  if (row.contents === null) {
    throw new ScanFault('The inventory was uploaded to an earlier release. Upload it again.');
  }
  return {
    startedAt: row.started_at,
    inventoryId: row.inventory_id,
    assets: row.assets,
    assetTypes: row.asset_types,
    contents: row.contents,
    furtherSlots: turn.furtherSlots,
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
  reason: 'set',
  text: `
    SELECT s.started_at, sp.inventory_id, i.assets, i.asset_types, i.contents
    FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
    LEFT JOIN inventories i ON i.tenant_id = $1 AND i.id = sp.inventory_id
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3 AND sp.status = 'running'`,
};

/**
 * Starts the scan if it is the first of its project's queue. It locks all scans of the queue in the same order. A scan
 * that is ending has therefore either ended before this check, or sees afterwards that this one waits.
 * @returns null when an earlier scan of the project is still running.
 */
async function takeTurn(
  db: TenantConnection,
  of: ScanSlot,
  now: Date,
): Promise<Pick<Started, 'furtherSlots'> | null> {
  const line = await db.sql<{ scan_id: string; status: string }>(LINE, [db.tenantId, of.projectId]);
  const own = line.find(({ scan_id: id }) => id === of.scanId);
  if (own === undefined) throw new Ended();
  if (own.status === 'running') return { furtherSlots: 0 };
  const values = [db.tenantId, of.scanId, of.projectId];
  if (line.some((other) => other.status === 'running' || other.scan_id < of.scanId)) {
    await db.sql(WAIT, [...values, JSON.stringify(activeTrace())]);
    return null;
  }
  return { furtherSlots: await start(db, of, now) };
}

/** @returns the number of further slots that are not queued yet. */
async function start(db: TenantConnection, of: ScanSlot, now: Date): Promise<number> {
  const values = [db.tenantId, of.scanId, of.projectId];
  const [row] = await db.sql<{ chunks: number }>(START, values);
  if (row === undefined) throw new ScanFault('The inventory was deleted.');
  await db.sql(START_SCAN, [db.tenantId, of.scanId, now]);
  const further = Math.max(0, Math.min(SLOTS, Math.floor(row.chunks / CHUNKS_A_SLOT)) - 1);
  if ((await findEarlierScan(db, of)) !== null) return further;
  await queueFurtherSlots(db, of, further);
  return 0;
}

export async function queueFurtherSlots(
  db: TenantConnection,
  of: ScanSlot,
  further: number,
): Promise<void> {
  for (let slot = 1; slot <= further; slot += 1) await queueSlot(db, { ...of, slot });
}

const LINE: Statement = {
  name: 'scan-project-line',
  reason: 'lock',
  text: `SELECT scan_id, status FROM scan_projects
         WHERE tenant_id = $1 AND project_id = $2 AND status IN ('queued', 'running')
         ORDER BY scan_id
         FOR NO KEY UPDATE`,
};

const WAIT: Statement = {
  name: 'scan-project-wait',
  reason: 'hot path',
  text: `UPDATE scan_projects SET waits = true, waits_trace = $4::jsonb
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3`,
};

const START: Statement = {
  name: 'scan-project-start',
  reason: 'set',
  text: `
    UPDATE scan_projects sp
    SET status = 'running', inventory_id = i.id, content_digest = i.content_digest,
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
  reason: 'hot path',
  text: `UPDATE scans SET status = 'running', started_at = $3
         WHERE tenant_id = $1 AND id = $2 AND status = 'queued'`,
};
