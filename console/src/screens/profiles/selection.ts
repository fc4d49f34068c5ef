import type { Profile, Rule } from '@cspm/sdk';

export type Definition = NonNullable<Profile['definition']>;

/** A profile as a person edits it. */
export interface Draft {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The text of each field of a parameter, by its name. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function draftOf(profile: Profile | null): Draft {
  const { include = [], exclude = [], parameters = {} } = profile?.definition ?? {};
  const fields = Object.entries(parameters).flatMap(([rule, own]) =>
    Object.entries(own).map(([name, value]) => [parameterField(rule, name), JSON.stringify(value)]),
  );
  return { name: profile?.name ?? '', include, exclude, parameters: Object.fromEntries(fields) };
}

/** The definition that is stored, in a form that can be compared. */
export function definitionOf(profile: Profile | null): Definition {
  const { include = [], exclude = [], parameters = {} } = profile?.definition ?? {};
  return { include: [...include], exclude: [...exclude], parameters: inOrder(parameters) };
}

/** The members of an object and of the objects in it by name. */
function inOrder(parameters: Definition['parameters']): Definition['parameters'] {
  const byName = <Value>(entries: Readonly<Record<string, Value>>) =>
    Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    byName(parameters).map(([rule, own]) => [rule, Object.fromEntries(byName(own))]),
  );
}

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

/** The name of the field for a parameter of a rule. */
export const parameterField = (rule: string, name: string): string => `${rule} ${name}`;

/** A parameter of a rule, with its default. */
interface Parameter {
  readonly rule: string;
  readonly name: string;
  readonly value: unknown;
}

/** The parameters of rules, in their order. */
export function parametersOf(rules: readonly Rule[]): readonly Parameter[] {
  return rules.flatMap(({ id, parameters }) =>
    Object.entries(parameters).map(([name, value]) => ({ rule: id, name, value })),
  );
}

/** What is saved. A value is JSON; text that is not JSON is used as a string. A field that is empty has the default. */
export function definitionIn(
  { include, exclude, parameters }: Draft,
  selected: readonly Rule[],
): Definition {
  const found: Record<string, Record<string, unknown>> = {};
  for (const { rule, name } of parametersOf(selected)) {
    const text = parameters[parameterField(rule, name)]?.trim() ?? '';
    if (text !== '') found[rule] = { ...found[rule], [name]: parameterValue(text) };
  }
  return {
    include: [...include],
    exclude: [...exclude],
    parameters: inOrder(found as Definition['parameters']),
  };
}

function parameterValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
