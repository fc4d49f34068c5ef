import { digestOfPrograms } from '../../platform/child-process/watched-process.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import type { Attempt } from '../../platform/queue-worker.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import { hasOpenFindings } from '../findings/index.ts';
import { readReferenceAssets } from '../inventories/index.ts';
import { customRulesOf, outlinesOf, type RulesetRule, unknownRulesOf } from '../rules/index.ts';
import { findEarlierScan, NotRepeatable } from './earlier-scan.ts';
import { queueSlot } from './enqueue.ts';
import type { EvaluationPool } from './evaluation-pool.ts';
import { finish, NotIndexed } from './finish-project.ts';
import {
  checkSlot,
  clearSlot,
  Ended,
  type HeldSlot,
  holdSlot,
  leaveSlot,
  type ScanSlot,
  takeSlot,
} from './leases.ts';
import { observeInventory } from './observe-inventory.ts';
import { type WrittenStep, workOff, writtenStep } from './process-chunks.ts';
import { readRepeatableProject } from './repeat-project.ts';
import { begin, findPlan, queueFurtherSlots, type ScanPlan, type Started } from './scan-begin.ts';
import { EvaluationInterrupted, ScanEvaluator } from './scan-evaluator.ts';
import { RulesNotKnown, ScanFault } from './scan-fault.ts';
import { isDone } from './scan-progress.ts';
import type { SlotWork } from './slot-work.ts';

export interface ScanWorkerServices {
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  readonly evaluations: EvaluationPool;
  /** Called for every step that was written. */
  readonly onStep?: (step: WrittenStep) => void;
}

/**
 * Works on a slot of a project's scan until nothing is left to do. Others may do the same with other slots; the worker
 * that finds all chunks done ends the scan. A killed worker leaves its claims to the next holder of its slot. A worker
 * that was presumed dead and returns has lost its slot.
 * @throws {LeaseLost} when the slot was lost; {ScanFault} when the project cannot be scanned; {RulesNotKnown} when this
 * release cannot scan it.
 */
export async function scanProject(
  { tenants, clock, evaluations, onStep }: ScanWorkerServices,
  job: ScanSlot,
  { isStopping }: Pick<Attempt, 'isStopping'>,
): Promise<void> {
  const write = <T>(step: (db: TenantConnection) => Promise<T>) =>
    tenants.write(job.tenantId, step);
  const slot = { ...job, leaseToken: newId() };
  let evaluator: ScanEvaluator | null = null;
  try {
    const { scanAt, rules } = planned(await tenants.read(job.tenantId, (db) => findPlan(db, job)));
    if (!(await tenants.read(job.tenantId, (db) => takeSlot(db, slot)))) throw new Ended();
    const started = await write((db) => begin(db, slot, clock.now()));
    if (started === null) {
      await write((db) => leaveSlot(db, slot));
      return;
    }
    const scan = { ...job, scanAt, now: clock.now() };
    evaluator = evaluatorFor(tenants, evaluations, slot, started, rules, isStopping);
    const evaluatedBy = await digestOfPrograms();
    const work = { slot, scan, started, evaluator, evaluatedBy, rules, ...kindsOf(rules) };
    if (await endByRepeating(tenants, work, clock, onStep)) {
      await write((db) => leaveSlot(db, slot));
      return;
    }
    if (started.furtherSlots > 0) {
      await write((db) => queueFurtherSlots(db, job, started.furtherSlots));
    }
    do {
      const { mayResolve } = await workOff(tenants, work, isStopping, onStep);
      if (await tenants.read(job.tenantId, (db) => isDone(db, job))) {
        const projects = await inSpan('evaluate projects', {}, () =>
          work.evaluator.evaluateProjects(),
        );
        const end = (isObserved: boolean) =>
          write((db) =>
            finish(db, work, { projects, mayResolve, isObserved, repeated: null }, clock.now()),
          );
        await inSpan('finish', {}, () =>
          end(false).catch(async (error: unknown) => {
            if (!(error instanceof NotIndexed)) throw error;
            await observeInventory(tenants, work);
            await end(true);
          }),
        );
      }
      if (isStopping()) return await write((db) => handOver(db, slot));
    } while (!(await write((db) => leaveSlot(db, slot))));
  } catch (error) {
    if (error instanceof EvaluationInterrupted) return await write((db) => handOver(db, slot));
    if (!(error instanceof Ended)) throw error;
    await write((db) => clearSlot(db, job));
  } finally {
    await evaluator?.close();
  }
}

/**
 * Ends the scan at once when nothing has changed since an earlier one.
 * @returns whether it has ended; otherwise its chunks must be processed.
 */
async function endByRepeating(
  tenants: TenantDatabase,
  work: SlotWork,
  clock: Clock,
  onStep?: (step: WrittenStep) => void,
): Promise<boolean> {
  const { tenantId } = work.slot;
  const read = <T>(step: (db: TenantConnection) => Promise<T>) => tenants.read(tenantId, step);
  const earlier = await read((db) => findEarlierScan(db, work.scan));
  if (earlier === null) return false;
  const repeated = await readRepeatableProject(read, work, earlier);
  if (repeated === null) return false;
  const beganAt = performance.now();
  const mayResolve = await read((db) => hasOpenFindings(db, work.scan));
  const projects = await inSpan('evaluate projects', {}, () => work.evaluator.evaluateProjects());
  const outcome = { projects, mayResolve, isObserved: false, repeated };
  try {
    await inSpan('repeat', {}, () =>
      tenants.write(tenantId, (db) => finish(db, work, outcome, clock.now())),
    );
  } catch (error) {
    if (error instanceof NotRepeatable || error instanceof NotIndexed) return false;
    throw error;
  }
  const seconds = (performance.now() - beganAt) / 1000;
  onStep?.(writtenStep(repeated, { unchanged: repeated.findings }, seconds));
  return true;
}

/**
 * @throws {Ended} when there is nothing left to do; {ScanFault} or {RulesNotKnown} when the rules cannot be evaluated.
 */
function planned(plan: ScanPlan | null) {
  if (plan === null || (plan.status !== 'queued' && plan.status !== 'running')) throw new Ended();
  const { scanAt, rules } = plan;
  if (rules === null) {
    throw new ScanFault('The scan was launched by an earlier release. Launch it again.');
  }
  const unknown = unknownRulesOf({ rules });
  if (unknown.length > 0) throw new RulesNotKnown(unknown);
  return { scanAt, rules };
}

/** Starts its process on first use. */
function evaluatorFor(
  tenants: TenantDatabase,
  pool: EvaluationPool,
  slot: HeldSlot,
  { startedAt, inventoryId, assetTypes, contents }: Started,
  rules: readonly RulesetRule[],
  isStopping: () => boolean,
): ScanEvaluator {
  const { tenantId, projectId } = slot;
  return new ScanEvaluator({
    pool,
    isStopping,
    check: () => tenants.read(tenantId, (db) => checkSlot(db, slot)),
    open: {
      kind: 'open',
      tenantId,
      projectId,
      rules: rules.filter(({ definition }) => definition === undefined),
      definitions: customRulesOf({ rules }),
      now: startedAt,
      assetTypes,
      projects: contents.projects,
      refusedKinds: contents.refusedKinds ?? [],
    },
    references: () => readReferenceAssets(tenants, tenantId, inventoryId),
  });
}

/** Groups the rules by what they evaluate. */
function kindsOf(
  rules: readonly RulesetRule[],
): Pick<SlotWork, 'rulesOnAssets' | 'rulesOnProjects'> {
  const outlines = outlinesOf({ rules });
  return {
    rulesOnAssets: outlines.filter(({ onProjects }) => !onProjects).map(({ id }) => id),
    rulesOnProjects: outlines.filter(({ onProjects }) => onProjects).map(({ id }) => id),
  };
}

/** Queues the slot again immediately for another worker, because this one was asked to stop. */
async function handOver(db: TenantConnection, slot: HeldSlot): Promise<void> {
  await holdSlot(db, slot);
  await queueSlot(db, slot);
}
