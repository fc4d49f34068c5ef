import { type Evaluation, Evaluator } from '../evaluate.ts';
import { parseAsset } from '../inventory/normalise.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import type { SnapshotContext } from '../rule.ts';
import { ruleById } from '../rules/catalogue.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';
import { PatchError } from './json-patch.ts';
import { FIX_LIMITS, type Fix, NoFix, Repair } from './repair.ts';

/** A fix, or the reason why there is none, as a clause. */
export type FixResult =
  | { readonly fix: Fix; readonly reason: null }
  | { readonly fix: null; readonly reason: string };

export interface FixRequest {
  readonly ruleId: string;
  /** The asset as stored: one record in JSON. */
  readonly text: string;
  /** The parameters of the rule in the profile that found it. Default: those of the rule. */
  readonly parameters?: JsonObject;
}

/** The reason for custom rules, and for rules that no longer exist. */
export const NOT_BUILT_IN = 'only built-in rules have fixes';

/** Like `FixProver.fixOf`, for a single fix. */
export function verifiedFix(request: FixRequest, context: SnapshotContext): FixResult {
  return resultOf(verifiedFixInSteps(request, context));
}

/** Like `FixProver.fixInSteps`, for a single fix. */
export function* verifiedFixInSteps(
  { ruleId, text, parameters }: FixRequest,
  context: SnapshotContext,
): Generator<void, FixResult, void> {
  const rule = ruleById(ruleId);
  if (rule?.fix === undefined) return none(rule?.noFix ?? NOT_BUILT_IN);
  const adjusted = parameters === undefined ? {} : { [ruleId]: parameters };
  return yield* new FixProver(context, adjusted).fixInSteps(ruleId, text);
}

type Evaluations = ReadonlyMap<string, Evaluation>;

/**
 * Builds the fixes of rules for assets that fail them, and proves each: with the patch applied the rule passes, and no
 * other built-in rule turns from `pass` to `fail`.
 */
export class FixProver {
  readonly #evaluator: Evaluator;
  readonly #parameters: ReadonlyMap<string, JsonObject>;
  /** The last asset, because several of its rules are asked for in turn. */
  #before: { readonly text: string; readonly evaluations: Evaluations } | null = null;

  /**
   * @param context a snapshot without reference assets is enough; rules that need them are then `unknown`
   * @param adjusted the parameters of rules, by id, that differ from their defaults
   */
  constructor(context: SnapshotContext, adjusted: Readonly<Record<string, JsonObject>> = {}) {
    const rules = (resolveProfile('full')?.rules ?? []).map((rule) => ({
      ...rule,
      parameters: Object.hasOwn(adjusted, rule.id)
        ? (adjusted[rule.id] ?? rule.parameters)
        : rule.parameters,
    }));
    this.#evaluator = new Evaluator({ rules }, context);
    this.#parameters = new Map(rules.map(({ id, parameters }) => [id, parameters]));
  }

  /** @param text the asset as stored: one record in JSON */
  fixOf(ruleId: string, text: string): FixResult {
    return resultOf(this.fixInSteps(ruleId, text));
  }

  /** Like `fixOf`. Yields between steps that take milliseconds for a large asset, so that the caller can pause. */
  *fixInSteps(ruleId: string, text: string): Generator<void, FixResult, void> {
    const rule = ruleById(ruleId);
    if (rule?.fix === undefined) return none(rule?.noFix ?? NOT_BUILT_IN);
    if (text.length > FIX_LIMITS.assetCharacters) return none('the asset is too large');
    const record: JsonValue = JSON.parse(text);
    if (!isObject(record)) return none('the asset is malformed');
    const before = yield* this.#evaluationsBefore(text);
    const own = before.get(ruleId)?.verdict;
    if (own === 'pass' || own === 'na') return none('the stored asset passes the rule');
    yield;
    const parameters = this.#parameters.get(ruleId) ?? rule.parameters;
    try {
      const repair = new Repair(record, parseAsset(text), parameters);
      rule.fix(repair);
      yield;
      const after = yield* this.#evaluate(JSON.stringify(repair.record));
      const reason = objectionTo(ruleId, before, after);
      return reason === null ? { fix: repair.finished(), reason } : none(reason);
    } catch (error) {
      if (error instanceof NoFix) return none(error.message);
      if (error instanceof PatchError) return none('the asset has members that no patch can name');
      if (error instanceof UnknownValue) return none('it depends on a value known after apply');
      throw error;
    }
  }

  *#evaluationsBefore(text: string): Generator<void, Evaluations, void> {
    if (this.#before?.text === text) return this.#before.evaluations;
    const evaluations = yield* this.#evaluate(text);
    this.#before = { text, evaluations };
    return evaluations;
  }

  /** For a large asset, each rule is a step: several rules may read the same long list. */
  *#evaluate(text: string): Generator<void, Evaluations, void> {
    const evaluations = new Map<string, Evaluation>();
    for (const one of this.#evaluator.eachEvaluation(parseAsset(text))) {
      evaluations.set(one.ruleId, one);
      if (text.length > FIX_LIMITS.stepCharacters) yield;
    }
    return evaluations;
  }
}

/** Why the patched asset proves nothing; null if it proves the fix. */
function objectionTo(ruleId: string, before: Evaluations, after: Evaluations): string | null {
  const proof = after.get(ruleId);
  if (proof?.verdict === 'unknown') {
    return `needs the content ${proof.missing} of the asset in the inventory`;
  }
  if (proof?.verdict !== 'pass') return 'the asset needs more than one change';
  const broken = [...after].find(
    ([id, { verdict }]) => verdict === 'fail' && before.get(id)?.verdict === 'pass',
  );
  return broken === undefined ? null : `the change would violate the rule ${broken[0]}`;
}

function resultOf(steps: Generator<void, FixResult, void>): FixResult {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function none(reason: string): FixResult {
  return { fix: null, reason };
}
