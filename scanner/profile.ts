import { hash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from './json.ts';
import type { Category, Rule, Severity } from './rule.ts';
import { RULES } from './rules/catalogue.ts';

/** An immutable list of rules: what a scan evaluates. */
export interface Profile {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** In the order of their ids. */
  readonly rules: readonly {
    readonly id: string;
    readonly version: number;
    readonly parameters: JsonObject;
  }[];
  /** SHA-256, in hex, over the rules: it changes exactly when the rules, their versions or their parameters do. */
  readonly digest: string;
}

/** The rule properties that selectors can use. Built-in rules have all of them, and a tenant's rules may. */
export interface ProfileRule extends Pick<Rule, 'id' | 'version' | 'compliance' | 'parameters'> {
  readonly severity: Severity;
  readonly category: string;
}

interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  includes(rule: ProfileRule): boolean;
}

const CIS_VERSIONS = ['2.0', '4.0', '5.0'] as const;

const CATEGORIES: readonly { readonly name: Category; readonly title: string }[] = [
  { name: 'iam', title: 'Identity and access' },
  { name: 'network', title: 'Networks, firewalls and DNS' },
  { name: 'storage', title: 'Cloud Storage' },
  { name: 'compute', title: 'Virtual machines' },
  { name: 'database', title: 'Databases and analytics' },
  { name: 'kms', title: 'Keys and secrets' },
  { name: 'logging', title: 'Logging and monitoring' },
  { name: 'gke', title: 'Kubernetes Engine' },
  { name: 'serverless', title: 'Serverless, messaging and registries' },
];

const DEFINITIONS: readonly Definition[] = [
  {
    name: 'full',
    title: 'Everything',
    description: 'Every built-in rule, and the enabled custom rules of the tenant.',
    includes: () => true,
  },
  ...CIS_VERSIONS.map((version) => ({
    name: `cis-gcp-${version}`,
    title: `CIS Google Cloud Foundations ${version}`,
    description: `The rules that decide a requirement of the CIS Google Cloud Foundations benchmark, version ${version}.`,
    includes: (rule: ProfileRule) =>
      rule.compliance.some(({ framework }) => framework === `cis-gcp-${version}`),
  })),
  {
    name: 'critical',
    title: 'Critical and high',
    description:
      'Rules of critical and high severity that examine single assets, for a quick check.',
    includes: (rule) =>
      (rule.severity === 'critical' || rule.severity === 'high') && !('evaluateProject' in rule),
  },
  ...CATEGORIES.map(({ name, title }) => ({
    name,
    title,
    description: `The rules of the category ${name}.`,
    includes: (rule: ProfileRule) => rule.category === name,
  })),
  {
    name: 'public-exposure',
    title: 'Public exposure',
    description:
      'Rules on resources that the internet, or everyone with a Google account, can reach.',
    includes: ({ id }) => /-public|^fw-.*-world$|^gke-private-/.test(id),
  },
];

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cis-gcp', 'cis-gcp-4.0'],
  ['quick', 'critical'],
]);

const BY_NAME: ReadonlyMap<string, Definition> = new Map(
  DEFINITIONS.map((definition) => [definition.name, definition]),
);

const PROFILES: ReadonlyMap<string, Profile> = new Map(
  DEFINITIONS.map(
    (definition) =>
      [definition.name, profileOf(definition, RULES.filter(definition.includes))] as const,
  ).filter(([, profile]) => profile.rules.length > 0),
);

/** The names that `resolveProfile` accepts, including aliases. Profiles without rules are omitted. */
export const PROFILE_NAMES: readonly string[] = [
  ...PROFILES.keys(),
  ...[...ALIASES].filter(([, target]) => PROFILES.has(target)).map(([alias]) => alias),
];

/** The profile of that name; the profile of an alias has the name of its target. */
export function resolveProfile(name: string): Profile | undefined {
  return PROFILES.get(canonicalName(name));
}

/** The target of an alias, or the name itself. */
export function canonicalName(name: string): string {
  return ALIASES.get(name) ?? name;
}

/** Whether a built-in profile includes a rule; undefined if no profile has that name or alias. */
export function membershipOf(name: string): ((rule: ProfileRule) => boolean) | undefined {
  return BY_NAME.get(canonicalName(name))?.includes;
}

/** A profile of these rules, with their default parameters. */
export function profileOf(
  { name, title, description }: Pick<Profile, 'name' | 'title' | 'description'>,
  rules: readonly Pick<Rule, 'id' | 'version' | 'parameters'>[],
): Profile {
  const chosen = rules
    .map(({ id, version, parameters }) => ({ id, version, parameters }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { name, title, description, rules: chosen, digest: digestOf(chosen) };
}

/** The digest of a list of rules, independent of the order of rules and parameters. */
export function digestOf(rules: Profile['rules']): string {
  const rows = rules.map(({ id, version, parameters }) =>
    JSON.stringify([id, version, canonical(parameters)]),
  );
  return hash('sha256', rows.toSorted().join('\n'), 'hex');
}

/** The same value with sorted object members. */
function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, canonical(member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
