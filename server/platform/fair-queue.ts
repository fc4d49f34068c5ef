import { ProblemError } from './problem.ts';

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Tasks that may wait in all. */
  readonly capacity: number;
  /** Tasks of one client that may wait. */
  readonly capacityPerClient: number;
  /** How long a task may wait before it is refused, in milliseconds. */
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The client of tasks that the server starts for itself. The limit per client does not apply to it. */
const NO_CLIENT = '';
const MAX_RETRY_AFTER_SECONDS = 30;
/** The weight of the newest task in the running average of durations. */
const SMOOTHING = 0.2;

/**
 * Runs costly tasks a few at a time and serves the clients that wait in turn, so that one client with many requests
 * delays the others by one task at most. The number of waiting tasks and the time each one waits are bounded.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Waiting tasks by client. The client at the front of the map is served next. */
  readonly #clients = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;
  #averageMs = 0;
  #closed = false;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a task when it is its turn.
   * @param client whose turn it takes; null: a task of the server itself.
   * @throws {ProblemError} SERVICE_UNAVAILABLE with Retry-After when the queue is full or the wait takes too long.
   */
  async run<T>(client: string | null, task: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.#busy();
    if (this.#running >= this.#options.concurrency) await this.#wait(client ?? NO_CLIENT);
    else this.#running += 1;
    const startedAt = performance.now();
    try {
      return await task();
    } finally {
      this.#measure(performance.now() - startedAt);
      this.#next();
    }
  }

  /** Refuses everything that waits and everything that comes later. Tasks that run are left to finish. */
  close(): void {
    this.#closed = true;
    const all = [...this.#clients.values()].flat();
    this.#clients.clear();
    this.#waiting = 0;
    for (const { refuse } of all) refuse();
  }

  /** Resolves once a running task has handed its place over. */
  #wait(client: string): Promise<void> {
    this.#makeRoom(client);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(client, entry);
        entry.refuse();
      }, this.#options.maxWaitMs);
      const entry: Waiting = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(this.#busy());
        },
      };
      const queue = this.#clients.get(client) ?? [];
      queue.push(entry);
      this.#clients.set(client, queue);
      this.#waiting += 1;
    });
  }

  /**
   * A full queue drops the newest task of the client with the most waiting tasks, in favor of a client with fewer.
   * @throws {ProblemError} when the new task is the one to drop.
   */
  #makeRoom(client: string): void {
    const own = this.#clients.get(client)?.length ?? 0;
    if (client !== NO_CLIENT && own >= this.#options.capacityPerClient) throw this.#busy();
    if (this.#waiting < this.#options.capacity) return;
    let [longest, most] = ['', 0];
    for (const [name, { length }] of this.#clients) {
      if (length > most) [longest, most] = [name, length];
    }
    const dropped = most > own + 1 ? this.#clients.get(longest)?.at(-1) : undefined;
    if (dropped === undefined) throw this.#busy();
    this.#remove(longest, dropped);
    dropped.refuse();
  }

  #next(): void {
    this.#running -= 1;
    const [front] = this.#clients;
    if (front === undefined) return;
    const [client, queue] = front;
    const [entry] = queue;
    // A client without waiting tasks is not in the map.
    if (entry === undefined) return;
    this.#remove(client, entry);
    if (this.#clients.delete(client)) this.#clients.set(client, queue);
    this.#running += 1;
    entry.start();
  }

  #remove(client: string, entry: Waiting): void {
    const queue = this.#clients.get(client);
    const at = queue?.indexOf(entry) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#clients.delete(client);
  }

  #measure(ms: number): void {
    this.#averageMs =
      this.#averageMs === 0 ? ms : this.#averageMs + SMOOTHING * (ms - this.#averageMs);
  }

  #busy(): ProblemError {
    const ms = ((this.#waiting + 1) * this.#averageMs) / this.#options.concurrency;
    const seconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(ms / 1000)));
    return new ProblemError(
      'SERVICE_UNAVAILABLE',
      `Too many password checks are queued. Try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }
}
