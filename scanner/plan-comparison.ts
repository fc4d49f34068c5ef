import { type Evaluation, Evaluator } from './evaluate.ts';
import { labelsOf } from './facts/labels.ts';
import type { FindingDraft } from './finding.ts';
import { type Asset, parseAsset } from './inventory/normalise.ts';
import type { JsonObject } from './json.ts';
import type { Profile } from './profile.ts';
import { isReferenceAssetType, referenceAssetOf } from './reference-asset.ts';
import type { AssetRule } from './rule.ts';
import { RULES } from './rules/catalogue.ts';
import { Snapshot } from './snapshot.ts';
import { AssetIdentity, projectIn, projectNumbersIn } from './terraform/asset-identity.ts';
import type { SkippedResource } from './terraform/assets.ts';
import { type PlannedAsset, planStatesOf } from './terraform/plan-states.ts';
import { isKnownAfterApply } from './terraform/unknown-value.ts';

/** What identifies an open finding within its project. */
export interface OpenFinding {
  readonly ruleId: string;
  readonly asset: { readonly name: string; readonly type: string };
  readonly subject: string;
}

/** The asset that a plan changes, and the Terraform resource that creates it, if the plan has that. */
export interface PlannedPlace {
  readonly asset: OpenFinding['asset'];
  /** `module.net.google_compute_firewall.ssh["a"]` */
  readonly address: string | null;
}

/** A finding that the project would have after apply and has not now. */
export interface AddedFinding extends PlannedPlace {
  readonly finding: FindingDraft;
  /** The labels of the asset after apply. Labels that are known only after apply are absent. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A rule whose verdict depends on a value that is known only after apply. */
export interface UndecidedRule extends PlannedPlace {
  readonly ruleId: string;
  readonly reason: string;
  /** The number of open findings of the rule on the asset; none of them counts as resolved. */
  readonly open: number;
}

/** The number of distinct projects of an inventory. Plans are matched by number only if there is one. */
const PROJECTS_MAX = 1_000;

export interface ComparisonRules {
  readonly profile: Profile;
  /** Rules in addition to the profile. */
  readonly own: readonly AssetRule[];
  readonly now: Date;
}

/** An evaluation with its subjects as a set, because a policy may have thousands. */
interface RuleResult {
  readonly evaluation: Evaluation;
  readonly subjects: ReadonlySet<string>;
}

/** The verdicts of one rule on one changed asset. */
interface ChangedRule {
  readonly before: RuleResult | null;
  readonly after: RuleResult | null;
  /** Why the verdict after apply is open; null if it is not. */
  readonly undecided: string | null;
  /** The plan could not name all violations after apply. */
  readonly mayHaveMore: boolean;
  open: number;
}

interface ChangedAsset {
  readonly planned: PlannedAsset;
  readonly rules: Map<string, ChangedRule>;
  /** Candidates for added findings, by rule and subject. */
  readonly added: Map<string, FindingDraft>;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Compares a Terraform plan with the open findings of a project. Rules evaluate the assets that the plan changes as they
 * are before and after apply; a difference between the two is due to the plan. Rules on whole projects are left out,
 * because they need the whole inventory.
 */
export class PlanComparison {
  readonly skipped: readonly SkippedResource[];
  readonly #identity: AssetIdentity;
  readonly #assets = new Map<string, ChangedAsset>();
  readonly #needsPolicy: ReadonlyMap<string, boolean>;

  constructor(document: JsonObject, rules: ComparisonRules) {
    const states = planStatesOf(document);
    this.skipped = states.skipped;
    this.#identity = new AssetIdentity(projectNumbersIn(document));
    this.#needsPolicy = new Map(
      [...RULES, ...rules.own].map(({ id, needs }) => [id, needs.includes('IAM_POLICY')]),
    );
    const before = evaluatorOf(states.before, rules);
    const after = evaluatorOf(states.after, rules);
    for (const planned of states.changed) {
      const sides = [evaluated(planned.before, before), evaluated(planned.after, after)] as const;
      this.#assets.set(this.#identity.keyOf(planned), changedAsset(planned, ...sides));
    }
  }

  /** The number of assets that the plan creates, changes or deletes. */
  get changedAssets(): number {
    return this.#assets.size;
  }

  /**
   * Takes the project's open findings; call it once, before `added` and `undecided`.
   * @returns those that the plan would resolve
   */
  async take<F extends OpenFinding>(open: AsyncIterable<F>): Promise<F[]> {
    const planned = [...this.#assets.values()].map((one) => one.planned);
    const keys = new Set(planned.map((asset) => AssetIdentity.keyInAnyProject(asset)));
    const projects = new Set<string>();
    const candidates: F[] = [];
    for await (const finding of open) {
      const project = projectIn(finding.asset.name);
      if (project !== null && projects.size < PROJECTS_MAX) projects.add(project);
      if (keys.has(AssetIdentity.keyInAnyProject(finding.asset))) candidates.push(finding);
    }
    const ofPlan = new Set(planned.flatMap(({ name }) => projectIn(name) ?? []));
    this.#identity.pairTheOnly(projects, ofPlan);
    return candidates.filter((finding) => this.#stateOf(finding) === 'resolved');
  }

  /** The findings that the plan would add. */
  get added(): readonly AddedFinding[] {
    return [...this.#assets.values()].flatMap(({ planned, added, labels }) =>
      [...added.values()].map((finding) => ({ ...placeOf(planned), finding, labels })),
    );
  }

  /** The rules that the plan leaves open, those with open findings first. */
  get undecided(): readonly UndecidedRule[] {
    return [...this.#assets.values()]
      .flatMap(({ planned, rules }) =>
        [...rules].flatMap(([ruleId, { undecided, open }]) =>
          undecided === null ? [] : [{ ...placeOf(planned), ruleId, reason: undecided, open }],
        ),
      )
      .toSorted((a, b) => b.open - a.open);
  }

  #stateOf({ ruleId, asset, subject }: OpenFinding): 'stays' | 'undecided' | 'resolved' {
    const changed = this.#assets.get(this.#identity.keyOf(asset));
    if (changed === undefined) return 'stays';
    changed.added.delete(findingKey(ruleId, subject));
    if (changed.planned.isDeleted) return 'resolved';
    const rule = changed.rules.get(ruleId);
    if (rule === undefined || rule.after?.subjects.has(subject)) return 'stays';
    if (rule.undecided !== null || rule.mayHaveMore) {
      rule.open += 1;
      return 'undecided';
    }
    // The resources of the plan are the cause now, and no longer after apply.
    if (rule.before?.subjects.has(subject)) return 'resolved';
    const verdict = rule.after?.evaluation.verdict;
    const isGood = verdict === 'pass' || verdict === 'na';
    // A grant outside of the plan can be the cause too, so a policy that the plan shows only in part proves nothing.
    if (!isGood || this.#needsPolicy.get(ruleId) !== false) return 'stays';
    const isCause = rule.before?.evaluation.verdict === 'fail' || changed.planned.isCreated;
    return isCause ? 'resolved' : 'stays';
  }
}

function evaluatorOf(records: readonly JsonObject[], { profile, own, now }: ComparisonRules) {
  const assets = records.map((record) => parseAsset(JSON.stringify(record)));
  const assetTypes = new Map<string, number>();
  for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
  const referenceAssets = assets
    .filter(({ type }) => isReferenceAssetType(type))
    .flatMap((asset) => referenceAssetOf(asset) ?? []);
  const rules = [
    ...profile.rules,
    ...own.map(({ id, version, parameters }) => ({ id, version, parameters })),
  ];
  const snapshot = new Snapshot({ assetTypes, referenceAssets });
  return new Evaluator({ rules }, { now, snapshot }, own);
}

interface Evaluated {
  readonly asset: Asset;
  readonly byRule: ReadonlyMap<string, RuleResult>;
}

function evaluated(record: JsonObject | null, evaluator: Evaluator): Evaluated | null {
  if (record === null) return null;
  const asset = parseAsset(JSON.stringify(record));
  const results = evaluator.evaluate(asset).map((evaluation) => {
    const subjects = new Set(evaluation.findings.map(({ subject }) => subject));
    return [evaluation.ruleId, { evaluation, subjects }] as const;
  });
  return { asset, byRule: new Map(results) };
}

function changedAsset(
  planned: PlannedAsset,
  before: Evaluated | null,
  after: Evaluated | null,
): ChangedAsset {
  const rules = new Map<string, ChangedRule>();
  const added = new Map<string, FindingDraft>();
  for (const ruleId of new Set([
    ...(before?.byRule.keys() ?? []),
    ...(after?.byRule.keys() ?? []),
  ])) {
    const now = before?.byRule.get(ruleId) ?? null;
    const then = after?.byRule.get(ruleId) ?? null;
    rules.set(ruleId, {
      before: now,
      after: then,
      undecided: undecidedReason(then?.evaluation, after?.asset),
      mayHaveMore: mayHaveMore(then?.evaluation, after?.asset),
      open: 0,
    });
    for (const finding of then?.evaluation.findings ?? []) {
      if (now?.subjects.has(finding.subject)) continue;
      added.set(findingKey(ruleId, finding.subject), finding);
    }
  }
  const labels = after === null ? {} : labelsOf(after.asset);
  return { planned, rules, added, labels };
}

function undecidedReason(
  evaluation: Evaluation | undefined,
  asset: Asset | undefined,
): string | null {
  if (evaluation?.verdict !== 'unknown') return null;
  const reason = evaluation.missing ?? '';
  return isKnownAfterApply(reason) ? reason : (asset?.possible?.reason ?? null);
}

function mayHaveMore(evaluation: Evaluation | undefined, asset: Asset | undefined): boolean {
  if (evaluation?.verdict !== 'fail') return false;
  return evaluation.truncated === true || (asset !== undefined && asset.possible !== null);
}

function placeOf({ name, type, address }: PlannedAsset): PlannedPlace {
  return { asset: { name, type }, address };
}

function findingKey(ruleId: string, subject: string): string {
  return JSON.stringify([ruleId, subject]);
}
