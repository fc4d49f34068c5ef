import type { ScanOfProject } from '../findings/index.ts';
import type { RulesetRule } from '../rules/index.ts';
import type { HeldSlot } from './leases.ts';
import type { Started } from './scan-begin.ts';
import type { ScanEvaluator } from './scan-evaluator.ts';

/** Everything a worker uses for its slot. */
export interface SlotWork {
  readonly slot: HeldSlot;
  readonly scan: ScanOfProject;
  readonly started: Started;
  readonly evaluator: ScanEvaluator;
  /** The digest of the programs that evaluate. */
  readonly evaluatedBy: string;
  /** The rules of the scan. */
  readonly rules: readonly RulesetRule[];
  /** Ids of the scan's rules for single assets. */
  readonly rulesOnAssets: readonly string[];
  /** Ids of the scan's rules for whole cloud projects. */
  readonly rulesOnProjects: readonly string[];
}
