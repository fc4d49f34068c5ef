import { residentLimitMb, WatchedProcess } from '../../platform/child-process/watched-process.ts';
import type { EvaluationLimits } from './evaluation-limits.ts';
import type { EvaluatorAnswer, EvaluatorRequest } from './evaluator-messages.ts';

export type { Stopped } from '../../platform/child-process/watched-process.ts';

/** A child process that evaluates predicates. */
export class EvaluatorProcess extends WatchedProcess<EvaluatorRequest, EvaluatorAnswer> {
  constructor(limits: Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'>) {
    const { evaluationMs, memoryMb } = limits;
    const args = [`${evaluationMs}`, `${residentLimitMb(limits)}`];
    super({ name: 'evaluator-child', beside: import.meta.url, args, evaluationMs, memoryMb });
  }
}
