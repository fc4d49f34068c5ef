// What other modules may import from this one, in addition to queries.ts.
export { asRule } from './as-rule.ts';
export { listCustomRules } from './custom-rule-queries.ts';
export type { CustomRuleStep } from './custom-rule-step.ts';
export {
  customRulesOf,
  knownRuleIds,
  outlinesOf,
  type Ruleset,
  type RulesetRule,
  resolveRuleset,
  severitiesOf,
  unknownRulesOf,
} from './ruleset.ts';
