import {
  type CustomRuleDefinition,
  Evaluator,
  type JsonObject,
  type Profile,
  type ProfileDefinition,
  profileOf,
  RULES,
  type Rule,
  resolveProfile,
  type SnapshotContext,
  withAllowedDomains,
} from '@cspm/scanner';
import { type CustomRuleRow, listCustomRules } from '../custom-rules/custom-rule-rows.ts';
import type { TenantConnection } from '../database/tenant-database.ts';
import { findProfile } from '../profiles/profile-rows.ts';
import { resolveSaved } from '../profiles/resolve-profile.ts';
import { choiceWith, findTenantRules, type TenantRules } from '../profiles/tenant-rules.ts';

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
 * @returns null where the tenant has no profile of that name. There may be no rules in it: those that it named are gone.
 */
export async function resolveRuleset(db: TenantConnection, name: string): Promise<Ruleset | null> {
  const builtIn = resolveProfile(name);
  if (builtIn !== undefined) return rulesetOf(builtIn, await findTenantRules(db));
  const definition = await findProfile(db, name);
  return definition === null ? null : rulesetOfDefinition(definition, await findTenantRules(db));
}

/** The rules of a profile of the product for a tenant; to `full` belong its own as well. */
export function rulesetOf(profile: Profile, tenant: TenantRules): Ruleset {
  if (profile.name !== 'full') return withDefinitions(profile, tenant);
  const own = choiceWith(enabledOf(tenant)).filter(({ category }) => category === 'custom');
  return withDefinitions(profileOf(profile, [...profile.rules, ...own]), tenant);
}

/** The rules of a profile that the tenant has defined. */
export function rulesetOfDefinition(definition: ProfileDefinition, tenant: TenantRules): Ruleset {
  const { name } = definition;
  const profile =
    resolveSaved(definition, choiceWith(enabledOf(tenant))) ??
    profileOf({ name, title: '', description: '' }, []);
  return withDefinitions(profile, tenant);
}

function enabledOf({ custom }: TenantRules): CustomRuleRow[] {
  return custom.filter(({ enabled }) => enabled);
}

/**
 * With what the settings of the tenant say to its rules, and with its own rules as they are. These are part of the digest
 * too: one that was deleted and written anew may have the same id and version.
 */
function withDefinitions(profile: Profile, { custom, allowedDomains }: TenantRules): Ruleset {
  const { name, rules, ...adjusted } = withAllowedDomains(profile, allowedDomains);
  const definitions = new Map(custom.map((rule) => [rule.id, definitionOf(rule)]));
  const own = rules.filter(({ id }) => definitions.has(id));
  if (own.length === 0) return { profile: name, digest: adjusted.digest, rules };
  const { digest } = profileOf(
    profile,
    rules.map((rule) => ({ ...rule, parameters: definitions.get(rule.id) ?? rule.parameters })),
  );
  const complete = rules.map((rule) => {
    const definition = definitions.get(rule.id);
    return definition === undefined ? rule : { ...rule, definition };
  });
  return { profile: name, digest, rules: complete };
}

/** All that is said of a custom rule, and what it reads. */
type StoredDefinition = CustomRuleDefinition & Pick<CustomRuleRow, 'needs'>;

function definitionOf(rule: CustomRuleRow): StoredDefinition & JsonObject {
  const { id, version, title, description, severity, assetTypes } = rule;
  const { predicate, recommendation, needs } = rule;
  return {
    id,
    version,
    title,
    description,
    severity,
    assetTypes,
    predicate,
    recommendation,
    needs,
  };
}

/** The rules of a tenant among those of a scan, as they were when it was launched. */
export function customRulesOf({ rules }: Pick<Ruleset, 'rules'>): CustomRuleDefinition[] {
  return rules.flatMap(({ definition }) => (definition === undefined ? [] : [stored(definition)]));
}

/** What is kept there is what `definitionOf` made. */
function stored(definition: JsonObject): StoredDefinition {
  return definition as unknown as StoredDefinition;
}

/** The rules of a ruleset that this release can evaluate; the others are of another one. */
export function outlinesOf({ rules }: Pick<Ruleset, 'rules'>): RuleOutline[] {
  return rules.flatMap(({ id, definition }) => {
    if (definition !== undefined) {
      const { assetTypes, needs } = stored(definition);
      return [{ id, assetTypes, needs, onProjects: false }];
    }
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
  db: TenantConnection,
  scanned: readonly string[],
): Promise<string[]> {
  const custom = await listCustomRules(db);
  return [...BUILT_IN.keys(), ...scanned, ...custom.map(({ id }) => id)];
}

/** The rules that this release does not have, or has in another version, in words. */
export function unknownRulesOf({ rules }: Pick<Ruleset, 'rules'>): string[] {
  return rules.flatMap(({ id, version, definition }) =>
    definition !== undefined || BUILT_IN.get(id)?.version === version
      ? []
      : [`${id} in version ${version}`],
  );
}

/**
 * Of the rules of the product; those of the tenant are evaluated elsewhere.
 * @throws {RangeError} where the ruleset has rules that this release does not know.
 */
export function evaluatorOf(
  { rules }: Pick<Ruleset, 'rules'>,
  context: SnapshotContext,
): Evaluator {
  return new Evaluator(
    { rules: rules.filter(({ definition }) => definition === undefined) },
    context,
  );
}
