import type { CustomRuleRow } from './custom-rule-rows.ts';

/** A rule of a tenant in the terms of those of the product. */
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
    compliance: [],
    parameters: {},
  };
}
