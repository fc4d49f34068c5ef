import { hash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from './json.ts';
import type { Category, Rule } from './rule.ts';
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
  /** SHA-256, in hex, over the rules alone: it differs exactly when they, their versions or their parameters do. */
  readonly digest: string;
}

interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  includes(rule: Rule): boolean;
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
    description: 'Every built-in rule.',
    includes: () => true,
  },
  ...CIS_VERSIONS.map((version) => ({
    name: `cis-gcp-${version}`,
    title: `CIS Google Cloud Foundations ${version}`,
    description: `The rules that decide a requirement of the CIS Google Cloud Foundations benchmark, version ${version}.`,
    includes: (rule: Rule) =>
      rule.compliance.some(({ framework }) => framework === `cis-gcp-${version}`),
  })),
  {
    name: 'critical',
    title: 'Critical and high',
    description: 'The rules of critical and high severity, for a quick look.',
    includes: ({ severity }) => severity === 'critical' || severity === 'high',
  },
  ...CATEGORIES.map(({ name, title }) => ({
    name,
    title,
    description: `The rules of the category ${name}.`,
    includes: (rule: Rule) => rule.category === name,
  })),
  {
    name: 'public-exposure',
    title: 'Public exposure',
    description: 'The rules on what the internet, or everyone with a Google account, can reach.',
    includes: ({ id }) => /-public|^fw-.*-world$|^gke-private-/.test(id),
  },
];

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cis-gcp', 'cis-gcp-4.0'],
  ['quick', 'critical'],
]);

const PROFILES: ReadonlyMap<string, Profile> = new Map(
  DEFINITIONS.map((definition) => [definition.name, profileOf(definition)] as const).filter(
    ([, profile]) => profile.rules.length > 0,
  ),
);

/** The names that `resolveProfile` knows, aliases included. A profile without rules is not offered. */
export const PROFILE_NAMES: readonly string[] = [
  ...PROFILES.keys(),
  ...[...ALIASES].filter(([, target]) => PROFILES.has(target)).map(([alias]) => alias),
];

/** The profile of that name; that of an alias carries the name of its target. */
export function resolveProfile(name: string): Profile | undefined {
  return PROFILES.get(ALIASES.get(name) ?? name);
}

function profileOf({ name, title, description, includes }: Definition): Profile {
  const rules = RULES.filter(includes).map(({ id, version, parameters }) => ({
    id,
    version,
    parameters,
  }));
  return { name, title, description, rules, digest: digestOf(rules) };
}

/** The digest of a list of rules, whatever their order and that of their parameters. */
export function digestOf(rules: Profile['rules']): string {
  const rows = rules.map(({ id, version, parameters }) =>
    JSON.stringify([id, version, canonical(parameters)]),
  );
  return hash('sha256', rows.toSorted().join('\n'), 'hex');
}

/** The same value with the members of its objects in the order of their names. */
function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, canonical(member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
