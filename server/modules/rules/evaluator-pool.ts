import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import { EvaluatorProcess } from './evaluator-process.ts';

/**
 * Provides evaluator processes. Each is used once: memory left by one predicate would count against the next, and no
 * evaluator may serve two tenants. Starting one takes 0.1 s.
 */
export class EvaluatorPool {
  readonly #limits: Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'>;
  readonly #inUse = new Set<EvaluatorProcess>();

  constructor(limits: Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'> = EVALUATION_LIMITS) {
    this.#limits = limits;
  }

  /** Starts an evaluator. Release it after use. */
  take(): EvaluatorProcess {
    const evaluator = new EvaluatorProcess(this.#limits);
    this.#inUse.add(evaluator);
    return evaluator;
  }

  /** Ends an evaluator, even while it is working. */
  async release(evaluator: EvaluatorProcess): Promise<void> {
    this.#inUse.delete(evaluator);
    await evaluator.close();
  }

  /** Ends all evaluators. */
  async close(): Promise<void> {
    await Promise.all([...this.#inUse].map((evaluator) => this.release(evaluator)));
  }
}
