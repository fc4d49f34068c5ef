import { InventoryError, readInventory, ScratchError, seedFrom } from '@cspm/scanner';
import { answerRequests } from '../../platform/child-process/answer-requests.ts';
import type { Chunk } from './chunks.ts';
import { PackingHere } from './pack-inventory.ts';
import type { OpenPackingRequest, PackingAnswer, PackingRequest } from './packing-messages.ts';
import { TooManyReferences } from './reference-budget.ts';

/*
 * Packs one large inventory, which comes over standard input, in a process of its own, so that it takes no time of the event loop
 * that answers requests. The parent asks for each chunk, so only a few are in memory.
 */

const [evaluationMs = 0, residentMb = 0] = process.argv.slice(2).map(Number);

class Packer {
  readonly #packing: PackingHere;
  readonly #chunks: AsyncIterator<Chunk>;
  #next: Promise<IteratorResult<Chunk>>;

  constructor({ seed, ...as }: OpenPackingRequest) {
    this.#packing = new PackingHere(readInventory(received(), as), seedFrom(seed));
    this.#chunks = this.#packing.chunks()[Symbol.asyncIterator]();
    this.#next = this.#prepare();
  }

  async next(): Promise<PackingAnswer> {
    const next = await this.#next;
    if (next.done === true) return { kind: 'packed', packed: this.#packing.result() };
    this.#next = this.#prepare();
    return { kind: 'chunk', chunk: next.value };
  }

  #prepare(): Promise<IteratorResult<Chunk>> {
    const next = this.#chunks.next();
    // A failure is reported with the next answer.
    next.catch(() => undefined);
    return next;
  }
}

async function* received(): AsyncGenerator<Uint8Array> {
  for await (const piece of process.stdin) {
    beat();
    yield piece;
  }
}

let packer: Packer | null = null;

async function answerTo(request: PackingRequest): Promise<PackingAnswer> {
  if (request.kind === 'open') {
    packer = new Packer(request);
    return { kind: 'opened' };
  }
  if (packer === null) throw new Error('The packer was not opened');
  try {
    return await packer.next();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): PackingAnswer {
  if (error instanceof InventoryError) {
    const { code, line, message } = error;
    return { kind: 'refused', code, line, message };
  }
  if (error instanceof TooManyReferences) {
    return { kind: 'too-many-references', message: error.message };
  }
  if (error instanceof ScratchError) return { kind: 'no-room', message: error.message };
  throw error;
}

const { beat } = answerRequests({ evaluationMs, residentMb }, answerTo);
