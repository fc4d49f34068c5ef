import {
  type Asset,
  type Evaluation,
  type Evaluator,
  type FindingDraft,
  fingerprint,
  labelsOf,
  parseAsset,
} from '@cspm/scanner';
import { Breather } from '../breather.ts';
import type { CustomRuleJudge } from '../custom-rules/custom-rule-judge.ts';
import { CustomRuleStep } from '../custom-rules/custom-rule-step.ts';
import type { SeenFinding } from '../findings/record.ts';
import { newId } from '../ids.ts';
import type { ScanSlot } from './slots.ts';
import { Tally } from './tally.ts';

/** What the rules say of some assets. */
export interface Judged {
  readonly assetNames: readonly string[];
  /** One for each fingerprint, in the order of fingerprints: so that no two workers wait for each other over them. */
  readonly findings: readonly SeenFinding[];
  readonly tally: Tally;
  isUndecided(assetName: string, ruleId: string): boolean;
}

/** Who says something of an asset. */
interface Judges {
  readonly evaluator: Evaluator;
  /** Null: the tenant has no rules of its own in this scan. */
  readonly customRules: CustomRuleJudge | null;
  readonly slot: ScanSlot;
}

/** Judges in short stretches, between which the server, which may be the same process, answers its requests. */
export async function judgeAssets(
  { evaluator, customRules, slot }: Judges,
  texts: Iterable<string>,
): Promise<Judged> {
  const judgement = new Judgement(slot);
  const breather = new Breather();
  const custom = customRules === null ? null : new CustomRuleStep(customRules);
  for (const text of texts) {
    if (breather.isDue) await breather.breathe();
    const asset = parseAsset(text);
    judgement.add(asset, evaluator.evaluate(asset));
    custom?.offer(asset, text);
  }
  for (const { asset, evaluations } of (await custom?.evaluations()) ?? []) {
    judgement.note(asset, evaluations);
  }
  return judgement.judged();
}

/** Judges the cloud projects in an inventory by the rules that look at the whole of one. */
export function judgeProjects(evaluator: Evaluator, of: ScanSlot): Judged {
  const judgement = new Judgement(of);
  for (const { asset, evaluations } of evaluator.evaluateProjects()) {
    judgement.add(asset, evaluations);
  }
  return judgement.judged();
}

interface JudgedAsset {
  readonly name: string;
  readonly type: string;
  /** What its labels are read from; a project judged as a whole has none. */
  readonly data?: Asset['data'];
}

class Judgement {
  readonly #of: ScanSlot;
  readonly #assetNames: string[] = [];
  readonly #findings = new Map<string, SeenFinding>();
  readonly #undecided = new Map<string, Set<string>>();
  readonly #tally = new Tally();

  constructor(of: ScanSlot) {
    this.#of = of;
  }

  add(asset: JudgedAsset, evaluations: readonly Evaluation[]): void {
    this.#assetNames.push(asset.name);
    this.note(asset, evaluations);
  }

  /** Of an asset that was added already, some more. */
  note(asset: JudgedAsset, evaluations: readonly Evaluation[]): void {
    for (const evaluation of evaluations) {
      this.#tally.add(evaluation);
      if (evaluation.verdict === 'unknown') this.#noteUndecided(asset.name, evaluation.ruleId);
      for (const draft of evaluation.findings) this.#find(asset, draft);
    }
  }

  judged(): Judged {
    const undecided = this.#undecided;
    return {
      assetNames: this.#assetNames,
      findings: [...this.#findings.values()].toSorted((a, b) =>
        a.fingerprint < b.fingerprint ? -1 : 1,
      ),
      tally: this.#tally,
      isUndecided: (assetName, ruleId) => undecided.get(assetName)?.has(ruleId) ?? false,
    };
  }

  /** Two drafts of one fingerprint are one finding; a statement cannot write a row twice. */
  #find(asset: JudgedAsset, draft: FindingDraft): void {
    const { tenantId, projectId } = this.#of;
    const key = fingerprint({
      tenantId,
      projectId,
      ruleId: draft.ruleId,
      assetName: asset.name,
      subject: draft.subject,
    });
    this.#findings.set(key, {
      id: newId(),
      fingerprint: key,
      rule_id: draft.ruleId,
      severity: draft.severity,
      title: draft.title,
      asset_name: asset.name,
      asset_type: asset.type,
      subject: draft.subject,
      message: draft.message,
      evidence: JSON.stringify(draft.evidence),
      asset_labels: JSON.stringify(labelsOf({ data: asset.data ?? null })),
    });
  }

  #noteUndecided(assetName: string, ruleId: string): void {
    const rules = this.#undecided.get(assetName);
    if (rules === undefined) this.#undecided.set(assetName, new Set([ruleId]));
    else rules.add(ruleId);
  }
}
