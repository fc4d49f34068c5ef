/** Limits on the predicates of custom rules. */
export interface EvaluationLimits {
  /** Per evaluation of one rule on one asset, and per compilation of one rule. */
  readonly evaluationMs: number;
  /** For all evaluations of one rule in one scan of a project, or in a dry run. */
  readonly ruleMs: number;
  /** For all rules together; afterwards no rule is evaluated. */
  readonly totalMs: number;
  /** A rule is given up after this many evaluations that killed an evaluator. */
  readonly strikes: number;
  /** Heap size of one evaluator. */
  readonly memoryMb: number;
}

export const EVALUATION_LIMITS: EvaluationLimits = {
  evaluationMs: 1_000,
  ruleMs: 60_000,
  totalMs: 600_000,
  strikes: 3,
  memoryMb: 128,
};
