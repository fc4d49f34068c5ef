import {
  type Profile,
  type ProfileDefinition,
  type ProfileRule,
  resolveCustomProfile,
} from '@cspm/scanner';

/**
 * The rules that a definition chooses now. What it names that is gone since it was saved, such as a rule that was
 * deleted, chooses nothing any more; the rest holds.
 * @returns null when no rule is left.
 */
export function resolveSaved(
  definition: ProfileDefinition,
  rules: readonly ProfileRule[],
): Profile | null {
  const { profile, faults } = resolveCustomProfile(definition, rules);
  if (profile !== null) return profile;
  const paths = new Set(faults.map(({ path }) => path));
  const rest = without(definition, paths);
  // Each time something is left out, or there is nothing that could be.
  return sizeOf(rest) === sizeOf(definition) ? null : resolveSaved(rest, rules);
}

function without(definition: ProfileDefinition, paths: ReadonlySet<string>): ProfileDefinition {
  const { name, include, exclude, parameters } = definition;
  const kept = (list: string) => (_selector: string, index: number) =>
    !paths.has(`${list}.${index}`);
  const ofRules = Object.entries(parameters).flatMap(([id, own]) => {
    if (paths.has(`parameters.${id}`)) return [];
    const members = Object.entries(own).filter(
      ([member]) => !paths.has(`parameters.${id}.${member}`),
    );
    return [[id, Object.fromEntries(members)] as const];
  });
  return {
    name,
    include: include.filter(kept('include')),
    exclude: exclude.filter(kept('exclude')),
    parameters: Object.fromEntries(ofRules),
  };
}

function sizeOf({ include, exclude, parameters }: ProfileDefinition): number {
  const members = Object.values(parameters).map((own) => 1 + Object.keys(own).length);
  return members.reduce((sum, count) => sum + count, include.length + exclude.length);
}
