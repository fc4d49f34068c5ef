import { type FindingDraft, findingsOf } from './finding.ts';
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
import { ruleById } from './rules/catalogue.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

/** What one rule says of one asset. */
export interface Evaluation {
  readonly ruleId: string;
  readonly verdict: Verdict;
  /** Not empty exactly when the verdict is `fail`. */
  readonly findings: readonly FindingDraft[];
  /** For `unknown`: the kind of content, or the asset types, that the inventory lacks; otherwise null. */
  readonly missing: string | null;
}

/** What the rules on whole projects say of one. */
export interface ProjectEvaluations {
  /** On which the findings sit. It need not be in the inventory. */
  readonly asset: { readonly name: string; readonly type: string };
  /** In the order of the ids of the rules. */
  readonly evaluations: readonly Evaluation[];
}

interface PreparedRule<R extends Rule = AssetRule> {
  readonly rule: R;
  readonly context: RuleContext;
  /** Most evaluations find nothing: these answers are made once and shared. */
  readonly pass: Evaluation;
  readonly na: Evaluation;
}

/** Judges the assets of one snapshot, one at a time and in any order, by the rules of one profile. */
export class Evaluator {
  readonly #snapshot: Snapshot;
  readonly #ofProjects: PreparedRule<ProjectRule>[] = [];
  readonly #byType = new Map<string, PreparedRule[]>();
  /** Those that look at a policy whatever it is on. */
  readonly #onEveryPolicy: PreparedRule[] = [];
  /** As `#byType`, with those. */
  readonly #byTypeWithPolicy = new Map<string, readonly PreparedRule[]>();

  /**
   * @param custom the rules of the profile that are not built in
   * @throws RangeError where the profile holds a rule that is neither among these nor in this release, or is in another
   *   version
   */
  constructor(
    profile: Pick<Profile, 'rules'>,
    context: SnapshotContext,
    custom: readonly AssetRule[] = [],
  ) {
    this.#snapshot = context.snapshot;
    const customById = new Map(custom.map((rule) => [rule.id, rule]));
    for (const { id, version, parameters } of profile.rules) {
      const rule = customById.get(id) ?? ruleById(id);
      if (rule?.version !== version) {
        throw new RangeError(`There is no rule ${id} in version ${version}.`);
      }
      if ('evaluateProject' in rule) {
        this.#ofProjects.push(prepare(rule, { ...context, parameters }));
        continue;
      }
      const prepared = prepare(rule, { ...context, parameters });
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
   * The evaluations of the rules that name the asset's type, and where it has a policy of those that look at every
   * policy, in the order of their ids; empty where there are none.
   */
  evaluate(asset: Asset): Evaluation[] {
    return this.#rulesFor(asset).map((prepared) => judge(prepared, outcomeOn(asset, prepared)));
  }

  #rulesFor({ type, iamPolicy }: Asset): readonly PreparedRule[] {
    const rules = this.#byType.get(type);
    if (iamPolicy === null) return rules ?? NO_RULES;
    return this.#byTypeWithPolicy.get(type) ?? rules ?? this.#onEveryPolicy;
  }

  /**
   * The evaluations of the rules on whole projects, for each project of the snapshot; once a scan, beside what
   * `evaluate` says of the assets. Empty where the profile has no such rules, or no asset tells of a project.
   */
  evaluateProjects(): ProjectEvaluations[] {
    if (this.#ofProjects.length === 0) return [];
    return this.#snapshot.derive(projectsOf).all.map((project) => ({
      asset: project.asset,
      evaluations: this.#ofProjects.map((prepared) =>
        judge(
          prepared,
          unlessUnknown(() => prepared.rule.evaluateProject(project, prepared.context)),
        ),
      ),
    }));
  }
}

const NO_RULES: readonly PreparedRule[] = [];

function byId(a: PreparedRule, b: PreparedRule): number {
  return a.rule.id < b.rule.id ? -1 : 1;
}

function outcomeOn(asset: Asset, { rule, context }: PreparedRule): Outcome {
  try {
    return rule.evaluate(asset, context);
  } catch (error) {
    return undecided(error);
  }
}

function unlessUnknown(evaluate: () => Outcome): Outcome {
  try {
    return evaluate();
  } catch (error) {
    return undecided(error);
  }
}

/** A rule has come upon a value of a planned resource that nobody knows yet. Anything else is a fault of the rule. */
function undecided(error: unknown): Outcome {
  if (error instanceof UnknownValue) return unknown(error.message);
  throw error;
}

function prepare<R extends Rule>(rule: R, context: RuleContext): PreparedRule<R> {
  const nothing = { ruleId: rule.id, findings: Object.freeze([]), missing: null };
  return {
    rule,
    context,
    pass: Object.freeze({ ...nothing, verdict: 'pass' }),
    na: Object.freeze({ ...nothing, verdict: 'na' }),
  };
}

function judge(prepared: PreparedRule<Rule>, outcome: Outcome): Evaluation {
  switch (outcome.verdict) {
    case 'pass':
      return prepared.pass;
    case 'na':
      return prepared.na;
    case 'unknown':
      return { ...prepared.pass, verdict: 'unknown', missing: outcome.missing };
    case 'fail':
      return {
        ...prepared.pass,
        verdict: 'fail',
        findings: findingsOf(prepared.rule, outcome.violations),
      };
  }
}
