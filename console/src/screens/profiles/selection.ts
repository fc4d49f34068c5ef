import type { Profile, ProfilesUpdateInput, Rule } from '@cspm/sdk';
import type { FormValues } from '../../ui/Form.tsx';

export type Definition = Pick<ProfilesUpdateInput, 'include' | 'exclude' | 'parameters'>;

/** Longest pattern that is compared; the API takes no longer ones. */
const LONGEST_SELECTOR = 100;

/** The rules that the selectors choose, as the server will decide it. A preview: the server's answer counts. */
export function selectRules(
  rules: readonly Rule[],
  profiles: readonly Profile[],
  include: readonly string[],
  exclude: readonly string[],
): readonly Rule[] {
  const chosen = include.map((selector) => predicateOf(selector, profiles));
  const refused = exclude.map((selector) => predicateOf(selector, profiles));
  return rules.filter(
    (rule) => chosen.some((matches) => matches(rule)) && !refused.some((matches) => matches(rule)),
  );
}

function predicateOf(selector: string, profiles: readonly Profile[]): (rule: Rule) => boolean {
  const [kind, ...rest] = selector.split(':');
  const value = rest.join(':');
  if (kind === 'category') return (rule) => rule.category === value;
  if (kind === 'severity') return (rule) => rule.severity === value;
  if (kind === 'framework')
    return (rule) => rule.compliance.some(({ framework }) => framework === value);
  if (kind === 'profile') {
    const ids = new Set(profiles.find(({ name }) => name === value)?.rules);
    return (rule) => ids.has(rule.id);
  }
  const parts = selector.slice(0, LONGEST_SELECTOR).split(/\*+/);
  return (rule) => matchesGlob(rule.id, parts);
}

/** Whether a text has these parts in order, from its beginning to its end. Linear: no regular expression. */
function matchesGlob(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

/** Suggestions for selectors: severities, categories, frameworks, profiles, rules. */
export function suggestionsOf(
  rules: readonly Rule[],
  profiles: readonly Profile[],
): readonly string[] {
  const unique = (kind: string, values: readonly string[]) =>
    [...new Set(values)].toSorted().map((value) => `${kind}:${value}`);
  return [
    ...unique(
      'severity',
      rules.map(({ severity }) => severity),
    ),
    ...unique(
      'category',
      rules.map(({ category }) => category),
    ),
    ...unique(
      'framework',
      rules.flatMap(({ compliance }) => compliance.map(({ framework }) => framework)),
    ),
    ...profiles.map(({ name }) => `profile:${name}`),
    ...rules.map(({ id }) => id),
  ];
}

const PARAMETER = 'parameter ';

/** The name of the field for a parameter of a rule. */
export const parameterField = (rule: string, name: string): string =>
  `${PARAMETER}${JSON.stringify([rule, name])}`;

/** The parameters that are filled in. A value is JSON; text that is not JSON is used as a string. */
export function parametersOf(values: FormValues): NonNullable<Definition['parameters']> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [field, text] of Object.entries(values)) {
    if (!field.startsWith(PARAMETER) || text.trim() === '') continue;
    const [rule, name] = JSON.parse(field.slice(PARAMETER.length)) as [string, string];
    found[rule] = { ...found[rule], [name]: parameterValue(text.trim()) };
  }
  return found as NonNullable<Definition['parameters']>;
}

function parameterValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
