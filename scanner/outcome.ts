import type { Outcome, SnapshotContext, Violation } from './rule.ts';

export const PASS: Outcome = Object.freeze({ verdict: 'pass' });

export const NOT_APPLICABLE: Outcome = Object.freeze({ verdict: 'na' });

export function fail(first: Violation, ...more: readonly Violation[]): Outcome {
  return { verdict: 'fail', violations: [first, ...more] };
}

/** @param missing the kind of content, or the asset types, that the verdict would take */
export function unknown(missing: string): Outcome {
  return { verdict: 'unknown', missing };
}

/**
 * For a rule that looks for something that ought to be there: if the snapshot holds no asset of any of these types,
 * they were not exported, and nothing can be said about their absence.
 *
 * @returns the outcome `unknown`, or null where there are assets to look at
 */
export function unknownWithout(
  { snapshot }: Pick<SnapshotContext, 'snapshot'>,
  types: readonly string[],
): Outcome | null {
  return types.some((type) => (snapshot.assetTypes.get(type) ?? 0) > 0)
    ? null
    : unknown(types.join(', '));
}
