import type { contract } from '@cspm/contract';
import { RULES, type Rule } from '@cspm/scanner';
import type { z } from 'zod';
import { idAfter, pageFrom, RULE_ID } from '../../platform/cursor.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound } from '../../platform/problem.ts';
import { asRule } from './as-rule.ts';
import { findCustomRule } from './custom-rule-queries.ts';
import { findTenantRules } from './tenant-rules.ts';

export const rules: HandlersOf<'rules'> = {
  async list({ input: { query }, db }) {
    const after = idAfter(query.cursor, RULE_ID) ?? '';
    const { custom } = await findTenantRules(db);
    const own = custom.filter(({ enabled }) => enabled).map(asRule);
    const matching = [...RULES.map(ruleView), ...own]
      .filter(
        (rule) =>
          rule.id > after &&
          (query.severity?.includes(rule.severity) ?? true) &&
          (query.category?.includes(rule.category) ?? true),
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      status: 200,
      body: pageFrom(
        matching,
        query.limit,
        ({ id }) => id,
        (rule) => rule,
      ),
    };
  },

  async get({ input: { params }, principal, db }) {
    const builtIn = RULES.find(({ id }) => id === params.id);
    if (builtIn !== undefined) return { status: 200, body: ruleView(builtIn) };
    // The list has no custom rules without the feature either.
    const licensed = principal.tenant.features.includes('custom_rules');
    const custom = licensed ? await findCustomRule(db, params.id) : null;
    if (custom === null) throw notFound();
    return { status: 200, body: asRule(custom) };
  },
};

type View = z.infer<(typeof contract.rules.get.responses)[200]>;

function ruleView(rule: Rule) {
  return {
    id: rule.id,
    version: rule.version,
    title: rule.title,
    severity: rule.severity,
    category: rule.category,
    assetTypes: [...rule.assetTypes],
    needs: [...rule.needs],
    description: rule.description,
    remediation: rule.remediation,
    noFix: rule.noFix ?? null,
    compliance: rule.compliance.map((requirement) => ({ ...requirement })),
    parameters: rule.parameters as View['parameters'],
  };
}
