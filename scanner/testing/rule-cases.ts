import type { Asset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import type { Severity } from '../rule.ts';
import { assetOf, policyOf } from './asset.ts';

/** An asset and the expected outcome of its rule. */
export interface RuleCase {
  /** The guarantee, as the end of a sentence that begins with the rule's id. */
  readonly name: string;
  /** Without one, the rule evaluates the whole project, and `others` is the inventory. */
  readonly asset?: Asset;
  /** The rest of the inventory; empty by default. */
  readonly others?: readonly Asset[];
  /** For a rule on projects, if there are several: the asset of its finding. */
  readonly project?: string;
  /** For a failing case with specific findings: their subjects, and severities that differ from the rule's. */
  readonly findings?: readonly { readonly subject: string; readonly severity?: Severity }[];
}

type Some<T> = readonly [T, ...T[]];

/** At least one case per verdict, so the compiler requires all four. */
export interface RuleCases {
  readonly rule: string;
  readonly pass: Some<RuleCase>;
  readonly fail: Some<RuleCase>;
  /** `never`: the rule applies to every asset of its types. */
  readonly na: Some<RuleCase> | 'never';
  readonly unknown: Some<RuleCase>;
}

/** Cases of one asset type, each with its guarantee and its `resource.data`. */
export function resourceCases(type: string) {
  return {
    case: (name: string, data: JsonValue): RuleCase => ({ name, asset: assetOf({ type, data }) }),
    /** The two ways in which an inventory lacks a resource's description. */
    unknown: [
      {
        name: 'an asset whose export has only its IAM policy',
        asset: assetOf({ type, iamPolicy: policyOf('roles/viewer user:ada@example.com') }),
      },
      { name: 'an asset whose export has only its name', asset: assetOf({ type }) },
    ] satisfies Some<RuleCase>,
  };
}
