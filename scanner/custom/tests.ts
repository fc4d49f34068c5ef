import { type Asset, parseAsset } from '../inventory/normalise.ts';
import type { AssetRule } from '../rule.ts';
import { RuleTime } from '../rule-time.ts';
import { Snapshot } from '../snapshot.ts';
import type { CustomRuleTest, CustomVerdict, DefinitionFault } from './definition.ts';

/** The verdict of a custom rule on one asset. */
export interface CustomEvaluation {
  readonly asset: { readonly name: string; readonly type: string };
  readonly verdict: CustomVerdict;
  /** For `unknown`: the missing field; else ''. */
  readonly message: string;
}

export interface TestResult extends CustomEvaluation {
  readonly expected: CustomVerdict;
}

/** The asset of a test in a definition. */
export function testedAsset({ asset }: CustomRuleTest): Asset {
  return parseAsset(JSON.stringify(asset));
}

export function evaluateCustomRule(rule: AssetRule, asset: Asset, now: Date): CustomEvaluation {
  const time = new RuleTime(now);
  const outcome = rule.evaluate(asset, { time, snapshot: NO_SNAPSHOT, parameters: {} });
  const { name, type } = asset;
  return {
    asset: { name, type },
    // A custom rule applies to every asset of its types.
    verdict: outcome.verdict === 'na' ? 'pass' : outcome.verdict,
    message: outcome.verdict === 'unknown' ? outcome.missing : '',
  };
}

/** A custom rule reads only the asset itself. */
const NO_SNAPSHOT = new Snapshot({ assetTypes: new Map() });

/** Faults in the tests of a definition, such as an asset of a type that the rule does not check. */
export function faultsOfTests(
  assetTypes: readonly string[],
  tests: readonly CustomRuleTest[],
): DefinitionFault[] {
  return tests.flatMap((test, index) => {
    const { type } = testedAsset(test);
    if (assetTypes.includes(type)) return [];
    const said = type === '' ? 'has no asset_type' : `is of the type ${type}`;
    const message = `${said}; the rule applies to ${assetTypes.join(', ')}`;
    return [{ path: `tests.${index}.asset`, message }];
  });
}

/** The tests whose verdict differs from the expected one. */
export function faultsOfResults(results: readonly TestResult[]): DefinitionFault[] {
  return results.flatMap(({ verdict, expected, message }, index) => {
    if (verdict === expected) return [];
    const why = message === '' ? '' : ` (${message})`;
    const fault = `the rule returns ${verdict}${why}; expected ${expected}`;
    return [{ path: `tests.${index}`, message: fault }];
  });
}
