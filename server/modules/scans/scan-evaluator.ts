import { ProcessUnavailable } from '../../platform/child-process/process-unavailable.ts';
import { NONE } from '../../platform/child-process/progress-file.ts';
import type { Stopped } from '../../platform/child-process/watched-process.ts';
import type { PackedFindings } from '../findings/index.ts';
import type { ChunkRecord } from './chunk-record.ts';
import { CHECK_EVERY_MS, CRASHES_MAX, STOP_WITHIN_MS } from './evaluation-limits.ts';
import type {
  EvaluationAnswer,
  EvaluationPart,
  EvaluationRequest,
  OpenRequest,
} from './evaluation-messages.ts';
import type { EvaluationPool } from './evaluation-pool.ts';
import type { EvaluationProcess } from './evaluation-process.ts';
import { Ended, LeaseLost } from './leases.ts';
import { ScanFault, TooManyFindings } from './scan-fault.ts';
import { VerdictCounts } from './verdict-counts.ts';

/** The results of the rules for some assets. */
export interface Evaluated {
  readonly assets: number;
  /** The names of whole projects; empty for the assets of chunks. */
  readonly assetNames: readonly string[];
  /** Assets with rules that gave no result; empty unless they were requested. */
  readonly undecidedAssets: readonly string[];
  /** One finding per fingerprint, ordered by rule and fingerprint, so that two workers cannot deadlock. */
  readonly findings: readonly PackedFindings[];
  readonly verdictCounts: VerdictCounts;
  /** Of each chunk. */
  readonly chunks: readonly ChunkRecord[];
  isUndecided(assetName: string, ruleId: string): boolean;
}

/** The worker was asked to stop and the evaluation would take too long. Its chunks remain to be done. */
export class EvaluationInterrupted extends Error {}

export interface ScanEvaluatorOptions {
  readonly pool: EvaluationPool;
  /** Whether the worker was asked to stop. */
  readonly isStopping: () => boolean;
  /**
   * Called while an evaluation runs, which ends when it throws {LeaseLost} or {Ended}. Other errors are ignored, because
   * the next call may succeed.
   */
  readonly check: () => Promise<void>;
  readonly open: OpenRequest;
  /** The reference assets of the inventory, compressed, in batches. Read once for each process. */
  readonly references: () => AsyncIterable<readonly Uint8Array[]>;
}

/**
 * Evaluates the scan of one project in a separate process. A process that dies is replaced and asked once more, because
 * another cause may have ended it. Close after use.
 */
export class ScanEvaluator {
  readonly #options: ScanEvaluatorOptions;
  #process: EvaluationProcess | null = null;
  #closed = false;

  constructor(options: ScanEvaluatorOptions) {
    this.#options = options;
  }

  /**
   * Evaluates chunks of the inventory.
   * @param data compressed, as stored in the inventory.
   * @throws {ScanFault} when the limits do not suffice, {TooManyFindings} for more findings than one step may have,
   * {EvaluationInterrupted}, {ProcessUnavailable}, {Ended} or {LeaseLost} from `check`, {Error} when a chunk cannot be read.
   */
  evaluate(
    fromSeq: number,
    data: readonly Uint8Array[],
    withUndecided: boolean,
  ): Promise<Evaluated> {
    return this.#evaluated({ kind: 'chunks', fromSeq, data, withUndecided });
  }

  /** Evaluates the cloud projects of the inventory with the rules for whole projects. Throws like `evaluate`. */
  evaluateProjects(): Promise<Evaluated> {
    return this.#evaluated({ kind: 'projects' });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const process = this.#process;
    this.#process = null;
    if (process === null) return;
    const { pool, open } = this.#options;
    await pool.release(open.tenantId, process);
  }

  async #evaluated(request: EvaluationRequest): Promise<Evaluated> {
    for (let crashes = 1; ; crashes += 1) {
      const said = await this.#attempt(request);
      if (!(said instanceof Crash)) return said;
      if (crashes < CRASHES_MAX) continue;
      throw new ScanFault(`${said.message} Attempts: ${CRASHES_MAX}.`);
    }
  }

  async #attempt(request: EvaluationRequest): Promise<Evaluated | Crash> {
    const process = await this.#opened();
    if (process instanceof Crash) return process;
    const findings: PackedFindings[] = [];
    const assetNames: string[] = [];
    const chunks: ChunkRecord[] = [];
    const undecided = new Map<string, Set<string>>();
    const answer = await this.#ask(process, request, (part) => {
      if (part.findings !== undefined) findings.push(part.findings);
      for (const one of part.assetNames ?? []) assetNames.push(one);
      if (part.chunk !== undefined) chunks.push(part.chunk);
      for (const [asset, rule] of part.undecided ?? []) {
        const rules = undecided.get(asset);
        if (rules === undefined) undecided.set(asset, new Set([rule]));
        else rules.add(rule);
      }
    });
    if (answer instanceof Crash) return answer;
    if (answer.kind === 'refused') throw new TooManyFindings(answer.reason);
    if (answer.kind === 'unavailable') throw new ProcessUnavailable(new Error(answer.reason));
    if (answer.kind === 'failed') throw new Error(`An evaluation failed: ${answer.message}`);
    if (answer.kind !== 'evaluated')
      throw new Error(`Unexpected answer of an evaluator: ${answer.kind}`);
    return {
      assets: answer.assets,
      assetNames,
      findings,
      verdictCounts: new VerdictCounts(answer.verdictCounts),
      chunks,
      undecidedAssets: [...undecided.keys()],
      isUndecided: (assetName, ruleId) => undecided.get(assetName)?.has(ruleId) ?? false,
    };
  }

  /** The running process, started if there is none. */
  async #opened(): Promise<EvaluationProcess | Crash> {
    if (this.#process !== null && !this.#process.isOver) return this.#process;
    if (this.#closed) throw new Error('The evaluator of a scan was closed');
    const { open, references } = this.#options;
    const process = this.#options.pool.take(open.tenantId);
    this.#process = process;
    const opened = await this.#ask(process, open);
    if (opened instanceof Crash) return opened;
    for await (const data of references()) {
      const taken = await this.#ask(process, { kind: 'references', data });
      if (taken instanceof Crash) return taken;
    }
    return process;
  }

  async #ask(
    process: EvaluationProcess,
    request: EvaluationRequest,
    onPart?: (part: EvaluationPart) => void,
  ): Promise<EvaluationAnswer | Crash> {
    const { pool, isStopping, check } = this.#options;
    let stopsAt: number | null = null;
    let end: Ended | LeaseLost | null = null;
    let isChecking = false;
    const checks = setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      check()
        .catch((error: unknown) => {
          if (error instanceof Ended || error instanceof LeaseLost) end = error;
        })
        .finally(() => {
          isChecking = false;
        });
    }, CHECK_EVERY_MS);
    const isUnwanted = () => {
      if (end !== null) return true;
      if (!isStopping()) return false;
      stopsAt ??= performance.now() + STOP_WITHIN_MS;
      return performance.now() >= stopsAt;
    };
    try {
      const answer = await process.ask(request, {
        isUnwanted,
        ...(onPart === undefined ? {} : { onPart }),
      });
      if (answer.kind === 'interrupted') throw end ?? new EvaluationInterrupted();
      return answer.kind === 'stopped' ? new Crash(crashOf(answer, this.#options.open)) : answer;
    } finally {
      clearInterval(checks);
      if (process.isOver) {
        if (this.#process === process) this.#process = null;
        await pool.end(process);
      }
    }
  }
}

/** The process died during a request. */
class Crash extends Error {}

/** Names the task that was running, from the marks of `evaluation-child.ts`. */
function crashOf({ rule, asset, reason }: Stopped, { rules }: OpenRequest): string {
  const id = rule === NONE ? undefined : rules[rule]?.id;
  const what = id === undefined ? 'The evaluation' : `The rule ${id}`;
  const where =
    asset >= 0 ? `on part ${asset + 1} of the inventory` : 'on the inventory as a whole';
  return `${what} ${reason} ${where}. Check for assets there that are much larger, or much more numerous, than usual.`;
}
