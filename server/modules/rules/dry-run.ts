import { type CheckedRule, verdictIn } from './custom-rule-checks.ts';
import type { AssetBatch } from './dry-run-assets.ts';

const VERDICTS_MAX = 1_000;
const TRIAL_MS = 10_000;

/** The verdict of a rule on one asset of a project. */
interface TrialVerdict extends ReturnType<typeof verdictIn> {
  readonly asset: { readonly name: string; readonly type: string };
}

export interface Trial {
  /** Violations first, then undecided assets; at most 1,000. */
  readonly verdicts: readonly TrialVerdict[];
  readonly evaluated: number;
  /** Whether the verdicts cover all assets. */
  readonly complete: boolean;
}

/**
 * Evaluates a rule on assets until all are done, the time is up, another tenant needs the place, or the response is full of
 * violations.
 */
export async function tryOn(
  { evaluator, isStopped }: Pick<CheckedRule, 'evaluator' | 'isStopped'>,
  batches: AsyncIterable<AssetBatch>,
): Promise<Trial> {
  const until = performance.now() + TRIAL_MS;
  const byVerdict: Record<TrialVerdict['verdict'], TrialVerdict[]> = {
    fail: [],
    unknown: [],
    pass: [],
  };
  let evaluated = 0;
  let complete = true;
  for await (const batch of batches) {
    if (performance.now() > until || byVerdict.fail.length >= VERDICTS_MAX) {
      complete = false;
      break;
    }
    if (!batch.complete) complete = false;
    if (batch.assets.length === 0) continue;
    const evaluations = await evaluator.evaluate(batch.assets).catch((error: unknown) => {
      if (isStopped()) return null;
      throw error;
    });
    if (evaluations === null) {
      complete = false;
      break;
    }
    evaluated += batch.assets.length;
    for (const [index, { name, type }] of batch.assets.entries()) {
      const verdict = verdictIn(evaluations[index]?.[0]);
      const alike = byVerdict[verdict.verdict];
      if (alike.length < VERDICTS_MAX) alike.push({ asset: { name, type }, ...verdict });
    }
  }
  const all = [...byVerdict.fail, ...byVerdict.unknown, ...byVerdict.pass];
  const verdicts = all.slice(0, VERDICTS_MAX);
  return { verdicts, evaluated, complete: complete && verdicts.length === evaluated };
}
