import { hasReadableBindings } from './facts/policy-form.ts';
import type { Asset } from './inventory/normalise.ts';
import type { JsonObject } from './json.ts';
import { PASS, unknown, unknownWithout } from './outcome.ts';
import type { Project } from './project.ts';
import { someInGroups } from './reference-asset-groups.ts';
import type { AssetRule, Outcome, ProjectRule, RuleContext, RuleMetadata } from './rule.ts';

/** The description of a rule, without its evaluation. */
export type RuleSpec = Omit<RuleMetadata, 'needs' | 'parameters' | 'version'> & {
  readonly version?: number;
  readonly parameters?: JsonObject;
};

type Evaluate = (content: JsonObject, asset: Asset, context: RuleContext) => Outcome;

/** A rule on the resource itself; `unknown` if the inventory does not describe it. */
export function resourceRule(spec: RuleSpec, evaluate: Evaluate): AssetRule {
  return {
    ...ruleOf(spec),
    needs: ['RESOURCE'],
    evaluate: (asset, context) =>
      asset.data === null ? unknown('RESOURCE') : evaluate(asset.data, asset, context),
  };
}

/** A rule on the IAM policy of an asset; `unknown` if the inventory has none, not even an empty one. */
export function policyRule(spec: RuleSpec, evaluate: Evaluate): AssetRule {
  return {
    ...ruleOf(spec),
    needs: ['IAM_POLICY'],
    evaluate: (asset, context) => {
      if (asset.iamPolicy === null) return unknown('IAM_POLICY');
      const outcome = evaluate(asset.iamPolicy, asset, context);
      return outcome.verdict === 'pass' ? passByPolicy(asset) : outcome;
    },
  };
}

/**
 * The outcome where no violation was found in the IAM policy: `unknown` if the inventory has none, or one that is not
 * in the form of the API, in which a grant can be overlooked. The policies of planned assets always have that form.
 */
export function passByPolicy({ iamPolicy, planned }: Asset): Outcome {
  const isReadable = iamPolicy !== null && (planned !== null || hasReadableBindings(iamPolicy));
  return isReadable ? PASS : unknown('IAM_POLICY');
}

/** A rule that can use the resource, the IAM policy or both, and handles missing content itself. */
export function combinedRule(
  spec: RuleSpec,
  evaluate: (asset: Asset, context: RuleContext) => Outcome,
): AssetRule {
  return { ...ruleOf(spec), needs: ['IAM_POLICY', 'RESOURCE'], evaluate };
}

/**
 * A rule on a whole project, based on its reference assets: every type that it uses must be kept by `referenceAssetOf`.
 * Its finding is on the project. `unknown` if the inventory has no asset of any of the rule's types, or if the rule would fail
 * and might pass with the content of an asset that has none, or with an asset of a folder that may be above the project.
 */
export function projectRule(
  spec: RuleSpec,
  evaluate: (project: Project, context: RuleContext) => Outcome,
): ProjectRule {
  return {
    ...ruleOf(spec),
    needs: ['RESOURCE'],
    evaluateProject: (project, context) => {
      const withoutAny = unknownWithout(context, spec.assetTypes);
      if (withoutAny !== null) return withoutAny;
      const outcome = evaluate(project, context);
      if (outcome.verdict !== 'fail') return outcome;
      if (!hasContent(project, spec.assetTypes)) return unknown('RESOURCE');
      const isPlaced = !spec.assetTypes.some((type) => project.mayInherit(type));
      return isPlaced ? outcome : unknown('the ancestors of the project');
    },
  };
}

/** Whether all assets of these types, in the project and above it, have content. */
function hasContent(project: Project, types: readonly string[]): boolean {
  return !types.some((type) => someWithoutContent([project.own(type), ...project.above(type)]));
}

const someWithoutContent = someInGroups(({ data }) => data === null);

function ruleOf(spec: RuleSpec) {
  return { version: 1, parameters: {}, ...spec };
}
