import { NOT_BUILT_IN } from '@cspm/scanner';
import type { CustomRuleRow } from './custom-rule-queries.ts';

/** Converts a custom rule to the format of built-in rules. */
export function asRule(rule: CustomRuleRow) {
  return {
    id: rule.id,
    version: rule.version,
    title: rule.title,
    severity: rule.severity,
    category: 'custom' as const,
    assetTypes: [...rule.assetTypes],
    needs: [...rule.needs],
    description: rule.description,
    remediation: rule.recommendation,
    noFix: NOT_BUILT_IN,
    compliance: [],
    parameters: {},
  };
}
