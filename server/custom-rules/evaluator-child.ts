import {
  type AssetRule,
  type CustomRuleDefinition,
  Evaluator,
  parseAsset,
  Snapshot,
} from '@cspm/scanner';
import { compileCustomRule, PredicateError } from '@cspm/scanner/custom';
import { EvaluatorMarks, MARKS_DESCRIPTOR, NONE } from './evaluator-marks.ts';
import type {
  Compiled,
  EvaluatorAnswer,
  EvaluatorRequest,
  JudgeRequest,
  StartRequest,
} from './evaluator-messages.ts';
import { watchOneself } from './evaluator-watch.ts';

/*
 * Evaluates predicates that tenants have written, in a process of its own: it may be killed at any moment because one
 * takes too long, and dies of one that takes too much memory. Before each piece of work it notes which one it is.
 */

const marks = new EvaluatorMarks(MARKS_DESCRIPTOR);
let count = 0;

let evaluator: Evaluator;
let spentMs: number[] = [];
/** Of the request at hand. */
let stopped: JudgeRequest['stopped'] = new Map();
let givenUp: JudgeRequest['givenUp'] = new Map();
let assetIndex = NONE;

watchOneself(Number(process.argv[2]));
process.on('disconnect', () => process.exit());

process.on('message', (request: EvaluatorRequest) => {
  const answer = request.kind === 'start' ? start(request) : judge(request);
  assetIndex = NONE;
  note(NONE);
  process.send?.(answer);
});

function start(request: StartRequest): EvaluatorAnswer {
  ({ givenUp } = request);
  const { definitions, now } = request;
  spentMs = definitions.map(() => 0);
  const rules: AssetRule[] = [];
  const compiled = definitions.map((definition, index) => compile(definition, index, rules));
  evaluator = new Evaluator(
    { rules: rules.map(({ id, version }) => ({ id, version, parameters: {} })) },
    { now, snapshot: new Snapshot({ assetTypes: new Map() }) },
    rules,
  );
  return { kind: 'started', compiled };
}

function compile(definition: CustomRuleDefinition, index: number, rules: AssetRule[]): Compiled {
  const reason = givenUp.get(index);
  if (reason !== undefined) return { fault: reason, needs: [] };
  note(index);
  try {
    const rule = compileCustomRule(definition);
    rules.push(watched(rule, index));
    return { fault: null, needs: rule.needs };
  } catch (error) {
    if (error instanceof PredicateError) return { fault: error.message, needs: [] };
    throw error;
  }
}

/** The same rule, which notes that it is at work, and leaves out what has been too much for an evaluator before. */
function watched(rule: AssetRule, index: number): AssetRule {
  return {
    ...rule,
    evaluate(asset, context) {
      const missing = givenUp.get(index) ?? stopped.get(`${assetIndex} ${index}`);
      if (missing !== undefined) return { verdict: 'unknown', missing };
      note(index);
      const begun = performance.now();
      const outcome = rule.evaluate(asset, context);
      spentMs[index] = (spentMs[index] ?? 0) + performance.now() - begun;
      return outcome;
    },
  };
}

function judge(request: JudgeRequest): EvaluatorAnswer {
  ({ stopped, givenUp } = request);
  spentMs.fill(0);
  const evaluations = request.assets.map(({ text }, index) => {
    assetIndex = index;
    if (stopped.has(`${index} ${NONE}`)) return [];
    note(NONE);
    return evaluator.evaluate(parseAsset(text));
  });
  return { kind: 'judged', evaluations, spentMs };
}

function note(rule: number): void {
  count += 1;
  marks.write(count, rule, assetIndex);
}
