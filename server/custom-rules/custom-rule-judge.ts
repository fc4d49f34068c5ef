import type { CustomRuleDefinition, Evaluation } from '@cspm/scanner';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import { NONE } from './evaluator-marks.ts';
import type { AssetText, Compiled } from './evaluator-messages.ts';
import type { EvaluatorPool } from './evaluator-pool.ts';
import type { EvaluatorProcess, Stopped } from './evaluator-process.ts';

const IDLE_STOPS_MAX = 5;

/**
 * Judges assets by rules of a tenant in a process of its own, which is killed and replaced where a predicate takes more
 * time or memory than it may. That evaluation is then UNKNOWN; a rule of which this happens again and again is given up,
 * and UNKNOWN from there on. To be closed after use.
 */
export class CustomRuleJudge {
  /** What the rules look at. */
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
  #busy = false;
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

  /** What became of each definition when it was compiled. */
  async compiled(): Promise<readonly Compiled[]> {
    return (await this.#started()).compiled;
  }

  /** The evaluations of each asset in turn; empty for one of a type that no rule names. One call at a time. */
  async judge(assets: readonly AssetText[]): Promise<readonly (readonly Evaluation[])[]> {
    const stopped = new Map<string, string>();
    for (;;) {
      const { process, compiled } = await this.#started();
      if (process.isOver) {
        this.#evaluator = null;
        continue;
      }
      this.#busy = true;
      const answer = await process.ask({ kind: 'judge', assets, stopped, givenUp: this.#givenUp });
      this.#busy = false;
      if (answer.kind === 'judged') {
        this.#count(answer.spentMs);
        return answer.evaluations.map((evaluations, index) =>
          this.#completed(evaluations, assets[index], compiled, stopped.get(`${index} ${NONE}`)),
        );
      }
      this.#evaluator = null;
      if (answer.kind !== 'stopped') throw new Error(`An evaluator answered ${answer.kind}`);
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
    if (!started) return;
    // Whatever it was asked last may go on for long.
    await (this.#busy ? started.process.close() : this.#pool.release(started.process));
  }

  /** The evaluator at work; a new one where there is none. */
  #started(): Promise<Started> {
    if (this.#closed) return Promise.reject(new Error('The judge has been closed'));
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
      if (answer.kind !== 'stopped') throw new Error(`An evaluator began with ${answer.kind}`);
      if (answer.rule === NONE) throw new Error(`An evaluator ${answer.reason} to start`);
      // Only rules are compiled at the start, and each but once.
      this.#giveUp(answer.rule, `the predicate ${answer.reason} to compile`);
    }
  }

  /** An evaluator that had begun nothing was starved of time, which is nobody's fault; but not for ever. */
  #excuse(): void {
    this.#idleStops += 1;
    if (this.#idleStops > IDLE_STOPS_MAX) throw new Error('Evaluators do not answer');
  }

  #strike({ rule, reason }: Stopped): void {
    this.#spend(this.#limits.evaluationMs);
    if (rule === NONE) return;
    const strikes = (this.#strikes.get(rule) ?? 0) + 1;
    this.#strikes.set(rule, strikes);
    if (strikes < this.#limits.strikes) return;
    this.#giveUp(rule, `${reason} ${strikes} times and was given up`);
  }

  #count(spentMs: readonly number[]): void {
    const { ruleMs } = this.#limits;
    spentMs.forEach((ms, rule) => {
      const spent = (this.#spentMs[rule] ?? 0) + ms;
      this.#spentMs[rule] = spent;
      this.#spend(ms);
      if (spent < ruleMs) return;
      this.#giveUp(rule, `took longer than ${ruleMs / 1000} s in all and was given up`);
    });
  }

  #spend(ms: number): void {
    const { totalMs } = this.#limits;
    this.#totalMs += ms;
    if (this.#totalMs < totalMs) return;
    const reason = `custom rules took longer than ${totalMs / 1000} s in all and were given up`;
    for (const rule of this.#definitions.keys()) this.#giveUp(rule, reason);
  }

  #giveUp(rule: number, reason: string): void {
    if (!this.#givenUp.has(rule)) this.#givenUp.set(rule, reason);
  }

  /** With those that an evaluator cannot give: of rules that do not compile, and of an asset that is too much by itself. */
  #completed(
    evaluations: readonly Evaluation[],
    asset: AssetText | undefined,
    compiled: readonly Compiled[],
    stopped: string | undefined,
  ): readonly Evaluation[] {
    const undecided = this.#definitions.flatMap(({ id, assetTypes }, index): Evaluation[] => {
      // Told apart at commas.
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
