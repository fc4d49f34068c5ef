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
import type { CustomRuleStep } from '../rules/index.ts';
import { FINDINGS_MAX } from './evaluation-limits.ts';
import type { ScanSlot } from './leases.ts';
import type { FoundFinding } from './pack-findings.ts';
import { TooManyFindings } from './scan-fault.ts';
import { VerdictCounts } from './verdict-counts.ts';
import { VerdictPacker } from './verdict-packer.ts';

/** The results of the rules for some assets. */
export interface EvaluatedChunk {
  readonly assetNames: readonly string[];
  /** One per fingerprint, in the order of `byRuleAndFingerprint`. */
  readonly findings: readonly FoundFinding[];
  readonly verdictCounts: VerdictCounts;
  /** Rules that gave UNKNOWN or that reported only some of their findings, with the asset. */
  readonly undecided: readonly UndecidedRule[];
  readonly chunks: readonly ChunkResults[];
}

export type UndecidedRule = readonly [assetName: string, ruleId: string];

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

/** The owner of the assets, which is part of every fingerprint. */
type Owner = Pick<ScanSlot, 'tenantId' | 'projectId'>;

/** The evaluators of an asset. */
interface Evaluators {
  readonly evaluator: Evaluator;
  /** Null when the scan has no custom rules. */
  readonly custom: CustomRuleStep | null;
  readonly slot: Owner;
  /** Whether to list undecided rules. */
  readonly withUndecided: boolean;
}

/**
 * Evaluates assets in batches; the results of custom rules are awaited in between.
 * @throws {TooManyFindings} when there are more findings than one step may hold
 */
export async function evaluateAssets(
  { evaluator, custom, slot, withUndecided }: Evaluators,
  chunks: Iterable<Iterable<string>>,
): Promise<EvaluatedChunk> {
  const results = new ResultCollector(slot, { withUndecided });
  const yielder = new EventLoopYielder();
  const places = new Map<Asset, Place>();
  for (const texts of chunks) {
    const chunk = results.beginChunk(new VerdictPacker());
    evaluator.takeSameUntil();
    for (const text of texts) {
      if (yielder.isDue) await yielder.yieldNow();
      const asset = parseAsset(text);
      const place = results.begin(asset, chunk);
      results.add(asset, place, evaluator.evaluate(asset));
      // Only then, because an asset that is not kept is collected early.
      if (custom?.offer(asset, text) === true) places.set(asset, place);
    }
    // Custom rules are evaluated by another process, which does not tell how they use the time.
    chunk.sameUntil = custom === null ? evaluator.takeSameUntil() : Number.NEGATIVE_INFINITY;
  }
  for (const { asset, evaluations } of (await custom?.evaluations()) ?? []) {
    const place = places.get(asset);
    if (place !== undefined) results.add(asset, place, evaluations);
  }
  return results.collected();
}

/** Evaluates the cloud projects of an inventory with the rules for whole projects. */
export function evaluateProjects(evaluator: Evaluator, of: Owner): EvaluatedChunk {
  const results = new ResultCollector(of, { withUndecided: true });
  const chunk = results.beginChunk(new VerdictPacker({ withNames: true }));
  for (const { asset, evaluations } of evaluator.eachProject()) {
    results.add(asset, results.begin(asset, chunk), evaluations);
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

/** Where an asset is. */
interface Place {
  readonly chunk: OpenChunk;
  readonly index: number;
}

class ResultCollector {
  readonly #of: Owner;
  readonly #withUndecided: boolean;
  readonly #assetNames: string[] = [];
  /** By fingerprint. */
  readonly #findings = new Map<string, FoundFinding>();
  readonly #undecided: UndecidedRule[] = [];
  readonly #chunks: OpenChunk[] = [];

  constructor(of: Owner, { withUndecided }: { readonly withUndecided: boolean }) {
    this.#of = of;
    this.#withUndecided = withUndecided;
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

  /** Begins the next asset of a chunk. */
  begin({ name }: EvaluatedAsset, chunk: OpenChunk): Place {
    this.#assetNames.push(name);
    return { chunk, index: chunk.verdicts.begin(name) };
  }

  /** Adds evaluations of an asset, now or later. */
  add(asset: EvaluatedAsset, { chunk, index }: Place, evaluations: readonly Evaluation[]): void {
    chunk.verdicts.add(index, evaluations);
    let labels: string | null = null;
    for (const { ruleId, verdict, findings, truncated } of evaluations) {
      if (verdict === 'unknown' || truncated) {
        chunk.undecided = true;
        if (this.#withUndecided) this.#undecided.push([asset.name, ruleId]);
      }
      if (findings.length === 0) continue;
      labels ??= JSON.stringify(labelsOf({ data: asset.data ?? null }));
      for (const draft of findings) this.#find(asset, labels, draft, chunk);
    }
  }

  collected(): EvaluatedChunk {
    return {
      assetNames: this.#assetNames,
      findings: [...this.#findings.values()].sort(byRuleAndFingerprint),
      verdictCounts: countsOf(this.#chunks),
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
    if (this.#findings.size >= FINDINGS_MAX) throw new TooManyFindings(TOO_MANY);
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
}

const TOO_MANY =
  'The rules found more than 100,000 violations in one part of the inventory, which is the limit. Scan with a profile of fewer rules, or split the inventory into several projects.';

function countsOf(chunks: readonly ChunkResults[]): VerdictCounts {
  const counts = new VerdictCounts();
  for (const { verdicts } of chunks) {
    for (const outcome of verdicts.counts) counts.add(outcome, outcome.assets);
  }
  return counts;
}
