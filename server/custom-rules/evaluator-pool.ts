import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import { EvaluatorProcess } from './evaluator-process.ts';

/** One that waits for the next rule; to start another takes a tenth of a second. */
const IDLE_MAX = 1;
const IDLE_MS = 60_000;

/** Evaluators for whoever wants one, each for one user at a time. Not more than one waits, and not for long. */
export class EvaluatorPool {
  readonly #limits: Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'>;
  readonly #idle = new Map<EvaluatorProcess, NodeJS.Timeout>();
  #closed = false;

  constructor(limits: Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'> = EVALUATION_LIMITS) {
    this.#limits = limits;
  }

  /** To be released after use, or closed. */
  take(): EvaluatorProcess {
    for (const [evaluator, timeout] of this.#idle) {
      clearTimeout(timeout);
      this.#idle.delete(evaluator);
      if (!evaluator.isOver) return evaluator;
    }
    return new EvaluatorProcess(this.#limits);
  }

  /** Takes back one that has answered whatever it was asked. */
  async release(evaluator: EvaluatorProcess): Promise<void> {
    if (this.#closed || evaluator.isOver || this.#idle.size >= IDLE_MAX) {
      await evaluator.close();
      return;
    }
    const timeout = setTimeout(() => {
      this.#idle.delete(evaluator);
      void evaluator.close();
    }, IDLE_MS);
    this.#idle.set(evaluator, timeout.unref());
  }

  async close(): Promise<void> {
    this.#closed = true;
    const idle = [...this.#idle];
    this.#idle.clear();
    for (const [evaluator, timeout] of idle) {
      clearTimeout(timeout);
      await evaluator.close();
    }
  }
}
