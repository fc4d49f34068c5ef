import { RULES, type Rule } from '@cspm/scanner';
import { keyAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound } from '../pipeline/problems.ts';

export const rules: HandlersOf<'rules'> = {
  async list({ input: { query } }) {
    const after = keyAfter(query.cursor) ?? '';
    const matching = RULES.filter(
      (rule) =>
        rule.id > after &&
        (query.severity?.includes(rule.severity) ?? true) &&
        (query.category?.includes(rule.category) ?? true),
    );
    const page = matching.slice(0, query.limit + 1);
    return { status: 200, body: pageFrom(page, query.limit, (rule) => rule.id, ruleView) };
  },

  async get({ input: { params } }) {
    const rule = RULES.find(({ id }) => id === params.id);
    if (rule === undefined) throw notFound();
    return { status: 200, body: ruleView(rule) };
  },
};

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
    compliance: rule.compliance.map((requirement) => ({ ...requirement })),
  };
}
