import { pipeline } from 'node:stream/promises';
import { REQUEST_LIMITS } from '@cspm/contract';
import { bytesOfSeed, type HashSeed, InventoryError, ScratchError } from '@cspm/scanner';
import { ProcessUnavailable } from '../../platform/child-process/process-unavailable.ts';
import {
  type Interrupted,
  type ProcessLimits,
  residentLimitMb,
  type Stopped,
  WatchedProcess,
} from '../../platform/child-process/watched-process.ts';
import { slowestFirst, type TransferPace } from '../../platform/transfer-pace.ts';
import type { Chunk } from './chunks.ts';
import type { PackedInventory, Packing } from './pack-inventory.ts';
import type { OpenPackingRequest, PackingAnswer, PackingRequest } from './packing-messages.ts';
import { TooManyReferences } from './reference-budget.ts';

/** Limits of a process that packs an inventory; see docs/decisions/0081-pack-large-inventories-in-a-process-of-their-own.md. */
export const PACKING_LIMITS: ProcessLimits & { readonly processes: number } = {
  /** CPU time in milliseconds between two pieces or chunks. It normally takes milliseconds. */
  evaluationMs: 30_000,
  memoryMb: 256,
  /** V8 would start with a small heap and collect all garbage often: a tenth more time, and 40 MB less memory. */
  initialHeapMb: 64,
  /** Requests come first where all cores are busy. See decision 0079. */
  niceness: 10,
  /** Processes at the same time. Further inventories are packed by the process that receives them. */
  processes: 4,
};

/** The server cannot pack the inventory now; the inventory is not the cause. */
export class PackingFailed extends Error {
  override readonly name = 'PackingFailed';
}

/** Whether an error means that the server cannot pack an inventory now, but may be able to later. */
export function isLackOfCapacity(error: unknown): boolean {
  return [PackingFailed, ProcessUnavailable, ScratchError].some((kind) => error instanceof kind);
}

/** How an inventory is read. */
export type ReadAs = Pick<OpenPackingRequest, 'format' | 'maxBytes' | 'maxRecordBytes'>;

/** Who sends an inventory, and how fast. */
export interface Sender {
  readonly tenantId: string;
  readonly pace: TransferPace;
}

/** An inventory with a process. */
interface Running {
  readonly child: PackingProcess;
  /** Null: no client. */
  readonly sender: Sender | null;
  readonly closed: Promise<void>;
  /** Whether it was refused and its process has not ended yet. */
  isLeaving: boolean;
}

/** Starts processes that pack large inventories, up to a number. Slow clients cannot keep all of them from other tenants. */
export class PackingProcesses {
  readonly #limits: typeof PACKING_LIMITS;
  readonly #running = new Set<Running>();

  constructor(limits = PACKING_LIMITS) {
    this.#limits = limits;
  }

  /** The running processes. */
  get pids(): readonly number[] {
    return [...this.#running].flatMap(({ child: { pid } }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * Packs an inventory in a process of its own. If as many as allowed are running, the upload of the slowest client of another
   * tenant is refused.
   * @param body its bytes
   * @param seed determines the order of the assets
   * @returns null when as many as allowed are running, and none of them for a slow client
   * @throws {ProcessUnavailable} when no process can be started
   */
  async pack(
    body: AsyncIterable<Uint8Array>,
    as: ReadAs,
    seed: HashSeed,
    sender: Sender | null,
  ): Promise<Packing | null> {
    if (this.#isFull && sender !== null) await this.#refuseSlowest(sender.tenantId);
    if (this.#isFull) return null;
    const child = new PackingProcess(this.#limits);
    let onClosed = () => {};
    const closed = new Promise<void>((resolve) => {
      onClosed = resolve;
    });
    const running: Running = { child, sender, closed, isLeaving: false };
    this.#running.add(running);
    return new PackingElsewhere({ child, body, as, seed }, () => {
      this.#running.delete(running);
      onClosed();
    });
  }

  get #isFull(): boolean {
    return this.#running.size >= this.#limits.processes;
  }

  /** Waits until its process has ended. */
  async #refuseSlowest(tenantId: string): Promise<void> {
    const others = [...this.#running].flatMap((running) => {
      const { sender, isLeaving } = running;
      const isOther = sender !== null && sender.tenantId !== tenantId && !isLeaving;
      return isOther ? [{ running, pace: sender.pace }] : [];
    });
    const [slowest] = slowestFirst(others, REQUEST_LIMITS.slowUploadBytesPerSecond);
    if (slowest === undefined) return;
    slowest.running.isLeaving = true;
    slowest.pace.client?.end();
    await slowest.running.closed;
  }
}

class PackingProcess extends WatchedProcess<PackingRequest, PackingAnswer> {
  constructor({ processes: _, ...limits }: typeof PACKING_LIMITS) {
    const args = [String(limits.evaluationMs), String(residentLimitMb(limits))];
    super({ name: 'packing-child', beside: import.meta.url, args, takesInput: true, ...limits });
  }
}

interface PackingTask {
  readonly child: PackingProcess;
  readonly body: AsyncIterable<Uint8Array>;
  readonly as: ReadAs;
  readonly seed: HashSeed;
}

/** Packs an inventory in a child process. */
class PackingElsewhere implements Packing {
  readonly #task: PackingTask;
  readonly #onClosed: () => void;
  #packed: PackedInventory | null = null;

  constructor(task: PackingTask, onClosed: () => void) {
    this.#task = task;
    this.#onClosed = onClosed;
  }

  /** @throws {PackingFailed} when the process was ended; {ProcessUnavailable}; what the body throws */
  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    const { as, seed } = this.#task;
    await this.#ask({ kind: 'open', ...as, seed: bytesOfSeed(seed) });
    const isWhole = this.#send();
    for (;;) {
      // A body that breaks off looks complete to the process.
      const [answer] = await Promise.all([this.#ask({ kind: 'next' }), isWhole]);
      if (answer.kind === 'packed') {
        this.#packed = answer.packed;
        return;
      }
      if (answer.kind !== 'chunk') throw unexpected(answer);
      yield answer.chunk;
    }
  }

  /** Sends the body. Resolves when it is read, and fails with its error; the end of the process is noticed elsewhere. */
  async #send(): Promise<void> {
    const { child, body } = this.#task;
    const failures: unknown[] = [];
    async function* pieces() {
      try {
        yield* body;
      } catch (error) {
        failures.push(error);
        throw error;
      }
    }
    await pipeline(pieces(), child.input).catch(() => undefined);
    if (failures.length > 0) throw failures[0];
  }

  result(): PackedInventory {
    if (this.#packed === null) throw new Error('The inventory is not packed yet');
    return this.#packed;
  }

  async close(): Promise<void> {
    await this.#task.child.close();
    this.#onClosed();
  }

  async #ask(request: PackingRequest): Promise<PackingAnswer> {
    const answer: PackingAnswer | Stopped | Interrupted = await this.#task.child.ask(request);
    switch (answer.kind) {
      case 'refused':
        throw new InventoryError(answer.code, answer.line, answer.message);
      case 'too-many-references':
        throw new TooManyReferences(answer.message);
      case 'no-room':
        throw new PackingFailed(answer.message);
      case 'stopped':
        throw new PackingFailed(
          `The process that packs an inventory was ended: it ${answer.reason}.`,
        );
      case 'interrupted':
        throw unexpected(answer);
      default:
        return answer;
    }
  }
}

function unexpected({ kind }: { readonly kind: string }): Error {
  return new Error(`Unexpected answer of the child process: ${kind}`);
}
