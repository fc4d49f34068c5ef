import type { Asset } from './inventory/normalise.ts';
import { someKnown } from './references.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

type Group = readonly Asset[];

/**
 * Memoises a function of reference asset groups. `Project.above` gives all projects below a container the same group, so n
 * projects below m reference assets cost n + m steps instead of n × m.
 */
export function perGroup<T>(make: (group: Group) => T): (group: Group) => T {
  const known = new WeakMap<Group, { readonly made: T }>();
  return (group) => {
    const before = known.get(group);
    if (before !== undefined) return before.made;
    const made = make(group);
    known.set(group, { made });
    return made;
  };
}

/**
 * As `someKnown` over several groups, each of which is evaluated once.
 *
 * @param is depends only on the reference asset
 * @throws UnknownValue if none is known to match, and one may
 */
export function someInGroups(
  is: (referenceAsset: Asset) => boolean,
): (groups: readonly Group[]) => boolean {
  const answer = perGroup((group): boolean | UnknownValue => {
    try {
      return someKnown(group, is);
    } catch (error) {
      if (error instanceof UnknownValue) return error;
      throw error;
    }
  });
  return (groups) =>
    someKnown(groups, (group) => {
      const is = answer(group);
      if (is instanceof UnknownValue) throw is;
      return is;
    });
}
