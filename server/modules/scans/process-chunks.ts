import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { forEachConcurrently } from '../../platform/for-each-concurrently.ts';
import { ahead } from '../../platform/prefetch.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import {
  hasFindings,
  hasOpenFindings,
  isDuplicateFinding,
  observeAssets,
  type RecordedCount,
  recordFindings,
} from '../findings/index.ts';
import { readChunks } from '../inventories/index.ts';
import { type CheckedScan, findCheckedScan, NotRepeatable } from './earlier-scan.ts';
import { type Claim, claimChunks, claimsOf, holdSlot, settleClaim, splitClaim } from './leases.ts';
import { type RepeatedChunks, readRepeatable, repeatChunks } from './repeat-chunks.ts';
import type { Evaluated } from './scan-evaluator.ts';
import { TooManyFindings } from './scan-fault.ts';
import { shareWriting } from './scan-lock.ts';
import { advance } from './scan-progress.ts';
import type { SlotWork } from './slot-work.ts';
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
/** Postgres writes a step in one process and waits for the disk at the commit. A second step is written meanwhile. */
const STEPS_AT_A_TIME = 2;

/**
 * Processes the claimed chunks of a slot, then unclaimed ones, a few at a time. While two steps are written, the next is
 * evaluated and the one after it is read. Chunks whose results are known from an earlier scan are not evaluated.
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
  const earlier = mayResolve
    ? await tenants.read(tenantId, (db) => findCheckedScan(db, work.scan))
    : null;
  const expectNew =
    !mayResolve && !(await tenants.read(tenantId, (db) => hasFindings(db, work.scan)));
  const writeAll = (repeated: CheckedScan | null) =>
    writeSteps(
      tenants,
      work,
      evaluatedSteps(tenants, work, ahead(steps(tenants, work, repeated, isStopping)), mayResolve),
      { expectNew, onStep },
    );
  try {
    await writeAll(earlier);
  } catch (error) {
    if (!(error instanceof NotRepeatable)) throw error;
    // The chunks are still claimed, so they come first.
    await writeAll(null);
  }
  return { mayResolve };
}

/**
 * Writes each step in a transaction, some at the same time. Steps of one scan may be written in any order.
 * @param options.expectNew whether the project has no findings yet
 */
async function writeSteps(
  tenants: TenantDatabase,
  work: SlotWork,
  evaluatedSteps: AsyncIterable<EvaluatedStep>,
  {
    expectNew,
    onStep,
  }: { readonly expectNew: boolean; readonly onStep: ((step: WrittenStep) => void) | undefined },
): Promise<void> {
  let expectsNew = expectNew;
  const write = (evaluated: EvaluatedStep, asNew: boolean) =>
    tenants.write(work.slot.tenantId, (db) => writeStep(db, work, evaluated, asNew));
  const writeWithFallback = async (evaluated: EvaluatedStep) => {
    if (!expectsNew) return write(evaluated, false);
    try {
      return await write(evaluated, true);
    } catch (error) {
      // Two assets with the same name share a finding.
      if (!isDuplicateFinding(error)) throw error;
      expectsNew = false;
      return write(evaluated, false);
    }
  };
  await forEachConcurrently(ahead(evaluatedSteps), STEPS_AT_A_TIME, async (evaluated) => {
    const beganAt = performance.now();
    const recorded = await inSpan('write', { attributes: part(evaluated.claim) }, () =>
      writeWithFallback(evaluated),
    );
    const seconds = (performance.now() - beganAt) / 1000;
    onStep?.(writtenStep(evaluated, deltasOf(recorded), seconds));
  });
}

export function writtenStep(
  { assets, verdictCounts }: Pick<Evaluated, 'assets' | 'verdictCounts'>,
  deltas: WrittenStep['deltas'],
  seconds: number,
): WrittenStep {
  const evaluations = Object.values(verdictCounts.totals).reduce((sum, count) => sum + count, 0);
  return { assets, evaluations, deltas, seconds };
}

async function writeStep(
  db: TenantConnection,
  { slot }: SlotWork,
  { claim, assets, verdictCounts, record }: EvaluatedStep,
  expectNew: boolean,
): Promise<RecordedCount[]> {
  await shareWriting(db, slot);
  await holdSlot(db, slot);
  await settleClaim(db, slot, claim);
  const recorded = await record(db, expectNew);
  const chunks = claim.toSeq - claim.fromSeq;
  await advance(db, slot, { chunks, assets, verdictCounts, recorded });
  return recorded;
}

/** Records undecided assets. For all others, the index of the inventory tells at the end that they were evaluated. */
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
interface StepToEvaluate {
  readonly claim: Claim;
  /** Compressed, as stored in the inventory. */
  readonly data: readonly Uint8Array[];
}

interface StepToRepeat {
  readonly claim: Claim;
  readonly earlier: CheckedScan;
  readonly repeated: RepeatedChunks;
}

type Step = StepToEvaluate | StepToRepeat;

/** A step that is ready to be written. */
interface EvaluatedStep extends Pick<Evaluated, 'assets' | 'verdictCounts'> {
  readonly claim: Claim;
  /** Writes the findings and what is kept of the chunks. */
  readonly record: (db: TenantConnection, expectNew: boolean) => Promise<RecordedCount[]>;
}

async function* steps(
  tenants: TenantDatabase,
  work: SlotWork,
  earlier: CheckedScan | null,
  isStopping: () => boolean,
): AsyncGenerator<Step> {
  const { scan, started, evaluatedBy } = work;
  for await (const claim of claims(tenants, work, isStopping)) {
    const repeated =
      earlier === null
        ? null
        : await tenants.read(work.slot.tenantId, (db) =>
            readRepeatable(db, scan, earlier, claim, started, evaluatedBy),
          );
    if (earlier !== null && repeated !== null) {
      yield { claim, earlier, repeated };
      continue;
    }
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
  tenants: TenantDatabase,
  work: SlotWork,
  toEvaluate: AsyncIterable<Step>,
  withUndecided: boolean,
): AsyncGenerator<EvaluatedStep> {
  for await (const step of toEvaluate) {
    if ('repeated' in step) {
      const { claim, earlier, repeated } = step;
      const { assets, verdictCounts } = repeated;
      const record = (db: TenantConnection) =>
        repeatChunks(db, work.scan, earlier, claim, repeated);
      yield { claim, assets, verdictCounts, record };
      continue;
    }
    const evaluated = await evaluatedStep(work, step, withUndecided).catch((error: unknown) => {
      if (error instanceof TooManyFindings && step.data.length > 1) return null;
      throw error;
    });
    if (evaluated !== null) {
      yield evaluated;
      continue;
    }
    for (const part of await eachChunk(tenants, work, step)) {
      yield await evaluatedStep(work, part, withUndecided);
    }
  }
}

/** A step for each chunk of a step. */
async function eachChunk(
  tenants: TenantDatabase,
  { slot }: SlotWork,
  { claim, data }: StepToEvaluate,
): Promise<StepToEvaluate[]> {
  const claims = await tenants.write(slot.tenantId, (db) => splitClaim(db, slot, claim));
  return claims.map((part, at) => ({ claim: part, data: data.slice(at, at + 1) }));
}

async function evaluatedStep(
  work: SlotWork,
  { claim, data }: StepToEvaluate,
  withUndecided: boolean,
): Promise<EvaluatedStep> {
  const evaluated = await inSpan('evaluate', { attributes: part(claim) }, () =>
    work.evaluator.evaluate(claim.fromSeq, data, withUndecided),
  );
  const { assets, verdictCounts } = evaluated;
  const record = async (db: TenantConnection, expectNew: boolean) => {
    const counts = await recordFindings(db, work.scan, evaluated.findings, { expectNew });
    // Their foreign key locks the project until the commit; findings have none.
    await recordVerdicts(db, work.slot, claim.fromSeq, evaluated.chunks, work.evaluatedBy);
    if (withUndecided) await observeUndecided(db, work, evaluated);
    return counts;
  };
  return { claim, assets, verdictCounts, record };
}

/** The chunk range, as attributes of a tracing span. */
function part({ fromSeq, toSeq }: Claim) {
  return { 'cspm.scan.chunk': fromSeq, 'cspm.scan.chunks': toSeq - fromSeq };
}
