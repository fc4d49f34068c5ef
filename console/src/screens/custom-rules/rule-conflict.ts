import type { CustomRule } from '@cspm/sdk';
import { queryClient } from '../../queries.ts';
import { customRulesQuery } from './custom-rules-query.ts';

/** Somebody saved the rule after the person began to edit it. */
export class RuleConflict extends Error {
  /** The rule as it is now. */
  readonly rule: CustomRule;

  constructor(rule: CustomRule) {
    super(`Version ${rule.version} of this rule was saved meanwhile. Your changes are not saved.`);
    this.rule = rule;
  }
}

/** Somebody deleted the rule after the person began to edit it. */
export class RuleDeleted extends Error {
  constructor() {
    super('This rule was deleted meanwhile. Your changes are not saved.');
  }
}

/**
 * Checks that a rule is still the version that was edited.
 * @throws {RuleConflict} if it is another one.
 * @throws {RuleDeleted} if it was deleted.
 */
export async function checkVersion(id: string, version: number): Promise<void> {
  const rules = await queryClient.fetchQuery({ ...customRulesQuery, staleTime: 0 });
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new RuleDeleted();
  if (rule.version !== version) throw new RuleConflict(rule);
}
