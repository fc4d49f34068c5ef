import {
  type Profile,
  type ProfileDefinition,
  type ProfileRule,
  resolveCustomProfile,
} from '@cspm/scanner';

/**
 * The rules that a saved definition selects now. Members that no longer exist, such as deleted rules, are ignored.
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
  // Recurses only while something was removed, so it ends.
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
