import {
  type Asset,
  binaryFingerprint,
  type Evaluation,
  type Evaluator,
  type FindingDraft,
  labelsOf,
  parseAsset,
} from '@cspm/scanner';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import type { CustomRuleEvaluator } from '../rules/index.ts';
import { CustomRuleStep } from '../rules/index.ts';
import { FINDINGS_MAX } from './evaluation-limits.ts';
import type { ScanSlot } from './leases.ts';
import type { FoundFinding } from './pack-findings.ts';
import { VerdictCounts } from './verdict-counts.ts';
import { VerdictPacker } from './verdict-packer.ts';

/** The results of the rules for some assets. */
export interface EvaluatedChunk {
  readonly assetNames: readonly string[];
  /** One per fingerprint, in the order of `byRuleAndFingerprint`. */
  readonly findings: readonly FoundFinding[];
  readonly verdictCounts: VerdictCounts;
  /** By asset name: rules that gave UNKNOWN or that reported only some of their findings. */
  readonly undecided: ReadonlyMap<string, ReadonlySet<string>>;
  readonly chunks: readonly ChunkResults[];
}

/** The results of one chunk, or of all projects. */
export interface ChunkResults {
  readonly verdicts: VerdictPacker;
  /** The fingerprints of its findings, as strings of bytes. */
  readonly fingerprints: readonly string[];
  /** Whether a rule gave UNKNOWN or reported only some of its findings. */
  readonly undecided: boolean;
  /** See `RuleTime`. */
  readonly sameUntil: number;
}

/** The rules found more than one step may hold in memory. */
export class TooManyFindings extends Error {}

/** The owner of the assets, which is part of every fingerprint. */
type Owner = Pick<ScanSlot, 'tenantId' | 'projectId'>;

/** The evaluators of an asset. */
interface Evaluators {
  readonly evaluator: Evaluator;
  /** Null when the scan has no custom rules. */
  readonly customRules: CustomRuleEvaluator | null;
  readonly slot: Owner;
}

/**
 * Evaluates assets in batches; the results of custom rules are awaited in between.
 * @throws {TooManyFindings} when there are more findings than one step may hold
 */
export async function evaluateAssets(
  { evaluator, customRules, slot }: Evaluators,
  chunks: Iterable<Iterable<string>>,
): Promise<EvaluatedChunk> {
  const results = new ResultCollector(slot);
  const yielder = new EventLoopYielder();
  const custom = customRules === null ? null : new CustomRuleStep(customRules);
  const noted = new Map<Asset, (evaluations: readonly Evaluation[]) => void>();
  for (const texts of chunks) {
    const chunk = results.beginChunk(new VerdictPacker());
    evaluator.takeSameUntil();
    for (const text of texts) {
      if (yielder.isDue) await yielder.yieldNow();
      const asset = parseAsset(text);
      const note = results.add(asset, evaluator.evaluate(asset));
      // Only then, because an asset that is not kept is collected early.
      if (custom?.offer(asset, text) === true) noted.set(asset, note);
    }
    // Custom rules are evaluated by another process, which does not tell how they use the time.
    chunk.sameUntil = customRules === null ? evaluator.takeSameUntil() : Number.NEGATIVE_INFINITY;
  }
  for (const { asset, evaluations } of (await custom?.evaluations()) ?? []) {
    noted.get(asset)?.(evaluations);
  }
  return results.collected();
}

/** Evaluates the cloud projects of an inventory with the rules for whole projects. */
export function evaluateProjects(evaluator: Evaluator, of: Owner): EvaluatedChunk {
  const results = new ResultCollector(of);
  results.beginChunk(new VerdictPacker({ withNames: true }));
  for (const { asset, evaluations } of evaluator.eachProject()) {
    results.add(asset, evaluations);
  }
  return results.collected();
}

interface EvaluatedAsset {
  readonly name: string;
  readonly type: string;
  /** Resource data with the labels; absent for a whole project. */
  readonly data?: Asset['data'];
}

/**
 * Orders findings by rule and fingerprint; their ids will ascend in that order. All workers write in the same order, so
 * that two of them cannot deadlock. Rows with ascending ids of one rule stay together in most indexes, which makes
 * inserting them a third cheaper than in the order of fingerprints.
 */
function byRuleAndFingerprint(a: FoundFinding, b: FoundFinding): number {
  if (a.rule_id !== b.rule_id) return a.rule_id < b.rule_id ? -1 : 1;
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

/** While it is collected. */
interface OpenChunk extends ChunkResults {
  readonly fingerprints: string[];
  undecided: boolean;
  sameUntil: number;
}

class ResultCollector {
  readonly #of: Owner;
  readonly #assetNames: string[] = [];
  /** By fingerprint. */
  readonly #findings = new Map<string, FoundFinding>();
  readonly #undecided = new Map<string, Set<string>>();
  readonly #verdictCounts = new VerdictCounts();
  readonly #chunks: OpenChunk[] = [];

  constructor(of: Owner) {
    this.#of = of;
  }

  beginChunk(verdicts: VerdictPacker): OpenChunk {
    const chunk = {
      verdicts,
      fingerprints: [],
      undecided: false,
      sameUntil: Number.NEGATIVE_INFINITY,
    };
    this.#chunks.push(chunk);
    return chunk;
  }

  /** @returns a function that adds further results of the asset. */
  add(
    asset: EvaluatedAsset,
    evaluations: readonly Evaluation[],
  ): (further: readonly Evaluation[]) => void {
    this.#assetNames.push(asset.name);
    const chunk = this.#chunks.at(-1);
    if (chunk === undefined) throw new Error('No chunk was begun');
    const pack = chunk.verdicts.begin(asset.name);
    const add = (results: readonly Evaluation[]) => {
      pack(results);
      this.#note(asset, results, chunk);
    };
    add(evaluations);
    return add;
  }

  #note(asset: EvaluatedAsset, evaluations: readonly Evaluation[], chunk: OpenChunk): void {
    let labels: string | null = null;
    for (const evaluation of evaluations) {
      this.#verdictCounts.add(evaluation);
      if (evaluation.verdict === 'unknown' || evaluation.truncated) {
        chunk.undecided = true;
        this.#noteUndecided(asset.name, evaluation.ruleId);
      }
      if (evaluation.findings.length === 0) continue;
      labels ??= JSON.stringify(labelsOf({ data: asset.data ?? null }));
      for (const draft of evaluation.findings) this.#find(asset, labels, draft, chunk);
    }
  }

  collected(): EvaluatedChunk {
    return {
      assetNames: this.#assetNames,
      findings: [...this.#findings.values()].sort(byRuleAndFingerprint),
      verdictCounts: this.#verdictCounts,
      undecided: this.#undecided,
      chunks: this.#chunks,
    };
  }

  /** Two drafts with one fingerprint are one finding; an upsert cannot write a row twice. */
  #find(asset: EvaluatedAsset, labels: string, draft: FindingDraft, chunk: OpenChunk): void {
    const { tenantId, projectId } = this.#of;
    const key = binaryFingerprint({
      tenantId,
      projectId,
      ruleId: draft.ruleId,
      assetName: asset.name,
      subject: draft.subject,
    });
    if (this.#findings.size >= FINDINGS_MAX) throw new TooManyFindings();
    chunk.fingerprints.push(key);
    this.#findings.set(key, {
      fingerprint: key,
      rule_id: draft.ruleId,
      severity: draft.severity,
      title: draft.title,
      asset_name: asset.name,
      asset_type: asset.type,
      subject: draft.subject,
      message: draft.message,
      evidence: JSON.stringify(draft.evidence),
      asset_labels: labels,
    });
  }

  #noteUndecided(assetName: string, ruleId: string): void {
    const rules = this.#undecided.get(assetName);
    if (rules === undefined) this.#undecided.set(assetName, new Set([ruleId]));
    else rules.add(ruleId);
  }
}
