import { ahead } from '../ahead.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import {
  hasOpenFindings,
  observeAssets,
  type RecordedCount,
  recordFindings,
} from '../findings/record.ts';
import { readChunks, unpack } from '../inventories/chunks.ts';
import { inSpan } from '../tracing/tracer.ts';
import type { SlotWork } from './finish.ts';
import { type Judged, judgeAssets } from './judge.ts';
import { advance } from './scan-progress.ts';
import { shareWriting } from './scan-write.ts';
import { type Claim, claimChunks, claimsOf, holdSlot, settleClaim } from './slots.ts';

/** What one step of a scan did, told when it is written. */
export interface WrittenStep {
  readonly assets: number;
  readonly evaluations: number;
  readonly deltas: Readonly<Record<string, number>>;
  /** How long its transaction took. */
  readonly seconds: number;
}

/** A transaction costs the same for much as for little: few enough of them, yet a step is soon done again. */
const CHUNKS_A_STEP = 4;

/**
 * Does what a slot has taken on, and then what nobody has, a few chunks at a time. While one step is written, the next
 * one is judged and the one after it fetched.
 * @param isStopping whether nothing more is to be taken on.
 * @param onStep for the metrics.
 * @throws {Displaced} when the slot is in other hands, {Ended} when the scan has ended.
 */
export async function workOff(
  tenants: TenantDatabase,
  work: SlotWork,
  isStopping: () => boolean,
  onStep?: (step: WrittenStep) => void,
): Promise<void> {
  const { tenantId } = work.slot;
  const mayResolve = await tenants.read(tenantId, (db) => hasOpenFindings(db, work.scan));
  for await (const judged of ahead(judgedSteps(work, ahead(steps(tenants, work, isStopping))))) {
    const beganAt = performance.now();
    const write = () =>
      tenants.write(tenantId, async (db) => {
        await shareWriting(db, work.slot);
        await holdSlot(db, work.slot);
        await settleClaim(db, work.slot, judged.claim);
        const counts = await recordFindings(db, work.scan, judged.findings);
        if (mayResolve) await observeAssets(db, work.scan, work.rulesOnProjects, judged);
        await advance(db, work.slot, {
          chunks: judged.claim.toSeq - judged.claim.fromSeq,
          assets: judged.assetNames.length,
          tally: judged.tally,
          recorded: counts,
        });
        return counts;
      });
    const recorded = await inSpan('write', { attributes: part(judged.claim) }, write);
    onStep?.({
      assets: judged.assetNames.length,
      evaluations: Object.values(judged.tally.totals).reduce((sum, count) => sum + count, 0),
      deltas: deltasOf(recorded),
      seconds: (performance.now() - beganAt) / 1000,
    });
  }
}

function deltasOf(recorded: readonly RecordedCount[]): Record<string, number> {
  const deltas: Record<string, number> = {};
  for (const { delta, count } of recorded) deltas[delta] = (deltas[delta] ?? 0) + count;
  return deltas;
}

/** A few chunks that are judged and written together. */
interface Step {
  readonly claim: Claim;
  /** The assets in them, each as JSON; gone through once. */
  readonly texts: Iterable<string>;
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
    yield { claim, texts: await unpack(chunks) };
  }
}

/** First what is left of whoever sat at the slot before. */
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

async function* judgedSteps(
  work: SlotWork,
  toJudge: AsyncIterable<Step>,
): AsyncGenerator<Judged & Pick<Step, 'claim'>> {
  for await (const { claim, texts } of toJudge) {
    const judged = await inSpan('judge', { attributes: part(claim) }, () =>
      judgeAssets(work, texts),
    );
    yield { claim, ...judged };
  }
}

/** Which part of the inventory a span is about. */
function part({ fromSeq, toSeq }: Claim) {
  return { 'cspm.scan.chunk': fromSeq, 'cspm.scan.chunks': toSeq - fromSeq };
}
