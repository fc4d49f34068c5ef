import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EvaluationLimits } from './evaluation-limits.ts';
import { EvaluatorMarks, type Mark } from './evaluator-marks.ts';
import type { EvaluatorAnswer, EvaluatorRequest } from './evaluator-messages.ts';

/** Why an evaluator had to be ended, or ended, and what it was at. */
export interface Stopped extends Pick<Mark, 'rule' | 'asset'> {
  readonly kind: 'stopped';
  readonly reason: string;
}

type ProcessLimits = Pick<EvaluationLimits, 'evaluationMs' | 'memoryMb'>;

/** Node itself, and the loading of the evaluator; on a machine that is busy this takes its time. */
const START_MS = 30_000;
/** A child watches its time itself. Should it ever fail to, it is killed when so many times that has passed. */
const PATIENCE = 30;
const LOOK_EVERY_MS = 500;
/** Of what an evaluator says before it ends by a fault of its own. */
const LAST_WORDS = 2_000;

/**
 * A child process that evaluates predicates, watched: what it is asked is answered, or it is killed and that is the
 * answer. A worker thread would not do: one that runs out of memory can take the whole process down with it.
 */
export class EvaluatorProcess {
  readonly #child: ChildProcess;
  readonly #marks = new EvaluatorMarks();
  readonly #limits: ProcessLimits;
  readonly #ended: Promise<void>;
  #settle: ((answer: EvaluatorAnswer | Stopped | Error) => void) | null = null;
  #lastWords = '';
  #closed = false;

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
    this.#child = fork(ENTRY, [`${limits.evaluationMs}`], {
      // Nothing of this process, its secrets least of all.
      env: {},
      execArgv: [`--max-old-space-size=${limits.memoryMb}`, ...LOADER],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', this.#marks.descriptor],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS);
    });
    this.#child.on('message', (answer: EvaluatorAnswer) => this.#settle?.(answer));
    this.#child.on('error', (error) => this.#settle?.(error));
    this.#ended = new Promise((ended) => {
      this.#child.once('exit', (code, signal) => {
        const lastWords = `An evaluator ended with ${code}: ${this.#lastWords}`;
        this.#settle?.(signal === null ? new Error(lastWords) : this.#stopped(false));
        ended();
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it has ended, be it by itself. */
  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async ask(request: EvaluatorRequest): Promise<EvaluatorAnswer | Stopped> {
    let watchdog: NodeJS.Timeout | undefined;
    const settled = new Promise<EvaluatorAnswer | Stopped | Error>((settle) => {
      this.#settle = settle;
      watchdog = this.#watch(settle);
      // Where it cannot be sent, the child is about to end, which is noticed.
      this.#child.send(request, () => undefined);
    });
    const answer = await settled;
    clearInterval(watchdog);
    this.#settle = null;
    if (answer instanceof Error || answer.kind === 'stopped') await this.close();
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
    this.#marks.close();
  }

  #watch(settle: (answer: Stopped | Error) => void): NodeJS.Timeout {
    let seen = this.#marks.read().count;
    let since = performance.now();
    return setInterval(() => {
      const { count } = this.#marks.read();
      if (count !== seen) {
        seen = count;
        since = performance.now();
      }
      const waited = performance.now() - since;
      if (count === 0 && waited > START_MS) {
        settle(new Error(`An evaluator did not start within ${START_MS / 1000} s`));
      }
      if (count > 0 && waited > PATIENCE * this.#limits.evaluationMs) settle(this.#stopped(true));
    }, LOOK_EVERY_MS);
  }

  /** V8 aborts where there is no memory left, and so may the system. */
  #stopped(isLate: boolean): Stopped {
    const { evaluationMs, memoryMb } = this.#limits;
    const { rule, asset, ...mark } = this.#marks.read();
    const reason =
      isLate || mark.isLate
        ? `took longer than ${evaluationMs / 1000} s`
        : `took more than ${memoryMb} MB of memory`;
    return { kind: 'stopped', rule, asset, reason };
  }
}

/** The bundle has the child beside it; where the server runs from its sources, TypeScript has to be read for it too. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = fileURLToPath(
  new URL(`./evaluator-child.${FROM_SOURCE ? 'ts' : 'mjs'}`, import.meta.url),
);
const LOADER = FROM_SOURCE ? ['--import', 'tsx'] : [];
