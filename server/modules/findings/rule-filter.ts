import { canonicalName, RULES } from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { listCustomRules } from '../rules/index.ts';
import type { FindingFilter } from './finding-filter.ts';

/** Filters on properties of rules, which findings do not store: a filter by rule ids takes their place. */
export interface RuleFilter {
  readonly category?: readonly string[] | undefined;
  readonly framework?: readonly string[] | undefined;
}

/** The category of custom rules. */
export const CUSTOM = 'custom';

/** The rules that have a value of a property: pairs, in two lists of the same length. */
export interface RuleValues {
  readonly rules: readonly string[];
  readonly values: readonly string[];
}

/** The categories of the built-in rules. A rule that the service no longer has is in none. */
export const CATEGORIES: RuleValues = {
  rules: RULES.map(({ id }) => id),
  values: RULES.map(({ category }) => category),
};

/** The categories of the built-in rules and of those of the tenant. */
async function categoriesOf(db: TenantConnection): Promise<RuleValues> {
  const custom = (await listCustomRules(db)).filter(({ id }) => !CATEGORIES.rules.includes(id));
  return {
    rules: [...CATEGORIES.rules, ...custom.map(({ id }) => id)],
    values: [...CATEGORIES.values, ...custom.map(() => CUSTOM)],
  };
}

/** The ids of the rules that have one of these values; undefined: no value is asked for. */
function rulesWith(
  { rules, values }: RuleValues,
  asked: readonly string[] | undefined,
): string[] | undefined {
  return asked && rules.filter((_, index) => asked.includes(`${values[index]}`));
}

/** The filter with the rules of its categories and frameworks in place of these. */
export async function withRulesOf(
  db: TenantConnection,
  { category, framework, ...filter }: FindingFilter & RuleFilter,
): Promise<FindingFilter> {
  if (category === undefined && framework === undefined) return filter;
  const sets = [
    filter.rule,
    category && rulesWith(await categoriesOf(db), category),
    rulesOfFrameworks(framework),
  ].filter((set) => set !== undefined);
  const [first = [], ...rest] = sets;
  return { ...filter, rule: first.filter((id) => rest.every((set) => set.includes(id))) };
}

/** Each framework once for a rule, however many of its requirements the rule covers. */
const PAIRS = RULES.flatMap(({ id, compliance }) =>
  [...new Set(compliance.map(({ framework }) => framework))].map((value) => ({ id, value })),
);

export const FRAMEWORKS: RuleValues = {
  rules: PAIRS.map(({ id }) => id),
  values: PAIRS.map(({ value }) => value),
};

/** Like `rulesWith` for frameworks, each of which may also be given by the alias of its profile. */
export function rulesOfFrameworks(asked: readonly string[] | undefined): string[] | undefined {
  return rulesWith(FRAMEWORKS, asked?.map(canonicalName));
}
