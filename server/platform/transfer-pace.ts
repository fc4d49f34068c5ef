/** The client of an upload or of a stream, which determines how fast it proceeds. */
export interface TransferClient {
  /** Bytes that it has sent or taken, as they were on the wire. */
  bytes(): number;
  /** Whether the server can go on only after the client has sent or taken more. */
  isAwaited(): boolean;
  /** Ends the transfer because it is slow. It fails as if the client had disconnected. */
  end(): void;
}

interface Mark {
  readonly bytes: number;
  readonly waitedMs: number;
}

/** Until the server has waited for this part of a window, bytes fill the buffers of the network at any pace. */
const FILLING = 1 / 60;

/** Measures how fast a client is while the server waits for it. Time in which the server is busy does not count. */
export class TransferPace {
  readonly client: TransferClient | null;
  readonly #windowMs: number;
  #waitedMs = 0;
  #waitingSince: number | null = null;
  /** The starts of the last complete window and of the current one. */
  #previous: Mark;
  #current: Mark;

  /** @param windowMs how long the server waits for a client before its pace is known; recent windows count */
  constructor(client: TransferClient | null, windowMs: number) {
    this.client = client;
    this.#windowMs = windowMs;
    this.#previous = this.#mark();
    this.#current = this.#previous;
  }

  beginWaiting(): void {
    this.#waitingSince = performance.now();
  }

  endWaiting(): void {
    this.#waitedMs = this.#mark().waitedMs;
    this.#waitingSince = null;
    this.#advance();
  }

  /** Call it whenever the client has sent or taken something: what only fills buffers is then left out. */
  noteProgress(): void {
    this.#advance();
  }

  /** Yields what the source does, and measures how long the client takes for each item. */
  async *whileTaken<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const item of source) {
      this.beginWaiting();
      yield item;
      this.endWaiting();
    }
    // The last items may still be in a buffer.
    this.beginWaiting();
  }

  /**
   * Bytes per second over the last one to two windows. Null while the server does not wait for the client, and before the
   * first window is complete.
   */
  get bytesPerSecond(): number | null {
    if (this.#waitingSince === null || this.client?.isAwaited() !== true) return null;
    const { bytes, waitedMs } = this.#advance();
    const ms = waitedMs - this.#previous.waitedMs;
    return ms < this.#windowMs ? null : ((bytes - this.#previous.bytes) / ms) * 1000;
  }

  #advance(): Mark {
    const now = this.#mark();
    if (now.waitedMs < this.#windowMs * FILLING) {
      this.#previous = now;
      this.#current = now;
    } else if (now.waitedMs - this.#current.waitedMs >= this.#windowMs) {
      this.#previous = this.#current;
      this.#current = now;
    }
    return now;
  }

  #mark(): Mark {
    const waiting = this.#waitingSince === null ? 0 : performance.now() - this.#waitingSince;
    return { bytes: this.client?.bytes() ?? 0, waitedMs: this.#waitedMs + waiting };
  }
}

/** The transfers whose clients are slower than this, slowest first. */
export function slowestFirst<T extends { readonly pace: TransferPace }>(
  transfers: Iterable<T>,
  bytesPerSecond: number,
): T[] {
  return [...transfers]
    .flatMap((transfer) => {
      const pace = transfer.pace.bytesPerSecond;
      return pace === null || pace >= bytesPerSecond ? [] : [{ transfer, pace }];
    })
    .sort((a, b) => a.pace - b.pace)
    .map(({ transfer }) => transfer);
}
