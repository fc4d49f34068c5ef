import type { Rule, Severity } from '@cspm/sdk';
import { SEVERITIES } from '../../lib/severities.ts';

/** What the address of the screen contains. Values at their default are left out. */
export interface RulesSearch {
  readonly q?: string | undefined;
  readonly severity?: readonly Severity[] | undefined;
  readonly category?: readonly string[] | undefined;
  readonly framework?: readonly string[] | undefined;
  readonly assetType?: readonly string[] | undefined;
}

const LONGEST_TEXT = 200;
const LONGEST_LIST = 50;

export function readSearch(raw: Record<string, unknown>): RulesSearch {
  const levels = listOf(raw['severity']) ?? [];
  const severity = SEVERITIES.filter((level) => levels.includes(level));
  return {
    q: listOf(raw['q'])?.[0],
    severity: severity.length > 0 ? severity : undefined,
    category: listOf(raw['category']),
    framework: listOf(raw['framework']),
    assetType: listOf(raw['assetType']),
  };
}

/** A value from the address, alone or repeated, as a list. */
function listOf(value: unknown): readonly string[] | undefined {
  const texts = [value]
    .flat()
    .slice(0, LONGEST_LIST)
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).slice(0, LONGEST_TEXT))
    .filter((one) => one !== '');
  return texts.length > 0 ? texts : undefined;
}

/** The rules that match the filters, most severe first. Every word of the text must occur in the rule. */
export function filterRules(rules: readonly Rule[], search: RulesSearch): readonly Rule[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return rules
    .filter(
      (rule) =>
        (search.severity?.includes(rule.severity) ?? true) &&
        (search.category?.includes(rule.category) ?? true) &&
        (search.framework?.some((one) => hasFramework(rule, one)) ?? true) &&
        (search.assetType?.some((one) => rule.assetTypes.includes(one)) ?? true) &&
        matches(rule, words),
    )
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function hasFramework(rule: Rule, framework: string): boolean {
  return rule.compliance.some((one) => one.framework === framework);
}

function matches(rule: Rule, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { id, title, description, category, assetTypes, compliance } = rule;
  const requirements = compliance.map((one) => `${one.framework} ${one.id}`);
  const text = [id, title, description, category, ...assetTypes, ...requirements]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
