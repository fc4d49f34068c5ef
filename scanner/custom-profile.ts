import { compileGlob } from './glob.ts';
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

/** A profile as its author wrote it. */
export interface ProfileDefinition {
  readonly name: string;
  /** Selectors: rule ids, in which `*` matches any characters, or filters such as `category:…`. */
  readonly include: readonly string[];
  /** Selectors of rules to exclude again. */
  readonly exclude: readonly string[];
  /** Parameters that differ from their defaults, by rule and name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

/** A fault in a definition and its path: `include.0`, `parameters.kms-rotation-90d.days`. */
export interface ProfileFault {
  readonly path: string;
  readonly message: string;
}

export type CustomProfile =
  | { readonly profile: Profile; readonly faults: readonly [] }
  | { readonly profile: null; readonly faults: readonly [ProfileFault, ...ProfileFault[]] };

/**
 * Rules to select from: the built-in ones and any rules of the tenant. Each distinct selector is compared with them only
 * once, so profiles that are resolved with the same object share the work.
 */
export class SelectableRules {
  readonly rules: readonly ProfileRule[];
  readonly #selections = new Map<string, Selection | string>();

  constructor(rules: readonly ProfileRule[]) {
    this.rules = rules;
  }

  /** The rules that a selector matches; a string that describes the fault if it can match none. */
  select(selector: string): Selection | string {
    const known = this.#selections.get(selector);
    if (known !== undefined) return known;
    const selection = selectFrom(this.rules, selector);
    this.#selections.set(selector, selection);
    return selection;
  }
}

/** One byte for each rule, in their order: 1 if the rule is selected. A hundred profiles may have 40,000 selectors. */
type Selection = Uint8Array;

/** Resolves the rules that a definition selects, or returns all faults of the definition. */
export function resolveCustomProfile(
  definition: ProfileDefinition,
  selectable: SelectableRules,
): CustomProfile {
  const { rules } = selectable;
  const include = selectAll('include', definition.include, selectable);
  const exclude = selectAll('exclude', definition.exclude, selectable);
  const chosen = rules.filter((_, at) => include.selects(at) && !exclude.selects(at));
  const faults = [...include.faults, ...exclude.faults];
  if (faults.length === 0 && chosen.length === 0) {
    faults.push({ path: 'include', message: 'selects no rule after exclusions' });
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
    description: 'A profile defined by your tenant.',
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

function selectAll(
  list: 'include' | 'exclude',
  selectors: readonly string[],
  selectable: SelectableRules,
) {
  const selections = new Set<Selection>();
  const faults: ProfileFault[] = [];
  for (const [index, selector] of selectors.entries()) {
    const selection = selectable.select(selector);
    if (typeof selection === 'string') {
      faults.push({ path: `${list}.${index}`, message: selection });
    } else {
      selections.add(selection);
    }
  }
  const all = [...selections];
  return { selects: (at: number) => all.some((selection) => selection[at] === 1), faults };
}

type Choice = (rule: ProfileRule) => boolean;

function selectFrom(rules: readonly ProfileRule[], selector: string): Selection | string {
  const colon = selector.indexOf(':');
  if (colon === -1) return selectById(rules, selector);
  const choice = choose(selector.slice(0, colon), selector.slice(colon + 1), rules);
  return typeof choice === 'string' ? choice : selectionOf(rules, choice);
}

function selectionOf(rules: readonly ProfileRule[], choice: Choice): Selection {
  return Uint8Array.from(rules, (rule) => (choice(rule) ? 1 : 0));
}

function choose(kind: string, value: string, rules: readonly ProfileRule[]): Choice | string {
  const of = Object.hasOwn(CHOICES, kind) ? CHOICES[kind] : undefined;
  if (of === undefined) {
    return `begins with "${kind}:", which is not a valid prefix; use a rule id, or one of ${Object.keys(CHOICES).join(':…, ')}:…`;
  }
  return of(value, rules);
}

function selectById(rules: readonly ProfileRule[], pattern: string): Selection | string {
  const matches = compileGlob(pattern);
  const selection = selectionOf(rules, ({ id }) => matches(id));
  if (selection.includes(1)) return selection;
  return pattern.includes('*')
    ? 'matches no rule id; GET /rules lists them'
    : `is not a rule id${suggestion(pattern, rules)}; GET /rules lists them`;
}

/** Suggests `bucket-public` to an author who writes `bucket`. */
function suggestion(pattern: string, rules: readonly ProfileRule[]): string {
  const near = pattern === '' ? undefined : rules.find(({ id }) => id.startsWith(pattern));
  return near === undefined ? '' : ` (did you mean "${near.id}"?)`;
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
    membershipOf(value) ?? `is not a built-in profile: ${PROFILE_NAMES.join(', ')}`,
};

/** Null if the value is one of these. */
function among(kind: string, value: string, values: readonly string[]): string | null {
  return values.includes(value) ? null : `is not a ${kind} of any rule: ${values.join(', ')}`;
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
    return [{ path, message: 'is not a rule id; GET /rules lists them' }];
  }
  if (!known.chosen.has(id)) {
    return [
      {
        path,
        message: 'is a rule that this profile does not include; include the rule, or remove this',
      },
    ];
  }
  const names = Object.keys(rule.parameters);
  return Object.entries(parameters).flatMap(([name, value]) => {
    const byDefault = Object.hasOwn(rule.parameters, name) ? rule.parameters[name] : undefined;
    const message =
      byDefault === undefined
        ? `is not a parameter of the rule; its parameters are: ${names.length === 0 ? 'none' : names.join(', ')}`
        : parameterFault(name, value, byDefault);
    return message === null ? [] : [{ path: `${path}.${name}`, message }];
  });
}
