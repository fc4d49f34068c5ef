import { INVENTORY_LIMITS, InventoryError, type InventoryRecord } from '@cspm/scanner';
import {
  type Interrupted,
  type ProcessLimits,
  residentLimitMb,
  type Stopped,
  WatchedProcess,
} from '../../platform/child-process/watched-process.ts';
import type { SkippedSummary } from './skipped-resources.ts';
import { slicesOf } from './slices.ts';
import type { TerraformAnswer, TerraformRequest } from './terraform-messages.ts';
import { type UploadSlotOptions, UploadSlots } from './upload-slots.ts';

/**
 * A Terraform document is parsed as a whole, which needs a multiple of its size in memory. Large ones have a few MiB.
 */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Child processes that convert Terraform documents; see docs/decisions/0032-bounds-of-an-inventory-upload.md. */
export const TERRAFORM_SLOTS: UploadSlotOptions = {
  total: 2,
  perTenant: 1,
  waitingPerTenant: 2,
  waitMs: 60_000,
  unit: 'Terraform upload',
};

/** Limits on the conversion of one document. */
export const TERRAFORM_LIMITS: ProcessLimits = {
  /** CPU time in milliseconds for the whole document. A plan of 16 MiB takes 2 to 4 s. */
  evaluationMs: 20_000,
  memoryMb: 512,
};

/** Size of the slices in which the document is sent to the child. */
const SLICE_BYTES = 512 * 1024;

/** The client disconnected while its document was converted. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone';
}

export interface ConvertOptions {
  readonly tenantId: string;
  /** Limit on the total size of all records, in bytes. */
  readonly maxBytes: number;
  /** Called every 250 ms; when it returns true, the child process is ended. */
  readonly isAbandoned: () => boolean;
  /** Receives what the document contains besides the records, with the last of them. */
  readonly onSkipped?: (skipped: SkippedSummary) => void;
}

/** Converts Terraform documents outside the main thread, each in its own child process. */
export class TerraformConverter {
  readonly #limits: ProcessLimits;
  readonly #slots: UploadSlots;
  readonly #pids = new Set<number>();

  constructor(limits: ProcessLimits = TERRAFORM_LIMITS, slots = TERRAFORM_SLOTS) {
    this.#limits = limits;
    this.#slots = new UploadSlots(slots);
  }

  /** The running child processes. */
  get pids(): readonly number[] {
    return [...this.#pids];
  }

  /**
   * Yields the records of a document in batches, as they arrive from the child process. Ending the iteration early ends
   * the child process.
   * @param document the bytes in pieces, at most `MAX_DOCUMENT_BYTES` in total
   * @throws {InventoryError} for a document that is malformed or exceeds the limits of time or memory
   * @throws {ProblemError} RATE_LIMITED or SERVICE_UNAVAILABLE when no child process is free in time
   * @throws {SenderGone} when `isAbandoned` returned true
   */
  async *convert(
    document: readonly Uint8Array[],
    options: ConvertOptions,
  ): AsyncGenerator<InventoryRecord, void, undefined> {
    const leave = await this.#slots.enter(options.tenantId);
    try {
      if (options.isAbandoned()) throw new SenderGone();
      yield* this.#converted(document, options);
    } finally {
      leave();
    }
  }

  async *#converted(
    document: readonly Uint8Array[],
    { maxBytes, isAbandoned, onSkipped }: ConvertOptions,
  ): AsyncGenerator<InventoryRecord, void, undefined> {
    const child = new TerraformProcess(this.#limits, maxBytes);
    const { pid } = child;
    if (pid !== undefined) this.#pids.add(pid);
    const ask = async (request: TerraformRequest) =>
      this.#accepted(await child.ask(request, { isUnwanted: isAbandoned }));
    try {
      for await (const data of slicesOf(document, SLICE_BYTES)) await ask({ kind: 'slice', data });
      for (let isLast = false; !isLast; ) {
        const answer = await ask({ kind: 'next' });
        if (answer.kind !== 'records')
          throw new Error(`Unexpected answer of the child process: ${answer.kind}`);
        if (answer.isLast) onSkipped?.(answer.skipped);
        yield* answer.records;
        isLast = answer.isLast;
      }
    } finally {
      await child.close();
      if (pid !== undefined) this.#pids.delete(pid);
    }
  }

  #accepted(answer: TerraformAnswer | Stopped | Interrupted): TerraformAnswer {
    switch (answer.kind) {
      case 'interrupted':
        throw new SenderGone();
      case 'stopped':
        throw new InventoryError('too_large', 1, this.#tooCostly(answer));
      case 'refused':
        throw new InventoryError(answer.code, answer.line, answer.message);
      default:
        return answer;
    }
  }

  #tooCostly({ reason }: Stopped): string {
    const { evaluationMs, memoryMb } = this.#limits;
    const cost = reason.includes('memory')
      ? `${memoryMb} MB of memory`
      : `${evaluationMs / 1000} s of CPU time`;
    return `This Terraform document needs more than ${cost} to parse. Scan it with cspm scan --local, or split it.`;
  }
}

class TerraformProcess extends WatchedProcess<TerraformRequest, TerraformAnswer> {
  constructor(limits: ProcessLimits, maxBytes: number) {
    const { evaluationMs, memoryMb } = limits;
    const args = [
      ...[evaluationMs, residentLimitMb(limits), MAX_DOCUMENT_BYTES],
      ...[maxBytes, INVENTORY_LIMITS.recordBytes],
    ].map(String);
    super({ name: 'terraform-child', beside: import.meta.url, args, evaluationMs, memoryMb });
  }
}
