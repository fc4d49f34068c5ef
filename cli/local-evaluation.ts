import {
  type AssetRule,
  type Evaluation,
  Evaluator,
  type ExportedFinding,
  type Fix,
  FixProver,
  type Intake,
  isReferenceAssetType,
  type Profile,
  parseAsset,
  RULES,
  type Rule,
  type Snapshot,
} from '@cspm/scanner';
import type { FindingStore } from './finding-store.ts';
import { interruptibleLoop } from './interruptible-loop.ts';
import type { RuleCounts, UnusedType } from './local-report.ts';
import { openFinding } from './open-finding.ts';
import type { ProgressBar } from './progress.ts';
import { failsOn } from './severity.ts';

/** The number of asset types without a rule that are counted by name. Further types are counted together. */
const TYPES_MAX = 1_000;
const OTHER_TYPES = '(other types)';
const WITH_RULES: ReadonlySet<string> = new Set(RULES.flatMap(({ assetTypes }) => assetTypes));

interface EvaluationInput {
  /** The name of the inventory, which findings have as their project. */
  readonly label: string;
  readonly threshold: string;
  readonly profile: Profile;
  /** The user's own rules, evaluated in addition to the profile. */
  readonly own: readonly AssetRule[];
  readonly snapshot: Snapshot;
  /** Whether findings carry their fix. */
  readonly withFixes: boolean;
  /** Receives one finding for each asset and rule with a fix. */
  readonly fixes: FindingStore | null;
  readonly interrupted: AbortSignal;
}

interface EvaluatedAsset {
  readonly name: string;
  readonly type: string;
  /** The record of the asset in JSON; absent for a whole project. */
  readonly text?: string;
}

/** Evaluates the assets of a file and counts the verdicts. */
export class LocalEvaluation {
  readonly totals = { pass: 0, fail: 0, unknown: 0, na: 0 };
  /** The part of the totals that is not about whole projects. */
  readonly #onAssets = { pass: 0, fail: 0, unknown: 0, na: 0 };
  assets = 0;
  /** The number of findings at or above the threshold. */
  failing = 0;
  readonly #of: EvaluationInput;
  readonly #evaluator: Evaluator;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #counts: ReadonlyMap<string, RuleCounts>;
  readonly #unused = new Map<string, UnusedType>();
  readonly #now = new Date();
  readonly #prover: FixProver | null = null;

  constructor(input: EvaluationInput) {
    this.#of = input;
    const { profile, own, snapshot } = input;
    const rules = [
      ...profile.rules,
      ...own.map(({ id, version, parameters }) => ({ id, version, parameters })),
    ];
    this.#rules = new Map([...RULES, ...own].map((rule) => [rule.id, rule]));
    this.#counts = new Map(
      rules.map(({ id }) => [id, { ruleId: id, pass: 0, fail: 0, unknown: 0, na: 0 }]),
    );
    if (input.withFixes || input.fixes !== null) {
      this.#prover = new FixProver({ now: this.#now, snapshot });
    }
    this.#evaluator = new Evaluator({ rules }, { now: this.#now, snapshot }, own);
  }

  /** Evaluates all assets and puts the findings into the store. */
  async run(intake: Intake, store: FindingStore, bar: ProgressBar): Promise<void> {
    const total = intake.summary().assets;
    const { interrupted } = this.#of;
    for await (const { text } of interruptibleLoop(intake.assets(), interrupted)) {
      const asset = parseAsset(text);
      this.assets += 1;
      bar.draw(this.assets / total, 'evaluating');
      const evaluations = this.#evaluator.evaluate(asset);
      if (evaluations.length === 0) this.#noteUnused(asset.type);
      await this.#take({ ...asset, text }, evaluations, store);
    }
    const projects = interruptibleLoop(this.#evaluator.evaluateProjects(), interrupted);
    for await (const { asset, evaluations } of projects) {
      await this.#take(asset, evaluations, store);
    }
  }

  /** One entry per rule, sorted by id. */
  get counts(): readonly RuleCounts[] {
    return [...this.#counts.values()].toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
  }

  /** Assets that no rule evaluated and that no rule reads while it evaluates another asset. */
  get notEvaluated(): readonly UnusedType[] {
    return [...this.#unused.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  }

  /**
   * Whether no rule passed or failed where one could have. If assets have no content, rules on whole projects can still fail,
   * because the names show what is missing; their verdicts only count if no rule evaluates an asset.
   */
  get isUndecided(): boolean {
    const { pass, fail, unknown } = this.#onAssets.unknown > 0 ? this.#onAssets : this.totals;
    return unknown > 0 && pass + fail === 0;
  }

  ruleOf(id: string): Rule | undefined {
    return this.#rules.get(id);
  }

  #noteUnused(type: string): void {
    // Rules read reference assets while they evaluate other assets.
    if (isReferenceAssetType(type) && !WITH_RULES.has(type)) return;
    const name = this.#unused.has(type) || this.#unused.size < TYPES_MAX ? type : OTHER_TYPES;
    const known = this.#unused.get(name);
    const reason = WITH_RULES.has(type) ? 'not_in_profile' : 'no_rule';
    if (known === undefined) this.#unused.set(name, { type: name, count: 1, reason });
    else known.count += 1;
  }

  async #take(
    asset: EvaluatedAsset,
    evaluations: readonly Evaluation[],
    store: FindingStore,
  ): Promise<void> {
    for (const evaluation of evaluations) {
      const { ruleId, verdict } = evaluation;
      this.totals[verdict] += 1;
      if (asset.text !== undefined) this.#onAssets[verdict] += 1;
      const counts = this.#counts.get(ruleId);
      if (counts !== undefined) counts[verdict] += 1;
      const fix = verdict === 'fail' ? this.#fixOf(asset, ruleId) : null;
      const findings = this.#findingsOf(asset, evaluation);
      for (const finding of findings) {
        if (failsOn(finding.severity, this.#of.threshold)) this.failing += 1;
        await store.add(fix === null || !this.#of.withFixes ? finding : { ...finding, fix });
      }
      const [first] = findings;
      if (fix !== null && first !== undefined) await this.#of.fixes?.add({ ...first, fix });
    }
  }

  #fixOf({ text }: EvaluatedAsset, ruleId: string): Fix | null {
    return text === undefined ? null : (this.#prover?.fixOf(ruleId, text).fix ?? null);
  }

  #findingsOf(
    { name, type }: EvaluatedAsset,
    { ruleId, findings }: Evaluation,
  ): readonly ExportedFinding[] {
    const rule = this.#rules.get(ruleId);
    const origin = { project: this.#of.label, asset: { name, type }, rule, now: this.#now };
    return findings.map((finding) => openFinding(finding, origin));
  }
}
