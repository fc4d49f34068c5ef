import { type FindingDraft, findingsOf } from './finding.ts';
import type { Asset } from './inventory/normalise.ts';
import type { Profile } from './profile.ts';
import type { Outcome, Rule, RuleContext, SnapshotContext, Verdict } from './rule.ts';
import { ruleById } from './rules/catalogue.ts';

/** What one rule says of one asset. */
export interface Evaluation {
  readonly ruleId: string;
  readonly verdict: Verdict;
  /** Not empty exactly when the verdict is `fail`. */
  readonly findings: readonly FindingDraft[];
  /** For `unknown`: the kind of content, or the asset types, that the inventory lacks; otherwise null. */
  readonly missing: string | null;
}

interface PreparedRule {
  readonly rule: Rule;
  readonly context: RuleContext;
  /** Most evaluations find nothing: these answers are made once and shared. */
  readonly pass: Evaluation;
  readonly na: Evaluation;
}

/** Judges the assets of one snapshot, one at a time and in any order, by the rules of one profile. */
export class Evaluator {
  readonly #byType = new Map<string, PreparedRule[]>();

  /** @throws RangeError where the profile holds a rule that this release does not have, or has in another version */
  constructor(profile: Profile, context: SnapshotContext) {
    for (const { id, version, parameters } of profile.rules) {
      const rule = ruleById(id);
      if (rule?.version !== version) {
        throw new RangeError(`There is no rule ${id} in version ${version}.`);
      }
      const prepared = prepare(rule, { ...context, parameters });
      for (const type of rule.assetTypes) {
        const rules = this.#byType.get(type);
        if (rules === undefined) this.#byType.set(type, [prepared]);
        else rules.push(prepared);
      }
    }
  }

  /** The evaluations of the rules that name the asset's type, in the order of their ids; empty where none does. */
  evaluate(asset: Asset): Evaluation[] {
    const rules = this.#byType.get(asset.type);
    return rules === undefined ? [] : rules.map((prepared) => judge(prepared, asset));
  }
}

function prepare(rule: Rule, context: RuleContext): PreparedRule {
  const nothing = { ruleId: rule.id, findings: Object.freeze([]), missing: null };
  return {
    rule,
    context,
    pass: Object.freeze({ ...nothing, verdict: 'pass' }),
    na: Object.freeze({ ...nothing, verdict: 'na' }),
  };
}

function judge(prepared: PreparedRule, asset: Asset): Evaluation {
  const outcome: Outcome = prepared.rule.evaluate(asset, prepared.context);
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
