import { residentLimitMb, WatchedProcess } from '../../platform/child-process/watched-process.ts';
import { SCAN_EVALUATION } from './evaluation-limits.ts';
import type { EvaluationAnswer, EvaluationPart, EvaluationRequest } from './evaluation-messages.ts';

/** The limits, which tests may change. */
export type ScanEvaluationLimits = typeof SCAN_EVALUATION;

/** A child process that evaluates the scan of a project. */
export class EvaluationProcess extends WatchedProcess<
  EvaluationRequest,
  EvaluationAnswer,
  EvaluationPart
> {
  constructor(limits: ScanEvaluationLimits = SCAN_EVALUATION) {
    const { chunkMs, ...ofProcess } = limits;
    const args = [limits.evaluationMs, chunkMs, residentLimitMb(limits)].map(String);
    super({ name: 'evaluation-child', beside: import.meta.url, args, ...ofProcess });
  }
}
