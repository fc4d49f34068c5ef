import { matchesGlob } from './glob.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { parameterFault } from './parameter-value.ts';
import {
  canonicalName,
  membershipOf,
  PROFILE_NAMES,
  type Profile,
  type ProfileRule,
  profileOf,
} from './profile.ts';
import { RULES } from './rules/catalogue.ts';

/** A profile as somebody has written it. */
export interface ProfileDefinition {
  readonly name: string;
  /** Selectors: ids of rules, in which `*` stands for any characters, or `category:…` and its like. */
  readonly include: readonly string[];
  /** Selectors of what is left out again. */
  readonly exclude: readonly string[];
  /** By rule and name: what is not to be at its default. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

/** What is wrong with a definition, and where: `include.0`, `parameters.kms-rotation-90d.days`. */
export interface ProfileFault {
  readonly path: string;
  readonly message: string;
}

export type CustomProfile =
  | { readonly profile: Profile; readonly faults: readonly [] }
  | { readonly profile: null; readonly faults: readonly [ProfileFault, ...ProfileFault[]] };

/**
 * The rules that a definition chooses, as they are now; or all that is wrong with it.
 *
 * @param rules what there is to choose from: the built-in rules, and with them those of the tenant, if any
 */
export function resolveCustomProfile(
  definition: ProfileDefinition,
  rules: readonly ProfileRule[] = RULES,
): CustomProfile {
  const include = chooseAll('include', definition.include, rules);
  const exclude = chooseAll('exclude', definition.exclude, rules);
  const chosen = rules.filter(({ id }) => include.ids.has(id) && !exclude.ids.has(id));
  const faults = [...include.faults, ...exclude.faults];
  if (faults.length === 0 && chosen.length === 0) {
    faults.push({ path: 'include', message: 'leaves no rule, after what is excluded' });
  }
  const known = { rules, chosen: new Set(chosen.map(({ id }) => id)) };
  for (const [id, parameters] of Object.entries(definition.parameters)) {
    faults.push(...parameterFaults(id, parameters, known));
  }
  const [first, ...more] = faults;
  if (first !== undefined) return { profile: null, faults: [first, ...more] };
  const { name } = definition;
  const described = {
    name,
    title: name.replace(/^custom:/, ''),
    description: 'A profile that your tenant has defined.',
  };
  return {
    profile: profileOf(
      described,
      chosen.map((rule) => adjusted(rule, definition)),
    ),
    faults: [],
  };
}

function adjusted(rule: ProfileRule, { parameters }: ProfileDefinition): ProfileRule {
  const own = Object.hasOwn(parameters, rule.id) ? parameters[rule.id] : undefined;
  return own === undefined ? rule : { ...rule, parameters: { ...rule.parameters, ...own } };
}

function chooseAll(
  list: 'include' | 'exclude',
  selectors: readonly string[],
  rules: readonly ProfileRule[],
) {
  const ids = new Set<string>();
  const faults: ProfileFault[] = [];
  for (const [index, selector] of selectors.entries()) {
    const choice = choose(selector, rules);
    if (typeof choice === 'string') faults.push({ path: `${list}.${index}`, message: choice });
    else for (const { id } of rules.filter(choice)) ids.add(id);
  }
  return { ids, faults };
}

type Choice = (rule: ProfileRule) => boolean;

/** Which rules a selector means; a text where it means none that there could be: what is wrong with it. */
function choose(selector: string, rules: readonly ProfileRule[]): Choice | string {
  const colon = selector.indexOf(':');
  if (colon === -1) return chooseById(selector, rules);
  const [kind, value] = [selector.slice(0, colon), selector.slice(colon + 1)];
  const of = Object.hasOwn(CHOICES, kind) ? CHOICES[kind] : undefined;
  if (of === undefined) {
    return `begins with "${kind}:", which is not known; use the id of a rule, or one of ${Object.keys(CHOICES).join(':…, ')}:…`;
  }
  return of(value, rules);
}

function chooseById(pattern: string, rules: readonly ProfileRule[]): Choice | string {
  const choice: Choice = ({ id }) => matchesGlob(id, pattern);
  if (rules.some(choice)) return choice;
  return pattern.includes('*')
    ? 'matches the id of no rule; GET /rules lists them'
    : `is not the id of a rule${suggestion(pattern, rules)}; GET /rules lists them`;
}

/** Somebody who writes `bucket` for `bucket-public` is told of it. */
function suggestion(pattern: string, rules: readonly ProfileRule[]): string {
  const near = pattern === '' ? undefined : rules.find(({ id }) => id.startsWith(pattern));
  return near === undefined ? '' : `, as "${near.id}" is`;
}

const CHOICES: Readonly<
  Record<string, (value: string, rules: readonly ProfileRule[]) => Choice | string>
> = {
  category: (value, rules) =>
    among('category', value, distinct(rules.map(({ category }) => category))) ??
    ((rule) => rule.category === value),
  severity: (value) =>
    among('severity', value, ['critical', 'high', 'medium', 'low', 'info']) ??
    ((rule) => rule.severity === value),
  framework: (value, rules) => {
    const frameworks = rules.flatMap(({ compliance }) => compliance.map((one) => one.framework));
    const name = canonicalName(value);
    return (
      among('framework', name, distinct(frameworks)) ??
      ((rule) => rule.compliance.some(({ framework }) => framework === name))
    );
  },
  profile: (value) =>
    membershipOf(value) ?? `names no profile of the product: ${PROFILE_NAMES.join(', ')}`,
};

/** Null where the value is one of these. */
function among(kind: string, value: string, values: readonly string[]): string | null {
  return values.includes(value) ? null : `names no ${kind} that rules have: ${values.join(', ')}`;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted();
}

function parameterFaults(
  id: string,
  parameters: JsonObject,
  known: { readonly rules: readonly ProfileRule[]; readonly chosen: ReadonlySet<string> },
): readonly ProfileFault[] {
  const path = `parameters.${id}`;
  const rule = known.rules.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    return [{ path, message: 'is not the id of a rule; GET /rules lists them' }];
  }
  if (!known.chosen.has(id)) {
    return [
      {
        path,
        message: 'is a rule that this profile does not include; include it, or leave this out',
      },
    ];
  }
  const names = Object.keys(rule.parameters);
  return Object.entries(parameters).flatMap(([name, value]) => {
    const byDefault = Object.hasOwn(rule.parameters, name) ? rule.parameters[name] : undefined;
    const message =
      byDefault === undefined
        ? `is not a parameter of the rule; it has ${names.length === 0 ? 'none' : names.join(', ')}`
        : parameterFault(name, value, byDefault);
    return message === null ? [] : [{ path: `${path}.${name}`, message }];
  });
}
