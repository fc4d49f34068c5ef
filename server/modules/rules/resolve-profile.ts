import {
  type Profile,
  type ProfileDefinition,
  resolveCustomProfile,
  type SelectableRules,
} from '@cspm/scanner';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';

/**
 * Compares the selectors of a definition with the rules, so that resolving it is quick. Crafted selectors can take
 * 100 ms, and other requests run in between.
 */
export async function compareSelectors(
  { include, exclude }: ProfileDefinition,
  rules: SelectableRules,
): Promise<void> {
  const yielder = new EventLoopYielder();
  for (const selector of new Set([...include, ...exclude])) {
    rules.select(selector);
    if (yielder.isDue) await yielder.yieldNow();
  }
}

/**
 * The rules that a saved definition selects now. Members that no longer exist, such as deleted rules, are ignored.
 * @returns null when no rule is left.
 */
export function resolveSaved(
  definition: ProfileDefinition,
  rules: SelectableRules,
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
