import { Snapshot } from '@cspm/scanner';
import type { Clock } from '../clock.ts';
import { CustomRuleJudge } from '../custom-rules/custom-rule-judge.ts';
import type { EvaluatorPool } from '../custom-rules/evaluator-pool.ts';
import type { TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import { readLandmarks } from '../inventories/chunks.ts';
import type { Attempt } from '../jobs/queue-worker.ts';
import { inSpan } from '../tracing/tracer.ts';
import { finish, type SlotWork } from './finish.ts';
import { queueSlot } from './queue-slot.ts';
import {
  customRulesOf,
  evaluatorOf,
  outlinesOf,
  type RulesetRule,
  unknownRulesOf,
} from './ruleset.ts';
import { begin, findPlan, type ScanPlan, type Started } from './scan-begin.ts';
import { RulesNotKnown, ScanFault } from './scan-fault.ts';
import {
  clearSlot,
  Ended,
  type HeldSlot,
  holdSlot,
  leaveSlot,
  type ScanSlot,
  takeSlot,
} from './slots.ts';
import { type WrittenStep, workOff } from './work-off.ts';

export interface ScanWorkerServices {
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  /** For the rules that tenants have written. */
  readonly evaluators: EvaluatorPool;
  /** Told of each step that is written; left out: nobody counts. */
  readonly onStep?: (step: WrittenStep) => void;
}

/**
 * Works at a slot of the scan of one project, until there is nothing left to do there. Others may do the same at other
 * slots; whoever finds all chunks done ends the scan. A worker that is killed leaves its claims to the one who gets the
 * job of its slot next; one that was thought dead and comes back finds its place taken.
 * @throws {Displaced} when it is; {ScanFault} when the project cannot be scanned, {RulesNotKnown} when not by this release.
 */
export async function scanProject(
  { tenants, clock, evaluators, onStep }: ScanWorkerServices,
  job: ScanSlot,
  { isStopping }: Pick<Attempt, 'isStopping'>,
): Promise<void> {
  const write = <T>(step: (db: TenantConnection) => Promise<T>) =>
    tenants.write(job.tenantId, step);
  const slot = { ...job, holder: newId() };
  let customRules: CustomRuleJudge | null = null;
  try {
    const { scanAt, rules } = planned(await tenants.read(job.tenantId, (db) => findPlan(db, job)));
    if (!(await tenants.read(job.tenantId, (db) => takeSlot(db, slot)))) throw new Ended();
    const started = await write((db) => begin(db, slot, clock.now()));
    if (started === null) {
      await write((db) => leaveSlot(db, slot));
      return;
    }
    const scan = { ...job, scanAt, now: clock.now() };
    const prepares = await prepared(tenants, job.tenantId, started, rules);
    customRules = judgeOf(rules, started, evaluators);
    const work = { slot, scan, started, customRules, ...prepares };
    do {
      await workOff(tenants, work, isStopping, onStep);
      await inSpan('finish', {}, () => write((db) => finish(db, work, clock.now())));
      if (isStopping()) return await write((db) => handOver(db, slot));
    } while (!(await write((db) => leaveSlot(db, slot))));
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    await write((db) => clearSlot(db, job));
  } finally {
    await customRules?.close();
  }
}

/** For the tenant's own rules, if there are any: it starts a process when it has something to judge. */
function judgeOf(
  rules: readonly RulesetRule[],
  { startedAt }: Started,
  evaluators: EvaluatorPool,
): CustomRuleJudge | null {
  const definitions = customRulesOf({ rules });
  return definitions.length === 0 ? null : new CustomRuleJudge(definitions, startedAt, evaluators);
}

/** @throws {Ended} when there is nothing to do any more; {ScanFault} or {RulesNotKnown} when the rules cannot be evaluated. */
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

async function prepared(
  tenants: TenantDatabase,
  tenantId: string,
  { startedAt, inventoryId, assetTypes, contents }: Started,
  rules: readonly RulesetRule[],
): Promise<Pick<SlotWork, 'evaluator' | 'rulesOnAssets' | 'rulesOnProjects'>> {
  const landmarks = await tenants.read(tenantId, (db) => readLandmarks(db, inventoryId));
  const snapshot = new Snapshot({
    assetTypes: new Map(assetTypes.map(({ type, count }) => [type, count])),
    landmarks,
    projects: contents.projects,
  });
  const outlines = outlinesOf({ rules });
  return {
    evaluator: evaluatorOf({ rules }, { now: startedAt, snapshot }),
    rulesOnAssets: outlines.filter(({ onProjects }) => !onProjects).map(({ id }) => id),
    rulesOnProjects: outlines.filter(({ onProjects }) => onProjects).map(({ id }) => id),
  };
}

/** Leaves the rest to whoever takes the slot next, at once: this worker has been asked to stop. */
async function handOver(db: TenantConnection, slot: HeldSlot): Promise<void> {
  await holdSlot(db, slot);
  await queueSlot(db, slot);
}
