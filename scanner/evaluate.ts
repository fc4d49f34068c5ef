import { FINDINGS_MAX, type FindingDraft, findingsOf } from './finding.ts';
import type { Asset } from './inventory/normalise.ts';
import { unknown } from './outcome.ts';
import type { Profile } from './profile.ts';
import { projectsOf } from './project.ts';
import type {
  AssetRule,
  Outcome,
  ProjectRule,
  Rule,
  RuleContext,
  SnapshotContext,
  Verdict,
} from './rule.ts';
import { RuleTime } from './rule-time.ts';
import { ruleById } from './rules/catalogue.ts';
import { iamAuditConfig } from './rules/iam-audit-config.ts';
import { sanitizeText } from './sanitize-text.ts';
import type { Snapshot } from './snapshot.ts';
import { isKnownAfterApply, UnknownValue } from './terraform/unknown-value.ts';

/** The result of one rule on one asset. */
export interface Evaluation {
  readonly ruleId: string;
  readonly verdict: Verdict;
  /** Not empty exactly when the verdict is `fail`. */
  readonly findings: readonly FindingDraft[];
  /** For `unknown`: the missing kind of content or asset types, in at most 1,000 characters; otherwise null. */
  readonly missing: string | null;
  /** There are, or may be, more violations than findings; nothing is known about the others. */
  readonly truncated?: true;
}

/** The results of the rules on whole projects for one project. */
export interface ProjectEvaluations {
  /** The asset that carries the findings. It need not be in the inventory. */
  readonly asset: { readonly name: string; readonly type: string };
  /** Sorted by rule id. */
  readonly evaluations: readonly Evaluation[];
}

interface PreparedRule<R extends Rule = AssetRule> {
  readonly rule: R;
  /** In the profile. */
  readonly index: number;
  readonly context: RuleContext;
  /** Most evaluations find nothing, so these results are shared. */
  readonly pass: Evaluation;
  readonly na: Evaluation;
}

/** Evaluates the assets of one snapshot, one at a time and in any order, by the rules of one profile. */
export class Evaluator {
  readonly #snapshot: Snapshot;
  readonly #time: RuleTime;
  readonly #custom: ReadonlyMap<string, AssetRule>;
  readonly #ofProjects: PreparedRule<ProjectRule>[] = [];
  readonly #byType = new Map<string, PreparedRule[]>();
  /** The rules that check policies on assets of any type. */
  readonly #onEveryPolicy: PreparedRule[] = [];
  /** Like `#byType`, including those rules. */
  readonly #byTypeWithPolicy = new Map<string, readonly PreparedRule[]>();

  /**
   * @param custom the rules of the profile that are not built in
   * @throws RangeError if the profile contains a rule that is unknown or has another version
   */
  constructor(
    profile: Pick<Profile, 'rules'>,
    context: SnapshotContext,
    custom: readonly AssetRule[] = [],
  ) {
    const { now, ...others } = context;
    this.#snapshot = context.snapshot;
    this.#time = new RuleTime(now);
    const shared = { ...others, time: this.#time };
    const customById = new Map(custom.map((rule) => [rule.id, rule]));
    this.#custom = customById;
    for (const [index, { id, version, parameters }] of profile.rules.entries()) {
      const rule = customById.get(id) ?? ruleById(id);
      if (rule?.version !== version) {
        throw new RangeError(`Unknown rule ${id} in version ${version}.`);
      }
      if ('evaluateProject' in rule) {
        this.#ofProjects.push(prepare(rule, index, { ...shared, parameters }));
        continue;
      }
      const prepared = prepare(rule, index, { ...shared, parameters });
      for (const type of rule.assetTypes) {
        const rules = this.#byType.get(type);
        if (rules === undefined) this.#byType.set(type, [prepared]);
        else rules.push(prepared);
      }
      if (rule.looksAtEveryPolicy === true) this.#onEveryPolicy.push(prepared);
    }
    if (this.#onEveryPolicy.length === 0) return;
    for (const [type, rules] of this.#byType) {
      const all = new Set([...rules, ...this.#onEveryPolicy]);
      this.#byTypeWithPolicy.set(type, [...all].toSorted(byId));
    }
  }

  /**
   * Evaluates the rules for the asset's type and, if the asset has a policy, those for any policy. Sorted by rule id;
   * empty if there are none.
   */
  evaluate(asset: Asset): Evaluation[] {
    return this.#rulesFor(asset).map(this.#evaluationOn(asset));
  }

  /** Like `evaluate`, but lazily, so that the caller can pause between the rules. */
  *eachEvaluation(asset: Asset): Generator<Evaluation, void, undefined> {
    const evaluate = this.#evaluationOn(asset);
    for (const prepared of this.#rulesFor(asset)) yield evaluate(prepared);
  }

  #evaluationOn(asset: Asset): (prepared: PreparedRule) => Evaluation {
    const { possible } = asset;
    if (possible === null) {
      return (prepared) => evaluationOf(prepared, outcomeOn(asset, prepared));
    }
    const most = {
      ...asset,
      data: possible.data ?? asset.data,
      iamPolicy: possible.iamPolicy ?? asset.iamPolicy,
    };
    return (prepared) => {
      const { rule } = prepared;
      // A violation in a part of a policy is also one in a larger policy, except for rules that check for something
      // missing.
      const failsStay =
        possible.data === null && !this.#custom.has(rule.id) && rule.id !== iamAuditConfig.id;
      const outcomes = [outcomeOn(asset, prepared), outcomeOn(most, prepared)] as const;
      return evaluationOf(prepared, eitherOf(...outcomes, failsStay, possible.reason));
    };
  }

  /** Until when the evaluations since the previous call stay the same; see `RuleTime`. */
  takeSameUntil(): number {
    return this.#time.takeSameUntil();
  }

  #rulesFor({ type, iamPolicy }: Asset): readonly PreparedRule[] {
    const rules = this.#byType.get(type);
    if (iamPolicy === null) return rules ?? NO_RULES;
    return this.#byTypeWithPolicy.get(type) ?? rules ?? this.#onEveryPolicy;
  }

  /**
   * Evaluates the rules on whole projects, for each project of the snapshot; call it once per scan, in addition to
   * `evaluate`. Empty if the profile has no such rules, or no asset identifies a project.
   */
  evaluateProjects(): ProjectEvaluations[] {
    return [...this.eachProject()];
  }

  /** Like `evaluateProjects`, but lazily, for inventories with many projects. */
  *eachProject(): Generator<ProjectEvaluations, void, undefined> {
    if (this.#ofProjects.length === 0) return;
    for (const project of this.#snapshot.derive(projectsOf).all) {
      const evaluations = this.#ofProjects.map((prepared) =>
        evaluationOf(
          prepared,
          unlessUnknown(() => {
            prepared.context.beforeRule?.(prepared.index);
            return prepared.rule.evaluateProject(project, prepared.context);
          }),
        ),
      );
      yield { asset: project.asset, evaluations };
    }
  }
}

const NO_RULES: readonly PreparedRule[] = [];

const MISSING_MAX = 1_000;

function byId(a: PreparedRule, b: PreparedRule): number {
  return a.rule.id < b.rule.id ? -1 : 1;
}

function outcomeOn(asset: Asset, { rule, index, context }: PreparedRule): Outcome {
  context.beforeRule?.(index);
  try {
    return rule.evaluate(asset, context);
  } catch (error) {
    return undecided(error);
  }
}

/** The verdict that holds in both possible states of a planned asset. */
function eitherOf(least: Outcome, most: Outcome, failsStay: boolean, reason: string): Outcome {
  if (least.verdict === most.verdict) return least;
  if (least.verdict === 'fail' && most.verdict === 'unknown' && failsStay) return least;
  if (least.verdict === 'unknown') return least;
  const isSpecific = most.verdict === 'unknown' && isKnownAfterApply(most.missing);
  return isSpecific ? most : unknown(reason);
}

function unlessUnknown(evaluate: () => Outcome): Outcome {
  try {
    return evaluate();
  } catch (error) {
    return undecided(error);
  }
}

/**
 * A rule has read a value of a planned resource that is known only after apply. Any other error is a defect of the
 * rule.
 */
function undecided(error: unknown): Outcome {
  if (error instanceof UnknownValue) return unknown(error.message);
  throw error;
}

function prepare<R extends Rule>(rule: R, index: number, context: RuleContext): PreparedRule<R> {
  const nothing = { ruleId: rule.id, findings: Object.freeze([]), missing: null };
  return {
    rule,
    index,
    context,
    pass: Object.freeze({ ...nothing, verdict: 'pass' }),
    na: Object.freeze({ ...nothing, verdict: 'na' }),
  };
}

function evaluationOf(prepared: PreparedRule<Rule>, outcome: Outcome): Evaluation {
  switch (outcome.verdict) {
    case 'pass':
      return prepared.pass;
    case 'na':
      return prepared.na;
    case 'unknown':
      return {
        ...prepared.pass,
        verdict: 'unknown',
        // It can name parts of the inventory.
        missing: sanitizeText(outcome.missing, MISSING_MAX),
      };
    case 'fail': {
      const findings = findingsOf(prepared.rule, outcome.violations);
      const isFull = findings.length === FINDINGS_MAX && outcome.violations.length > FINDINGS_MAX;
      return {
        ...prepared.pass,
        verdict: 'fail',
        findings,
        ...(isFull || outcome.mayHaveMore === true ? { truncated: true } : {}),
      };
    }
  }
}
