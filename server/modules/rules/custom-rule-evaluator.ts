import type { CustomRuleDefinition, Evaluation } from '@cspm/scanner';
import { NONE } from '../../platform/child-process/progress-file.ts';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import type { AssetText, Compiled } from './evaluator-messages.ts';
import type { EvaluatorPool } from './evaluator-pool.ts';
import type { EvaluatorProcess, Stopped } from './evaluator-process.ts';

const IDLE_STOPS_MAX = 5;

/**
 * Evaluates assets by a tenant's rules in a separate process, which is killed and replaced when a predicate exceeds its
 * time or memory. That evaluation is UNKNOWN. A rule that does so repeatedly is given up and is UNKNOWN from then on.
 * Close after use.
 */
export class CustomRuleEvaluator {
  /** Asset types that the rules refer to. */
  readonly assetTypes: ReadonlySet<string>;
  readonly #definitions: readonly CustomRuleDefinition[];
  readonly #now: Date;
  readonly #limits: EvaluationLimits;
  readonly #pool: EvaluatorPool;
  readonly #givenUp = new Map<number, string>();
  readonly #strikes = new Map<number, number>();
  readonly #spentMs: number[];
  #totalMs = 0;
  #idleStops = 0;
  #evaluator: Promise<Started> | null = null;
  #closed = false;

  constructor(
    definitions: readonly CustomRuleDefinition[],
    now: Date,
    pool: EvaluatorPool,
    limits: EvaluationLimits = EVALUATION_LIMITS,
  ) {
    this.assetTypes = new Set(definitions.flatMap(({ assetTypes }) => assetTypes));
    this.#definitions = definitions;
    this.#now = now;
    this.#pool = pool;
    this.#limits = limits;
    this.#spentMs = definitions.map(() => 0);
  }

  /** The compile result of each definition. */
  async compiled(): Promise<readonly Compiled[]> {
    return (await this.#started()).compiled;
  }

  /**
   * The evaluations of each asset, in order; empty for assets whose type no rule refers to. Do not call it
   * concurrently.
   */
  async evaluate(assets: readonly AssetText[]): Promise<readonly (readonly Evaluation[])[]> {
    const stopped = new Map<string, string>();
    for (;;) {
      const { process, compiled } = await this.#started();
      if (process.isOver) {
        await this.#pool.release(process);
        this.#evaluator = null;
        continue;
      }
      const answer = await process.ask({
        kind: 'evaluate',
        assets,
        stopped,
        givenUp: this.#givenUp,
      });
      if (answer.kind === 'evaluated') {
        this.#count(answer.spentMs);
        return answer.evaluations.map((evaluations, index) =>
          this.#completed(evaluations, assets[index], compiled, stopped.get(`${index} ${NONE}`)),
        );
      }
      this.#evaluator = null;
      await this.#pool.release(process);
      if (answer.kind !== 'stopped')
        throw new Error(`Unexpected answer of an evaluator: ${answer.kind}`);
      if (answer.asset === NONE) this.#excuse();
      else {
        stopped.set(`${answer.asset} ${answer.rule}`, answer.reason);
        this.#strike(answer);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const started = await this.#evaluator?.catch(() => null);
    if (started) await this.#pool.release(started.process);
  }

  /** The running evaluator, started if there is none. */
  #started(): Promise<Started> {
    if (this.#closed) return Promise.reject(new Error('The custom rule evaluator is closed'));
    this.#evaluator ??= this.#start();
    return this.#evaluator;
  }

  async #start(): Promise<Started> {
    for (;;) {
      const process = this.#pool.take();
      const answer = await process.ask({
        kind: 'start',
        definitions: this.#definitions,
        now: this.#now,
        givenUp: this.#givenUp,
      });
      if (answer.kind === 'started') return { process, compiled: answer.compiled };
      await this.#pool.release(process);
      if (answer.kind !== 'stopped')
        throw new Error(`Unexpected first answer of an evaluator: ${answer.kind}`);
      if (answer.rule === NONE) throw new Error(`An evaluator ${answer.reason} to start`);
      // At the start only compilation runs, and each rule is compiled once.
      this.#giveUp(answer.rule, `the predicate ${answer.reason} to compile`);
    }
  }

  /**
   * Counts an evaluator that died before any evaluation, because it got too little CPU time. A limited number is
   * tolerated.
   */
  #excuse(): void {
    this.#idleStops += 1;
    if (this.#idleStops > IDLE_STOPS_MAX) throw new Error('The evaluators do not respond');
  }

  #strike({ rule, reason }: Stopped): void {
    this.#spend(this.#limits.evaluationMs);
    if (rule === NONE) return;
    const strikes = (this.#strikes.get(rule) ?? 0) + 1;
    this.#strikes.set(rule, strikes);
    if (strikes < this.#limits.strikes) return;
    this.#giveUp(rule, `${reason} ${strikes} times and was abandoned`);
  }

  #count(spentMs: readonly number[]): void {
    const { ruleMs } = this.#limits;
    spentMs.forEach((ms, rule) => {
      const spent = (this.#spentMs[rule] ?? 0) + ms;
      this.#spentMs[rule] = spent;
      this.#spend(ms);
      if (spent < ruleMs) return;
      this.#giveUp(rule, `took longer than ${ruleMs / 1000} s in total and was abandoned`);
    });
  }

  #spend(ms: number): void {
    const { totalMs } = this.#limits;
    this.#totalMs += ms;
    if (this.#totalMs < totalMs) return;
    const reason = `custom rules took longer than ${totalMs / 1000} s in total and were abandoned`;
    for (const rule of this.#definitions.keys()) this.#giveUp(rule, reason);
  }

  #giveUp(rule: number, reason: string): void {
    if (!this.#givenUp.has(rule)) this.#givenUp.set(rule, reason);
  }

  /** Adds the results that an evaluator cannot give: of rules that do not compile and of assets that are too large. */
  #completed(
    evaluations: readonly Evaluation[],
    asset: AssetText | undefined,
    compiled: readonly Compiled[],
    stopped: string | undefined,
  ): readonly Evaluation[] {
    const undecided = this.#definitions.flatMap(({ id, assetTypes }, index): Evaluation[] => {
      // The list is separated by commas, so remove those inside a reason.
      const missing = compiled[index]?.fault?.replaceAll(', ', ' ') ?? stopped;
      if (missing === undefined || asset === undefined || !assetTypes.includes(asset.type))
        return [];
      return [{ ruleId: id, verdict: 'unknown', findings: [], missing }];
    });
    return undecided.length === 0 ? evaluations : [...evaluations, ...undecided];
  }
}

interface Started {
  readonly process: EvaluatorProcess;
  readonly compiled: readonly Compiled[];
}
