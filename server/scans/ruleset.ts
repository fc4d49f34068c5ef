import {
  Evaluator,
  type JsonObject,
  type Profile,
  RULES,
  type Rule,
  resolveProfile,
  type SnapshotContext,
  withAllowedDomains,
} from '@cspm/scanner';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import { settingsFrom } from '../identity/tenant-settings.ts';

/** One rule of a scan, with all that it takes to evaluate it again. */
export interface RulesetRule {
  readonly id: string;
  readonly version: number;
  readonly parameters: JsonObject;
  /** Of a rule that a tenant wrote: the whole of it. A rule of the product stands in the product. */
  readonly definition?: JsonObject;
}

/** The rules that a scan evaluates: resolved when it is launched, and kept as they were then. */
export interface Ruleset {
  /** The name of the profile; that of an alias is its target's. */
  readonly profile: string;
  /** SHA-256 over the rules, in hex: their key. */
  readonly digest: string;
  /** In the order of their ids. */
  readonly rules: readonly RulesetRule[];
}

/** What is said of a rule without evaluating it. */
export type RuleOutline = Pick<Rule, 'id' | 'assetTypes' | 'needs'> & {
  /** Whether it is evaluated once for a cloud project, rather than for each asset of its types. */
  readonly onProjects: boolean;
};

const BUILT_IN: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/**
 * The rules that a name stands for in a tenant at this moment: preflight and launch ask here alone.
 * @returns null where the tenant has no profile of that name.
 */
export async function resolveRuleset(db: TenantConnection, name: string): Promise<Ruleset | null> {
  const found = resolveProfile(name);
  if (found === undefined) return null;
  const profile = await forTenant(db, found);
  return { profile: profile.name, digest: profile.digest, rules: profile.rules };
}

/** With what the settings of the tenant say to the rules of a profile. */
async function forTenant(db: TenantConnection, profile: Profile): Promise<Profile> {
  if (!profile.rules.some(({ parameters }) => 'allowedDomains' in parameters)) return profile;
  const [row] = await db.sql<{ settings: unknown }>(SETTINGS);
  return withAllowedDomains(profile, settingsFrom(row?.settings).allowedDomains);
}

const SETTINGS: Statement = {
  name: 'ruleset-settings',
  text: 'SELECT t.settings FROM identity.this_tenant() t',
};

/** The rules of a ruleset that this release can evaluate; the others are of another one. */
export function outlinesOf({ rules }: Pick<Ruleset, 'rules'>): RuleOutline[] {
  return rules.flatMap(({ id }) => {
    const rule = BUILT_IN.get(id);
    if (rule === undefined) return [];
    const { assetTypes, needs } = rule;
    return [{ id, assetTypes, needs, onProjects: 'evaluateProject' in rule }];
  });
}

/**
 * Every rule that there is for a tenant, whether a scan evaluates it or not: of findings by any other it is said that
 * their rule is retired.
 */
export async function knownRuleIds(
  _db: TenantConnection,
  scanned: readonly string[],
): Promise<string[]> {
  return [...BUILT_IN.keys(), ...scanned];
}

/** The rules that this release does not have, or has in another version, in words. */
export function unknownRulesOf({ rules }: Pick<Ruleset, 'rules'>): string[] {
  return rules.flatMap(({ id, version, definition }) =>
    definition !== undefined || BUILT_IN.get(id)?.version === version
      ? []
      : [`${id} in version ${version}`],
  );
}

/** @throws {RangeError} where the ruleset has rules that this release does not know. */
export function evaluatorOf(ruleset: Pick<Ruleset, 'rules'>, context: SnapshotContext): Evaluator {
  return new Evaluator(ruleset, context);
}
