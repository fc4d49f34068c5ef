import {
  type CustomRuleDefinition,
  type JsonObject,
  outlineOf,
  type Profile,
  type ProfileDefinition,
  profileOf,
  RULES,
  type Rule,
  type RuleOutline,
  resolveProfile,
  SelectableRules,
  type Severity,
  withAllowedDomains,
} from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { type CustomRuleRow, listCustomRules } from './custom-rule-queries.ts';
import { findProfile } from './profile-queries.ts';
import { compareSelectors, resolveSaved } from './resolve-profile.ts';
import { choiceWith, findTenantRules, type TenantRules } from './tenant-rules.ts';

/** One rule of a scan, with everything needed to evaluate it again. */
export interface RulesetRule {
  readonly id: string;
  readonly version: number;
  readonly parameters: JsonObject;
  /** The complete definition of a custom rule. Built-in rules are looked up in the product. */
  readonly definition?: JsonObject;
}

/** The rules that a scan evaluates, resolved at launch and stored unchanged. */
export interface Ruleset {
  /** Name of the profile; for an alias, the name of its target. */
  readonly profile: string;
  /** SHA-256 over the rules in hex, which identifies the ruleset. */
  readonly digest: string;
  /** Ordered by id. */
  readonly rules: readonly RulesetRule[];
}

const BUILT_IN: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/**
 * Resolves a profile name to the tenant's current rules. Preflight and launch both use only this function.
 * @returns null when the tenant has no profile with this name. The ruleset may be empty if its rules were deleted.
 */
export async function resolveRuleset(db: TenantConnection, name: string): Promise<Ruleset | null> {
  const builtIn = resolveProfile(name);
  if (builtIn !== undefined) return rulesetOf(builtIn, await findTenantRules(db));
  const definition = await findProfile(db, name);
  if (definition === null) return null;
  const tenant = await findTenantRules(db);
  return rulesetOfDefinition(definition, tenant, enabledRules(tenant));
}

/** Resolves a built-in profile for a tenant; `full` includes the tenant's own rules. */
export function rulesetOf(profile: Profile, tenant: TenantRules): Ruleset {
  if (profile.name !== 'full') return withDefinitions(profile, tenant);
  const own = choiceWith(enabledOf(tenant)).filter(({ category }) => category === 'custom');
  return withDefinitions(profileOf(profile, [...profile.rules, ...own]), tenant);
}

/**
 * Resolves a profile that the tenant has defined.
 * @param rules the enabled rules of the tenant. Definitions that are resolved with the same object share selectors.
 */
export async function rulesetOfDefinition(
  definition: ProfileDefinition,
  tenant: TenantRules,
  rules: SelectableRules,
): Promise<Ruleset> {
  const { name } = definition;
  await compareSelectors(definition, rules);
  const profile =
    resolveSaved(definition, rules) ?? profileOf({ name, title: '', description: '' }, []);
  return withDefinitions(profile, tenant);
}

/** The rules that the scans of a tenant can evaluate. */
export function enabledRules(tenant: TenantRules): SelectableRules {
  return new SelectableRules(choiceWith(enabledOf(tenant)));
}

function enabledOf({ custom }: TenantRules): CustomRuleRow[] {
  return custom.filter(({ enabled }) => enabled);
}

/**
 * Adds the tenant's settings and the definitions of its custom rules. They are part of the digest too, because a rule
 * that was deleted and created again may have the same id and version.
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

/** Everything about a custom rule that affects its evaluation. */
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

/** The custom rules of a scan, as they were at launch. */
export function customRulesOf({ rules }: Pick<Ruleset, 'rules'>): CustomRuleDefinition[] {
  return rules.flatMap(({ definition }) => (definition === undefined ? [] : [stored(definition)]));
}

/** Only `definitionOf` writes it, so the cast is safe. */
function stored(definition: JsonObject): StoredDefinition {
  return definition as unknown as StoredDefinition;
}

/** The rules of a ruleset that this release can evaluate. */
export function outlinesOf({ rules }: Pick<Ruleset, 'rules'>): RuleOutline[] {
  return rules.flatMap(({ id, definition }) => {
    if (definition !== undefined) {
      const { assetTypes, needs } = stored(definition);
      return [{ id, assetTypes, needs, onProjects: false, onEveryPolicy: false }];
    }
    const rule = BUILT_IN.get(id);
    return rule === undefined ? [] : [outlineOf(rule)];
  });
}

/** The severity of each rule of a ruleset. Rules that this release does not have are left out. */
export function severitiesOf({
  rules,
}: Pick<Ruleset, 'rules'>): { readonly ruleId: string; readonly severity: Severity }[] {
  return rules.flatMap(({ id, definition }) => {
    const severity =
      definition === undefined ? BUILT_IN.get(id)?.severity : stored(definition).severity;
    return severity === undefined ? [] : [{ ruleId: id, severity }];
  });
}

/**
 * All rules that exist for a tenant, whether a scan evaluates them or not. Findings of any other rule are resolved as
 * `rule_retired`.
 */
export async function knownRuleIds(
  db: TenantConnection,
  scanned: readonly string[],
): Promise<string[]> {
  const custom = await listCustomRules(db);
  return [...BUILT_IN.keys(), ...scanned, ...custom.map(({ id }) => id)];
}

/** Names the rules that this release lacks or has in another version. */
export function unknownRulesOf({ rules }: Pick<Ruleset, 'rules'>): string[] {
  return rules.flatMap(({ id, version, definition }) =>
    definition !== undefined || BUILT_IN.get(id)?.version === version
      ? []
      : [`${id} in version ${version}`],
  );
}
