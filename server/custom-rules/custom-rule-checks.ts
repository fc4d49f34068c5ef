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
import type { Clock } from '../clock.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { CustomRuleJudge } from './custom-rule-judge.ts';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import { EvaluatorPool } from './evaluator-pool.ts';

/** A rule that is tried is not given a second chance: somebody waits for the answer. */
const LIMITS: EvaluationLimits = {
  ...EVALUATION_LIMITS,
  strikes: 1,
  ruleMs: 5_000,
  totalMs: 5_000,
};

/** Checks at a time, each in a process of its own, and those that may wait for one to end: they hold connections. */
const RUNNING_MAX = 2;
const WAITING_MAX = 2;
/** Of one tenant, of which one runs: so none keeps the others out. */
const OF_TENANT_MAX = 2;

/** A rule that has been checked, and can evaluate assets for as long as the check lasts. */
export interface CheckedRule {
  readonly needs: readonly ContentKind[];
  readonly results: readonly TestResult[];
  readonly faults: readonly DefinitionFault[];
  readonly judge: CustomRuleJudge;
}

interface Waiting {
  readonly tenantId: string;
  enter(): void;
}

/** Compiles rules and runs their tests, a few at a time. */
export class CustomRuleChecks {
  readonly #clock: Clock;
  readonly #pool = new EvaluatorPool();
  /** Tenants of which one runs. */
  readonly #running = new Set<string>();
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param use what is done with the rule before its judge is closed.
   * @throws {ProblemError} SERVICE_UNAVAILABLE while too many wait already.
   */
  async check<T>(
    tenantId: string,
    definition: CustomRuleDefinition,
    tests: readonly CustomRuleTest[],
    use: (checked: CheckedRule) => Promise<T>,
  ): Promise<T> {
    await this.#enter(tenantId);
    const judge = new CustomRuleJudge([definition], this.#clock.now(), this.#pool, LIMITS);
    try {
      return await use(await checked(judge, definition, tests));
    } finally {
      await judge.close();
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
  judge: CustomRuleJudge,
  definition: CustomRuleDefinition,
  tests: readonly CustomRuleTest[],
): Promise<CheckedRule> {
  const [compiled] = await judge.compiled();
  const fault = compiled?.fault ?? null;
  if (fault !== null) {
    return { needs: [], results: [], faults: [{ path: 'predicate', message: fault }], judge };
  }
  const results = await resultsOf(judge, tests);
  const unfit = faultsOfTests(definition.assetTypes, tests);
  const faults = unfit.length > 0 ? unfit : faultsOfResults(results);
  return { needs: compiled?.needs ?? [], results, faults, judge };
}

/** A test on an asset of another type has no result. */
async function resultsOf(
  judge: CustomRuleJudge,
  tests: readonly CustomRuleTest[],
): Promise<TestResult[]> {
  const assets = tests.map(testedAsset);
  const judged = await judge.judge(
    tests.map(({ asset }, index) => ({
      type: assets[index]?.type ?? '',
      text: JSON.stringify(asset),
    })),
  );
  return tests.map(({ verdict: expected }, index) => {
    const { name = '', type = '' } = assets[index] ?? {};
    return { asset: { name, type }, ...verdictIn(judged[index]?.[0]), expected };
  });
}

/** What a custom rule says; of an asset that is none of its business it says nothing. */
export function verdictIn(evaluation: Evaluation | undefined): {
  readonly verdict: CustomVerdict;
  readonly message: string;
} {
  if (evaluation === undefined) return { verdict: 'unknown', message: 'of another type' };
  const { verdict, missing } = evaluation;
  return { verdict: verdict === 'na' ? 'pass' : verdict, message: missing ?? '' };
}
