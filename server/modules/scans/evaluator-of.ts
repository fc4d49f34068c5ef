import { Evaluator, type SnapshotContext } from '@cspm/scanner';
import type { RulesetRule } from '../rules/index.ts';

/**
 * Creates the evaluator of built-in rules; custom rules are evaluated elsewhere.
 * @throws {RangeError} for rules that this release does not have.
 */
export function evaluatorOf(
  { rules }: { readonly rules: readonly RulesetRule[] },
  context: SnapshotContext,
): Evaluator {
  return new Evaluator(
    { rules: rules.filter(({ definition }) => definition === undefined) },
    context,
  );
}
