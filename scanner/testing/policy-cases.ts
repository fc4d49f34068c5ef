import { assetOf, policyOf } from './asset.ts';
import type { RuleCase } from './rule-cases.ts';

/** Cases of rules on IAM policies, each with its guarantee, the asset type and `role member` bindings. */
export function granted(name: string, type: string, ...bindings: readonly string[]): RuleCase {
  return { name, asset: assetOf({ type, iamPolicy: policyOf(...bindings) }) };
}

/** The subjects of the expected findings. */
export function finding(one: RuleCase, ...subjects: readonly string[]): RuleCase {
  return { ...one, findings: subjects.map((subject) => ({ subject })) };
}

/** An asset that was exported without its policy. */
export function withoutPolicy(type: string): RuleCase {
  return {
    name: `a ${type.split('/')[1]} whose policy was not exported`,
    asset: assetOf({ type, data: { name: 'it' } }),
  };
}
