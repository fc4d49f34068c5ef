import { SCAN_EVALUATION } from './evaluation-limits.ts';
import { EvaluationProcess, type ScanEvaluationLimits } from './evaluation-process.ts';

/** How long an idle process waits for the next scan of its tenant. Starting one takes several 100 ms. */
const IDLE_MS = 15_000;

interface Idle {
  readonly process: EvaluationProcess;
  readonly tenantId: string;
  readonly timeout: NodeJS.Timeout;
}

/**
 * Provides evaluator processes, one for each running scan, so that scans do not wait for each other. Processes start on
 * demand, stay idle briefly for the same tenant, and are never given to another tenant.
 */
export class EvaluationPool {
  readonly #limits: ScanEvaluationLimits;
  readonly #inUse = new Set<EvaluationProcess>();
  /** At most one is kept, because it uses memory. */
  #idle: Idle | null = null;
  #closed = false;

  constructor(limits: ScanEvaluationLimits = SCAN_EVALUATION) {
    this.#limits = limits;
  }

  /** Takes a process. Release or end it after use. */
  take(tenantId: string): EvaluationProcess {
    const idle = this.#takeIdle();
    const process =
      idle !== null && idle.tenantId === tenantId && !idle.process.isOver
        ? idle.process
        : new EvaluationProcess(this.#limits);
    if (idle !== null && idle.process !== process) void idle.process.close();
    this.#inUse.add(process);
    return process;
  }

  /** Returns a process that has answered all its requests. */
  async release(tenantId: string, process: EvaluationProcess): Promise<void> {
    this.#inUse.delete(process);
    const former = this.#takeIdle();
    const isKept = !this.#closed && !process.isOver;
    // Kept before anything is awaited, so that another release meanwhile finds it.
    if (isKept) {
      const timeout = setTimeout(() => void this.#takeIdle()?.process.close(), IDLE_MS);
      this.#idle = { process, tenantId, timeout: timeout.unref() };
    }
    await former?.process.close();
    if (!isKept) await process.close();
  }

  /** Ends a process, even while it is working. */
  async end(process: EvaluationProcess): Promise<void> {
    this.#inUse.delete(process);
    await process.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#takeIdle()?.process.close();
    await Promise.all([...this.#inUse].map((process) => this.end(process)));
  }

  #takeIdle(): Idle | null {
    const idle = this.#idle;
    this.#idle = null;
    if (idle !== null) clearTimeout(idle.timeout);
    return idle;
  }
}
