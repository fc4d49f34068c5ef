import { type Asset, parseAsset } from '../inventory/normalise.ts';
import type { AssetRule, SnapshotContext } from '../rule.ts';
import { Snapshot } from '../snapshot.ts';
import type { CustomRuleTest, CustomVerdict, DefinitionFault } from './definition.ts';

/** What a custom rule says of one asset. */
export interface CustomJudgement {
  readonly asset: { readonly name: string; readonly type: string };
  readonly verdict: CustomVerdict;
  /** For `unknown`: what is missing; else ''. */
  readonly message: string;
}

export interface TestResult extends CustomJudgement {
  readonly expected: CustomVerdict;
}

/** The asset of a definition's test. */
export function testedAsset({ asset }: CustomRuleTest): Asset {
  return parseAsset(JSON.stringify(asset));
}

export function judgeCustom(rule: AssetRule, asset: Asset, now: Date): CustomJudgement {
  const context: SnapshotContext = { now, snapshot: NO_SNAPSHOT };
  const outcome = rule.evaluate(asset, { ...context, parameters: {} });
  const { name, type } = asset;
  return {
    asset: { name, type },
    // A custom rule applies to every asset of its types.
    verdict: outcome.verdict === 'na' ? 'pass' : outcome.verdict,
    message: outcome.verdict === 'unknown' ? outcome.missing : '',
  };
}

/** A custom rule sees nothing besides the asset. */
const NO_SNAPSHOT = new Snapshot({ assetTypes: new Map() });

/** What is wrong with the tests of a definition before they are run: the rule would never see such an asset. */
export function faultsOfTests(
  assetTypes: readonly string[],
  tests: readonly CustomRuleTest[],
): DefinitionFault[] {
  return tests.flatMap((test, index) => {
    const { type } = testedAsset(test);
    if (assetTypes.includes(type)) return [];
    const said = type === '' ? 'has no asset_type' : `is of the type ${type}`;
    const message = `${said}; the rule looks at ${assetTypes.join(', ')}`;
    return [{ path: `tests.${index}.asset`, message }];
  });
}

/** The tests that did not end as they should. */
export function faultsOfResults(results: readonly TestResult[]): DefinitionFault[] {
  return results.flatMap(({ verdict, expected, message }, index) => {
    if (verdict === expected) return [];
    const why = message === '' ? '' : ` (${message})`;
    const fault = `the rule says ${verdict}${why}, and should say ${expected}`;
    return [{ path: `tests.${index}`, message: fault }];
  });
}
