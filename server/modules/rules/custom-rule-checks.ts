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

/**
 * Number of parallel checks, each with its own process, and of checks that may wait. Each holds a database connection.
 */
const RUNNING_MAX = 2;
const WAITING_MAX = 2;
/** Limit per tenant, of which one runs, so that no tenant blocks the others. */
const OF_TENANT_MAX = 2;

/** A checked rule, which can evaluate assets until the check ends. */
export interface CheckedRule {
  readonly needs: readonly ContentKind[];
  readonly results: readonly TestResult[];
  readonly faults: readonly DefinitionFault[];
  readonly evaluator: CustomRuleEvaluator;
}

interface Waiting {
  readonly tenantId: string;
  enter(): void;
}

/** Compiles rules and runs their tests, with limited parallelism. */
export class CustomRuleChecks {
  readonly #clock: Clock;
  readonly #pool = new EvaluatorPool();
  /** Tenants with a running check. */
  readonly #running = new Set<string>();
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param use receives the rule; its evaluator is closed afterwards.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when too many checks are waiting.
   */
  async check<T>(
    tenantId: string,
    definition: CustomRuleDefinition,
    tests: readonly CustomRuleTest[],
    use: (checked: CheckedRule) => Promise<T>,
  ): Promise<T> {
    await this.#enter(tenantId);
    const evaluator = new CustomRuleEvaluator([definition], this.#clock.now(), this.#pool, LIMITS);
    try {
      return await use(await checked(evaluator, definition, tests));
    } finally {
      await evaluator.close();
      this.#leave(tenantId);
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #enter(tenantId: string): Promise<void> {
    if (this.#mayRun(tenantId)) {
      this.#running.add(tenantId);
      return;
    }
    const own = this.#waiting.filter((other) => other.tenantId === tenantId).length;
    const ofTenant = own + (this.#running.has(tenantId) ? 1 : 0);
    if (ofTenant >= OF_TENANT_MAX || this.#waiting.length >= WAITING_MAX) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'Too many custom rules are being checked at once. Try again shortly.',
      );
    }
    await new Promise<void>((enter) => this.#waiting.push({ tenantId, enter }));
  }

  #leave(tenantId: string): void {
    this.#running.delete(tenantId);
    const next = this.#waiting.findIndex((other) => this.#mayRun(other.tenantId));
    const [entering] = next === -1 ? [] : this.#waiting.splice(next, 1);
    if (entering === undefined) return;
    this.#running.add(entering.tenantId);
    entering.enter();
  }

  #mayRun(tenantId: string): boolean {
    return this.#running.size < RUNNING_MAX && !this.#running.has(tenantId);
  }
}

async function checked(
  evaluator: CustomRuleEvaluator,
  definition: CustomRuleDefinition,
  tests: readonly CustomRuleTest[],
): Promise<CheckedRule> {
  const [compiled] = await evaluator.compiled();
  const fault = compiled?.fault ?? null;
  if (fault !== null) {
    return { needs: [], results: [], faults: [{ path: 'predicate', message: fault }], evaluator };
  }
  const results = await resultsOf(evaluator, tests);
  const unfit = faultsOfTests(definition.assetTypes, tests);
  const faults = unfit.length > 0 ? unfit : faultsOfResults(results);
  return { needs: compiled?.needs ?? [], results, faults, evaluator };
}

/** A test whose asset has another type has no result. */
async function resultsOf(
  evaluator: CustomRuleEvaluator,
  tests: readonly CustomRuleTest[],
): Promise<TestResult[]> {
  const assets = tests.map(testedAsset);
  const evaluated = await evaluator.evaluate(
    tests.map(({ asset }, index) => ({
      type: assets[index]?.type ?? '',
      text: JSON.stringify(asset),
    })),
  );
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
