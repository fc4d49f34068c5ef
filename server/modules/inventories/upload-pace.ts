/** The client of an upload, which determines how fast it arrives. */
export interface UploadClient {
  /** Bytes that it has sent, as they were on the wire. */
  bytesSent(): number;
  /** Whether the server has read everything that has arrived of the body, and more is to come. */
  isAwaited(): boolean;
  /** Refuses the upload because it is slow. It fails as if the client had disconnected. */
  refuse(): void;
}

interface Mark {
  readonly bytes: number;
  readonly waitedMs: number;
}

/** Measures how fast a client sends while the server waits for it. Time in which the server is busy does not count. */
export class UploadPace {
  readonly client: UploadClient | null;
  readonly #windowMs: number;
  #waitedMs = 0;
  #waitingSince: number | null = null;
  /** The starts of the last complete window and of the current one. */
  #previous: Mark;
  #current: Mark;

  /** @param windowMs how long the server waits for a client before its pace is known; recent windows count */
  constructor(client: UploadClient | null, windowMs: number) {
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
    if (now.waitedMs - this.#current.waitedMs >= this.#windowMs) {
      this.#previous = this.#current;
      this.#current = now;
    }
    return now;
  }

  #mark(): Mark {
    const waiting = this.#waitingSince === null ? 0 : performance.now() - this.#waitingSince;
    return { bytes: this.client?.bytesSent() ?? 0, waitedMs: this.#waitedMs + waiting };
  }
}
