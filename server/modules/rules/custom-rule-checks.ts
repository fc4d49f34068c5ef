import {
  type ContentKind,
  type CustomRuleDefinition,
  type CustomRuleTest,
  type CustomVerdict,
  type DefinitionFault,
  type Evaluation,
  faultsOfResults,
  faultsOfTests,
  type TestResult,
  testedAsset,
} from '@cspm/scanner';
import type { Clock } from '../../platform/clock.ts';
import { ProblemError } from '../../platform/problem.ts';
import { CustomRuleEvaluator } from './custom-rule-evaluator.ts';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import { EvaluatorPool } from './evaluator-pool.ts';

/** A check makes one attempt only, because a client waits for the response. */
const LIMITS: EvaluationLimits = {
  ...EVALUATION_LIMITS,
  strikes: 1,
  ruleMs: 5_000,
  totalMs: 5_000,
};

/** Number of parallel checks, each with its own process. */
export const CUSTOM_RULE_CHECKS_MAX = 2;
/** Tenants that may wait. With the limit below, the last of them waits about 30 s. */
const WAITING_MAX = 30;
/** Time after which a check has to make room if another tenant waits. */
const SHARED_MS = 2_000;

/** A checked rule, which can evaluate assets until the check ends. */
export interface CheckedRule {
  readonly needs: readonly ContentKind[];
  readonly results: readonly TestResult[];
  readonly faults: readonly DefinitionFault[];
  readonly evaluator: CustomRuleEvaluator;
  /** Whether it had to make room for another tenant; its evaluator then fails. */
  isStopped(): boolean;
}

/** A check that runs or waits. */
class Check {
  readonly tenantId: string;
  /** Starts it, if it waits. */
  readonly enter: () => void;
  /** Whether it has run as long as it may while other tenants wait. */
  isOverdue = false;
  isStopped = false;
  evaluator: CustomRuleEvaluator | null = null;

  constructor(tenantId: string, enter: () => void = () => undefined) {
    this.tenantId = tenantId;
    this.enter = enter;
  }

  /** Ends its evaluations with an error. */
  stop(): void {
    this.isStopped = true;
    void this.evaluator?.close();
  }
}

/**
 * Compiles rules and runs their tests, with limited parallelism. Tenants take turns: of each, one check runs and one may
 * wait, and a check that takes long is stopped when another tenant waits.
 */
export class CustomRuleChecks {
  readonly #clock: Clock;
  readonly #pool = new EvaluatorPool();
  /** The running check of each tenant. */
  readonly #running = new Map<string, Check>();
  /** The waiting check of each tenant. The tenant at the front is served first. */
  readonly #waiting = new Map<string, Check>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Call it outside of a transaction, because it may wait.
   * @param use receives the rule; its evaluator is closed afterwards.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when too many checks are waiting, or when this one takes long and other
   * tenants wait.
   */
  async check<T>(
    tenantId: string,
    definition: CustomRuleDefinition,
    tests: readonly CustomRuleTest[],
    use: (checked: CheckedRule) => Promise<T>,
  ): Promise<T> {
    const check = await this.#enter(tenantId);
    const evaluator = new CustomRuleEvaluator([definition], this.#clock.now(), this.#pool, LIMITS);
    check.evaluator = evaluator;
    let timer: NodeJS.Timeout | undefined;
    try {
      // The time begins here, because the start of the process can take seconds on a busy machine. Compiling takes milliseconds.
      await evaluator.compiled();
      timer = setTimeout(() => {
        check.isOverdue = true;
        this.#makeRoom();
      }, SHARED_MS);
      return await use(await checked(check, evaluator, definition, tests));
    } catch (error) {
      if (!check.isStopped || error instanceof ProblemError) throw error;
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        `The tests of the rule took longer than ${SHARED_MS / 1000} s while other tenants waited. Try again later, or simplify the rule or its tests.`,
      );
    } finally {
      clearTimeout(timer);
      await evaluator.close();
      this.#leave(check);
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #enter(tenantId: string): Promise<Check> {
    if (this.#mayRun(tenantId)) {
      const check = new Check(tenantId);
      this.#running.set(tenantId, check);
      return check;
    }
    if (this.#waiting.has(tenantId) || this.#waiting.size >= WAITING_MAX) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'Too many custom rules are being checked at once. Try again shortly.',
      );
    }
    return new Promise((resolve) => {
      const check = new Check(tenantId, () => resolve(check));
      this.#waiting.set(tenantId, check);
      this.#makeRoom();
    });
  }

  #leave({ tenantId }: Check): void {
    this.#running.delete(tenantId);
    // Its turn is over: its next check waits behind the other tenants.
    const own = this.#waiting.get(tenantId);
    if (own !== undefined && this.#waiting.delete(tenantId)) this.#waiting.set(tenantId, own);
    for (const check of this.#waiting.values()) {
      if (!this.#mayRun(check.tenantId)) continue;
      this.#waiting.delete(check.tenantId);
      this.#running.set(check.tenantId, check);
      check.enter();
    }
    this.#makeRoom();
  }

  /** Stops one check that has run long enough, the oldest first, for each other tenant that could use its place. */
  #makeRoom(): void {
    const running = [...this.#running.values()];
    const waiting = [...this.#waiting.keys()].filter((tenantId) => !this.#running.has(tenantId));
    let wanted = waiting.length - running.filter(({ isStopped }) => isStopped).length;
    for (const check of running) {
      if (wanted <= 0) return;
      if (!check.isOverdue || check.isStopped) continue;
      check.stop();
      wanted -= 1;
    }
  }

  #mayRun(tenantId: string): boolean {
    return this.#running.size < CUSTOM_RULE_CHECKS_MAX && !this.#running.has(tenantId);
  }
}

async function checked(
  check: Check,
  evaluator: CustomRuleEvaluator,
  definition: CustomRuleDefinition,
  tests: readonly CustomRuleTest[],
): Promise<CheckedRule> {
  const isStopped = () => check.isStopped;
  const [compiled] = await evaluator.compiled();
  const fault = compiled?.fault ?? null;
  if (fault !== null) {
    const faults = [{ path: 'predicate', message: fault }];
    return { needs: [], results: [], faults, evaluator, isStopped };
  }
  const results = await resultsOf(evaluator, tests);
  const unfit = faultsOfTests(definition.assetTypes, tests);
  const faults = unfit.length > 0 ? unfit : faultsOfResults(results);
  return { needs: compiled?.needs ?? [], results, faults, evaluator, isStopped };
}

/** A test whose asset has another type has no result. */
async function resultsOf(
  evaluator: CustomRuleEvaluator,
  tests: readonly CustomRuleTest[],
): Promise<TestResult[]> {
  const assets = tests.map(testedAsset);
  const evaluated: (readonly Evaluation[])[] = [];
  // One at a time, because the evaluator checks the total time between requests.
  for (const [index, { asset }] of tests.entries()) {
    const text = { type: assets[index]?.type ?? '', text: JSON.stringify(asset) };
    evaluated.push(...(await evaluator.evaluate([text])));
  }
  return tests.map(({ verdict: expected }, index) => {
    const { name = '', type = '' } = assets[index] ?? {};
    return { asset: { name, type }, ...verdictIn(evaluated[index]?.[0]), expected };
  });
}

/** The verdict of a custom rule, or `unknown` when the asset has another type. */
export function verdictIn(evaluation: Evaluation | undefined): {
  readonly verdict: CustomVerdict;
  readonly message: string;
} {
  if (evaluation === undefined) return { verdict: 'unknown', message: 'of another type' };
  const { verdict, missing } = evaluation;
  return { verdict: verdict === 'na' ? 'pass' : verdict, message: missing ?? '' };
}
