import type { Asset } from './inventory/normalise.ts';
import type { JsonObject } from './json.ts';
import { unknown, unknownWithout } from './outcome.ts';
import type { Project } from './project.ts';
import type { AssetRule, Outcome, ProjectRule, RuleContext, RuleMetadata } from './rule.ts';

/** What a rule is, without how it judges. */
export type RuleSpec = Omit<RuleMetadata, 'needs' | 'parameters' | 'version'> & {
  readonly version?: number;
  readonly parameters?: JsonObject;
};

type Judge = (content: JsonObject, asset: Asset, context: RuleContext) => Outcome;

/** A rule on the resource itself; `unknown` where the inventory does not describe it. */
export function resourceRule(spec: RuleSpec, judge: Judge): AssetRule {
  return {
    ...ruleOf(spec),
    needs: ['RESOURCE'],
    evaluate: (asset, context) =>
      asset.data === null ? unknown('RESOURCE') : judge(asset.data, asset, context),
  };
}

/** A rule on the IAM policy of an asset; `unknown` where the inventory holds none, not even an empty one. */
export function policyRule(spec: RuleSpec, judge: Judge): AssetRule {
  return {
    ...ruleOf(spec),
    needs: ['IAM_POLICY'],
    evaluate: (asset, context) =>
      asset.iamPolicy === null ? unknown('IAM_POLICY') : judge(asset.iamPolicy, asset, context),
  };
}

/** A rule that can judge by the resource, by the IAM policy or by both, and sees itself to what is missing. */
export function combinedRule(
  spec: RuleSpec,
  evaluate: (asset: Asset, context: RuleContext) => Outcome,
): AssetRule {
  return { ...ruleOf(spec), needs: ['IAM_POLICY', 'RESOURCE'], evaluate };
}

/**
 * A rule on a project as a whole, by the landmarks in it: what it looks at must be kept by `landmarkOf`. Its finding
 * sits on the project. `unknown` where the inventory holds no asset of any of the types that the rule names.
 */
export function projectRule(
  spec: RuleSpec,
  judge: (project: Project, context: RuleContext) => Outcome,
): ProjectRule {
  return {
    ...ruleOf(spec),
    needs: ['RESOURCE'],
    evaluateProject: (project, context) =>
      unknownWithout(context, spec.assetTypes) ?? judge(project, context),
  };
}

function ruleOf(spec: RuleSpec) {
  return { version: 1, parameters: {}, ...spec };
}
