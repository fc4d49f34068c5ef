import type { Outcome, SnapshotContext, Violation } from './rule.ts';

export const PASS: Outcome = Object.freeze({ verdict: 'pass' });

export const NOT_APPLICABLE: Outcome = Object.freeze({ verdict: 'na' });

export function fail(first: Violation, ...more: readonly Violation[]): Outcome {
  return { verdict: 'fail', violations: [first, ...more] };
}

/** Like `fail`, for any number of violations, because the arguments of a call must fit on the stack. */
export function failAll(first: Violation, more: readonly Violation[]): Outcome {
  return { verdict: 'fail', violations: [first, ...more] };
}

/** @param missing the kind of content, or the asset types, that the verdict would require */
export function unknown(missing: string): Outcome {
  return { verdict: 'unknown', missing };
}

/**
 * For a rule that checks that something exists: if the snapshot has no asset of any of these types, they were not
 * exported, so their absence proves nothing.
 *
 * @returns the outcome `unknown`, or null if there are such assets
 */
export function unknownWithout(
  { snapshot }: Pick<SnapshotContext, 'snapshot'>,
  types: readonly string[],
): Outcome | null {
  return types.some((type) => (snapshot.assetTypes.get(type) ?? 0) > 0)
    ? null
    : unknown(types.join(', '));
}
