import {
  type AssetRule,
  type CustomRuleDefinition,
  Evaluator,
  parseAsset,
  Snapshot,
} from '@cspm/scanner';
import { compileCustomRule, PredicateError } from '@cspm/scanner/custom';
import {
  NONE,
  PROGRESS_DESCRIPTOR,
  ProgressFile,
} from '../../platform/child-process/progress-file.ts';
import { watchOneself } from '../../platform/child-process/watchdog.ts';
import type {
  Compiled,
  EvaluateRequest,
  EvaluatorAnswer,
  EvaluatorRequest,
  StartRequest,
} from './evaluator-messages.ts';

/*
 * Evaluates custom predicates in a separate process, which may be killed when a predicate takes too long or uses too
 * much memory. It records each task before it starts, so that the parent knows which one was running.
 */

const marks = new ProgressFile(PROGRESS_DESCRIPTOR);
let count = 0;

let evaluator: Evaluator;
let spentMs: number[] = [];
/** From the current request. */
let stopped: EvaluateRequest['stopped'] = new Map();
let givenUp: EvaluateRequest['givenUp'] = new Map();
let assetIndex = NONE;

watchOneself({
  evaluationMs: Number(process.argv[2]),
  residentMb: Number(process.argv[3]),
});
process.on('disconnect', () => process.exit());

process.on('message', (request: EvaluatorRequest) => {
  const answer = request.kind === 'start' ? start(request) : evaluate(request);
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

/** Wraps a rule: records that it is running, and skips evaluations that killed an evaluator before. */
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

function evaluate(request: EvaluateRequest): EvaluatorAnswer {
  ({ stopped, givenUp } = request);
  spentMs.fill(0);
  const evaluations = request.assets.map(({ text }, index) => {
    assetIndex = index;
    if (stopped.has(`${index} ${NONE}`)) return [];
    note(NONE);
    return evaluator.evaluate(parseAsset(text));
  });
  return { kind: 'evaluated', evaluations, spentMs };
}

function note(rule: number): void {
  count += 1;
  marks.write(count, rule, assetIndex);
}
