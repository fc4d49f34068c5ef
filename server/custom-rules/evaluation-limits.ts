/** What the predicates of tenants may take. */
export interface EvaluationLimits {
  /** One evaluation, of one rule on one asset; also the compilation of one rule. */
  readonly evaluationMs: number;
  /** All evaluations of one rule in one scan of a project, or of a trial. */
  readonly ruleMs: number;
  /** Those of all rules together; after that none is evaluated any more. */
  readonly totalMs: number;
  /** Evaluations of one rule that were too much for an evaluator; then the rule is given up. */
  readonly strikes: number;
  /** The heap of one evaluator. */
  readonly memoryMb: number;
}

export const EVALUATION_LIMITS: EvaluationLimits = {
  evaluationMs: 1_000,
  ruleMs: 60_000,
  totalMs: 600_000,
  strikes: 3,
  memoryMb: 128,
};
