import type { Asset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import type { Severity } from '../rule.ts';
import { assetOf, policyOf } from './asset.ts';

/** An asset and what its rule should say of it. */
export interface RuleCase {
  /** The guarantee, as the end of a sentence that begins with the rule's id. */
  readonly name: string;
  /** Without one, the rule judges the project as a whole, and `others` are what the inventory holds. */
  readonly asset?: Asset;
  /** What else is in the inventory; nothing, unless the case says so. */
  readonly others?: readonly Asset[];
  /** For a rule on projects where there are several: the name of the asset on which its finding sits. */
  readonly project?: string;
  /** For a failing case whose findings matter: their subjects, and severities where they are not the rule's. */
  readonly findings?: readonly { readonly subject: string; readonly severity?: Severity }[];
}

type Some<T> = readonly [T, ...T[]];

/** At least one case of each verdict, so that the compiler asks for all four. */
export interface RuleCases {
  readonly rule: string;
  readonly pass: Some<RuleCase>;
  readonly fail: Some<RuleCase>;
  /** `never`: the rule applies to every asset of its types. */
  readonly na: Some<RuleCase> | 'never';
  readonly unknown: Some<RuleCase>;
}

/** Cases of one asset type, each written as its guarantee and its `resource.data`. */
export function resourceCases(type: string) {
  return {
    case: (name: string, data: JsonValue): RuleCase => ({ name, asset: assetOf({ type, data }) }),
    /** The two ways in which an inventory does not describe a resource. */
    unknown: [
      {
        name: 'an asset of which only the IAM policy was exported',
        asset: assetOf({ type, iamPolicy: policyOf('roles/viewer user:ada@example.com') }),
      },
      { name: 'an asset of which only the name was exported', asset: assetOf({ type }) },
    ] satisfies Some<RuleCase>,
  };
}
