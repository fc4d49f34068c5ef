import { FINGERPRINT_BYTES } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { isAnyLeftOpen, type NotedFindings, repeatAllFindings } from '../findings/index.ts';
import { type EarlierScan, NotRepeatable } from './earlier-scan.ts';
import type { HeldSlot } from './leases.ts';
import { REPEATABLE_RESULTS } from './repeat-chunks.ts';
import { isStopAwaited } from './scan-lock.ts';
import type { SlotWork } from './slot-work.ts';
import { VerdictCounts } from './verdict-counts.ts';
import { countVerdicts } from './verdict-packer.ts';

/*
 * When nothing has changed since an earlier scan, all its results are repeated in the transaction that ends the scan,
 * without a write to any finding. Otherwise `repeat-chunks.ts` repeats what it can.
 */

/** The results of all chunks of an earlier scan. */
export interface RepeatableProject {
  readonly earlier: EarlierScan;
  readonly chunks: number;
  readonly assets: number;
  readonly verdictCounts: VerdictCounts;
  readonly findings: number;
  /** Whether a rule gave no result for some asset. A finding that the earlier scan has not seen must then be marked. */
  readonly isUndecided: boolean;
}

/** Number of chunks per read. */
const CHUNKS_A_READ = 64;

/**
 * @returns null when the results of some chunk cannot be repeated, the inventory has lost it, or the scan has begun with
 * its chunks.
 */
export async function readRepeatableProject(
  read: <T>(step: (db: TenantConnection) => Promise<T>) => Promise<T>,
  { scan, started, evaluatedBy }: SlotWork,
  earlier: EarlierScan,
): Promise<RepeatableProject | null> {
  const unclaimed = await read((db) =>
    db.sql<{ chunks: number }>(UNCLAIMED, [db.tenantId, scan.scanId, scan.projectId]),
  );
  const chunks = unclaimed[0]?.chunks ?? 0;
  if (chunks === 0) return null;
  const verdictCounts = new VerdictCounts();
  let [assets, findings] = [0, 0];
  let isUndecided = false;
  for (let fromSeq = 0; fromSeq < chunks; fromSeq += CHUNKS_A_READ) {
    const toSeq = Math.min(fromSeq + CHUNKS_A_READ, chunks);
    const rows = await read((db) =>
      db.sql<{ data: Buffer; findings: number; undecided: boolean }>(REPEATABLE, [
        ...[db.tenantId, scan.projectId, earlier.scanId, fromSeq, toSeq, evaluatedBy],
        // Whether there are other open findings is seen when all are noted.
        ...[started.startedAt, false, started.inventoryId],
      ]),
    );
    if (rows.length < toSeq - fromSeq) return null;
    for (const row of rows) {
      findings += row.findings;
      isUndecided ||= row.undecided;
      assets += await countVerdicts(row.data, (verdict, times) =>
        verdictCounts.add(verdict, times),
      );
    }
  }
  return { earlier, chunks, assets, verdictCounts, findings, isUndecided };
}

/**
 * Writes all results of an earlier scan again, except those of the rules for whole projects.
 * @throws {NotRepeatable} the transaction must be rolled back, and the chunks be processed.
 */
export async function repeatProject(
  db: TenantConnection,
  { slot, scan, rulesOnProjects }: SlotWork,
  { earlier: { scanId: earlierScanId, writtenBy }, findings, isUndecided }: RepeatableProject,
): Promise<NotedFindings> {
  if (!(await claimAll(db, slot))) throw new NotRepeatable();
  const noted = await repeatAllFindings(db, scan, {
    ...{ writtenBy, rulesOnProjects, findings },
    othersWrittenBy: isUndecided ? [earlierScanId] : null,
    isUnwanted: () => isStopAwaited(db, slot),
  });
  if (noted === null) throw new NotRepeatable();
  await db.sql(TAKE_VERDICTS, [db.tenantId, scan.projectId, earlierScanId, scan.scanId]);
  return noted;
}

/**
 * Runs when the findings of the rules for whole projects are written. Where such a rule gave no result, its finding stays
 * open and was not seen again, unlike all others that the earlier scan wrote.
 * @throws {NotRepeatable} when there is such a finding.
 */
export async function checkProjectsRepeated(
  db: TenantConnection,
  { scan, rulesOnProjects }: SlotWork,
  { earlier: { writtenBy }, others }: RepeatableProject & NotedFindings,
): Promise<void> {
  if (await isAnyLeftOpen(db, scan, writtenBy, rulesOnProjects, others)) throw new NotRepeatable();
}

/** @returns false when a slot has claimed chunks, the scan has ended, or another worker holds the slot. */
async function claimAll(db: TenantConnection, slot: HeldSlot): Promise<boolean> {
  const { scanId, projectId, slot: number, leaseToken } = slot;
  const values = [db.tenantId, scanId, projectId, number, leaseToken];
  return (await db.sql(CLAIM_ALL, values)).length > 0;
}

const UNCLAIMED: Statement = {
  name: 'repeat-project-unclaimed',
  reason: 'hot path',
  text: `SELECT chunks FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running' AND chunks_claimed = 0`,
};

const REPEATABLE: Statement = {
  name: 'repeat-project-read',
  reason: 'set',
  text: `SELECT v.data, v.undecided, length(v.fingerprints) / ${FINGERPRINT_BYTES} AS findings ${REPEATABLE_RESULTS}`,
};

const CLAIM_ALL: Statement = {
  name: 'repeat-project-claim',
  reason: 'set',
  text: `UPDATE scan_projects SET chunks_claimed = chunks
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running' AND chunks_claimed = 0
           AND EXISTS (
             SELECT 1 FROM scan_slots s
             WHERE s.tenant_id = $1 AND s.scan_id = $2 AND s.project_id = $3 AND s.slot = $4 AND s.holder = $5)
         RETURNING chunks`,
};

/** The results are moved instead of copied: only those of the last completed scan are kept, which this one will be. */
const TAKE_VERDICTS: Statement = {
  name: 'repeat-project-verdicts',
  reason: 'set',
  text: `UPDATE scan_verdicts SET scan_id = $4
         WHERE tenant_id = $1 AND project_id = $2 AND scan_id = $3 AND seq >= 0`,
};
