import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { ahead } from '../../platform/prefetch.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import {
  hasOpenFindings,
  observeAssets,
  type RecordedCount,
  recordFindings,
} from '../findings/index.ts';
import { readChunks } from '../inventories/index.ts';
import type { SlotWork } from './finish-project.ts';
import { type Claim, claimChunks, claimsOf, holdSlot, settleClaim } from './leases.ts';
import type { Evaluated } from './scan-evaluator.ts';
import { shareWriting } from './scan-lock.ts';
import { advance } from './scan-progress.ts';
import { recordVerdicts } from './verdict-records.ts';

/** A committed step of a scan. */
export interface WrittenStep {
  readonly assets: number;
  readonly evaluations: number;
  readonly deltas: Readonly<Record<string, number>>;
  /** Duration of its transaction. */
  readonly seconds: number;
}

interface Processed {
  /**
   * Whether the project had open findings that its scan had not seen. If not, it has none until the scan ends, because
   * only the scan itself opens findings meanwhile.
   */
  readonly mayResolve: boolean;
}

/** Every transaction has a fixed cost, so a step has several chunks; few enough to repeat it quickly after a crash. */
const CHUNKS_A_STEP = 4;

/**
 * Processes the claimed chunks of a slot, then unclaimed ones, a few at a time. While one step is written, the next is
 * evaluated and the one after it is read.
 * @param isStopping whether to stop claiming chunks.
 * @param onStep called for metrics.
 * @throws {LeaseLost} when another worker holds the slot, {Ended} when the scan has ended, and errors of
 * `ScanEvaluator.evaluate`.
 */
export async function workOff(
  tenants: TenantDatabase,
  work: SlotWork,
  isStopping: () => boolean,
  onStep?: (step: WrittenStep) => void,
): Promise<Processed> {
  const { tenantId } = work.slot;
  const mayResolve = await tenants.read(tenantId, (db) => hasOpenFindings(db, work.scan));
  for await (const evaluated of ahead(
    evaluatedSteps(work, ahead(steps(tenants, work, isStopping)), mayResolve),
  )) {
    const beganAt = performance.now();
    const write = () =>
      tenants.write(tenantId, async (db) => {
        await shareWriting(db, work.slot);
        await holdSlot(db, work.slot);
        await settleClaim(db, work.slot, evaluated.claim);
        const counts = await recordFindings(db, work.scan, evaluated.findings);
        await recordVerdicts(db, work.slot, evaluated.claim.fromSeq, evaluated.verdicts);
        if (mayResolve) await observeUndecided(db, work, evaluated);
        await advance(db, work.slot, {
          chunks: evaluated.claim.toSeq - evaluated.claim.fromSeq,
          assets: evaluated.assets,
          verdictCounts: evaluated.verdictCounts,
          recorded: counts,
        });
        return counts;
      });
    const recorded = await inSpan('write', { attributes: part(evaluated.claim) }, write);
    onStep?.({
      assets: evaluated.assets,
      evaluations: Object.values(evaluated.verdictCounts.totals).reduce(
        (sum, count) => sum + count,
        0,
      ),
      deltas: deltasOf(recorded),
      seconds: (performance.now() - beganAt) / 1000,
    });
  }
  return { mayResolve };
}

/** Of all other assets, the index of the inventory tells at the end that they were evaluated. */
async function observeUndecided(
  db: TenantConnection,
  { scan, rulesOnProjects }: SlotWork,
  { undecidedAssets, isUndecided }: Evaluated,
): Promise<void> {
  if (undecidedAssets.length === 0) return;
  await observeAssets(db, scan, rulesOnProjects, { assetNames: undecidedAssets, isUndecided });
}

function deltasOf(recorded: readonly RecordedCount[]): Record<string, number> {
  const deltas: Record<string, number> = {};
  for (const { delta, count } of recorded) deltas[delta] = (deltas[delta] ?? 0) + count;
  return deltas;
}

/** Chunks that are evaluated and written together. */
interface Step {
  readonly claim: Claim;
  /** Compressed, as stored in the inventory. */
  readonly data: readonly Uint8Array[];
}

async function* steps(
  tenants: TenantDatabase,
  work: SlotWork,
  isStopping: () => boolean,
): AsyncGenerator<Step> {
  for await (const claim of claims(tenants, work, isStopping)) {
    const chunks = await tenants.read(work.slot.tenantId, (db) =>
      readChunks(db, work.started.inventoryId, claim),
    );
    yield { claim, data: chunks.map(({ data }) => data) };
  }
}

/** Starts with the unfinished claims of earlier holders of the slot. */
async function* claims(
  tenants: TenantDatabase,
  { slot }: SlotWork,
  isStopping: () => boolean,
): AsyncGenerator<Claim> {
  yield* await tenants.read(slot.tenantId, (db) => claimsOf(db, slot));
  while (!isStopping()) {
    const claim = await tenants.read(slot.tenantId, (db) => claimChunks(db, slot, CHUNKS_A_STEP));
    if (claim === null) return;
    yield claim;
  }
}

async function* evaluatedSteps(
  work: SlotWork,
  toEvaluate: AsyncIterable<Step>,
  withUndecided: boolean,
): AsyncGenerator<Evaluated & Pick<Step, 'claim'>> {
  for await (const { claim, data } of toEvaluate) {
    const evaluated = await inSpan('evaluate', { attributes: part(claim) }, () =>
      work.evaluator.evaluate(claim.fromSeq, data, withUndecided),
    );
    yield { claim, ...evaluated };
  }
}

/** The chunk range, as attributes of a tracing span. */
function part({ fromSeq, toSeq }: Claim) {
  return { 'cspm.scan.chunk': fromSeq, 'cspm.scan.chunks': toSeq - fromSeq };
}
