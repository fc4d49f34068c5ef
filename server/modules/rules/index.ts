// What other modules may import from this one, in addition to queries.ts.
export { asRule } from './as-rule.ts';
export { CustomRuleEvaluator } from './custom-rule-evaluator.ts';
export { listCustomRules } from './custom-rule-queries.ts';
export { CustomRuleStep } from './custom-rule-step.ts';
export { EvaluatorPool } from './evaluator-pool.ts';
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
