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

/** Checks at a time, each in a process of its own, and those that may wait for one to end. */
const RUNNING_MAX = 2;
const WAITING_MAX = 2;

/** A rule that has been checked, and can evaluate assets for as long as the check lasts. */
export interface CheckedRule {
  readonly needs: readonly ContentKind[];
  readonly results: readonly TestResult[];
  readonly faults: readonly DefinitionFault[];
  readonly judge: CustomRuleJudge;
}

/** Compiles rules and runs their tests, a few at a time. */
export class CustomRuleChecks {
  readonly #clock: Clock;
  readonly #pool = new EvaluatorPool();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param use what is done with the rule before its judge is closed.
   * @throws {ProblemError} SERVICE_UNAVAILABLE while too many wait already.
   */
  async check<T>(
    definition: CustomRuleDefinition,
    tests: readonly CustomRuleTest[],
    use: (checked: CheckedRule) => Promise<T>,
  ): Promise<T> {
    await this.#enter();
    const judge = new CustomRuleJudge([definition], this.#clock.now(), this.#pool, LIMITS);
    try {
      return await use(await checked(judge, definition, tests));
    } finally {
      await judge.close();
      this.#leave();
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #enter(): Promise<void> {
    if (this.#running < RUNNING_MAX) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'Too many custom rules are being checked at once. Try again shortly.',
      );
    }
    await new Promise<void>((entered) => this.#waiting.push(entered));
  }

  /** Whoever waits takes the place over. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
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
