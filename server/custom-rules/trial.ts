import { parseAsset } from '@cspm/scanner';
import { verdictIn } from './custom-rule-checks.ts';
import type { CustomRuleJudge } from './custom-rule-judge.ts';
import type { AssetText } from './evaluator-messages.ts';

const VERDICTS_MAX = 1_000;
const TRIAL_MS = 10_000;

/** What a rule says of one asset of a project. */
interface TrialVerdict extends ReturnType<typeof verdictIn> {
  readonly asset: { readonly name: string; readonly type: string };
}

export interface Trial {
  /** Violations first, then what could not be decided: at most 1,000. */
  readonly verdicts: readonly TrialVerdict[];
  readonly evaluated: number;
  /** Whether these are the verdicts on all assets. */
  readonly complete: boolean;
}

/** Tries a rule on assets until there are no more, or no more time, or enough violations to fill the answer. */
export async function tryOn(
  judge: CustomRuleJudge,
  batches: AsyncIterable<readonly AssetText[]>,
): Promise<Trial> {
  const until = performance.now() + TRIAL_MS;
  const byVerdict: Record<TrialVerdict['verdict'], TrialVerdict[]> = {
    fail: [],
    unknown: [],
    pass: [],
  };
  let evaluated = 0;
  let stopped = false;
  for await (const batch of batches) {
    if (performance.now() > until || byVerdict.fail.length >= VERDICTS_MAX) {
      stopped = true;
      break;
    }
    const judged = await judge.judge(batch);
    evaluated += batch.length;
    for (const [index, asset] of batch.entries()) {
      const verdict = verdictIn(judged[index]?.[0]);
      const alike = byVerdict[verdict.verdict];
      if (alike.length < VERDICTS_MAX) alike.push({ asset: nameOf(asset), ...verdict });
    }
  }
  const all = [...byVerdict.fail, ...byVerdict.unknown, ...byVerdict.pass];
  const verdicts = all.slice(0, VERDICTS_MAX);
  return { verdicts, evaluated, complete: !stopped && verdicts.length === evaluated };
}

function nameOf({ text, type }: AssetText) {
  return { name: parseAsset(text).name, type };
}
