import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { FairQueue } from '../../../platform/fair-queue.ts';

/** bcrypt's cost factor: about 240 ms per hash on the reference machine. */
const COST = 12;
/** bcrypt ignores everything after this many bytes. */
const MAX_PASSWORD_BYTES = 72;
/** Bounds on the queue for the hashing threads. */
export const HASHING_LIMITS = {
  /** Maximum number of queued passwords. */
  waiting: 64,
  /** Maximum number of queued passwords of one client address. */
  waitingPerClient: 16,
  /** A password that waits longer is refused with 503, so that clients get an answer before their own timeout. */
  waitMs: 10_000,
} as const;

/**
 * A valid hash that matches no password. Unknown addresses are checked against it, so that they take as long as known
 * ones. It must be well-formed, because bcrypt rejects a malformed hash immediately.
 */
const nobody = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$Pg/jjc4gxpe.P.YoM16Ib.xi8/mWnsMpaHjSbIrlBTs5YxoVsT/9e`;

/**
 * Hashes and checks passwords with bcrypt in worker threads, which start on first use. The queue is fair between
 * clients: `client` is the key of the client address, or null for the server itself.
 */
export class Passwords {
  readonly #cost: number;
  #threads: Piscina | null = null;
  readonly #maxThreads = Math.max(1, availableParallelism() - 1);
  readonly #queue = new FairQueue({
    concurrency: this.#maxThreads,
    capacity: HASHING_LIMITS.waiting,
    capacityPerClient: HASHING_LIMITS.waitingPerClient,
    maxWaitMs: HASHING_LIMITS.waitMs,
  });

  /** @param cost bcrypt's cost factor; a lower one than the default is for tests alone. */
  constructor(cost = COST) {
    this.#cost = cost;
  }

  /**
   * @throws {ProblemError} SERVICE_UNAVAILABLE with Retry-After when the queue is full.
   * @throws {RangeError} for a password that contains NUL or exceeds 72 bytes; callers must refuse those first.
   */
  async hash(password: string, client: string | null = null): Promise<string> {
    if (!isHashable(password))
      throw new RangeError('bcrypt would truncate or repeat this password');
    return this.#run({ password, cost: this.#cost }, client);
  }

  /**
   * Takes the same time for a wrong password, a missing account (null) and a password that bcrypt would truncate.
   * @throws {ProblemError} SERVICE_UNAVAILABLE with Retry-After when the queue is full.
   */
  async verify(
    password: string,
    hash: string | null,
    client: string | null = null,
  ): Promise<boolean> {
    const checkable = hash !== null && isHashable(password);
    const matches = await this.#run<boolean>(
      { password, hash: hash ?? nobody(this.#cost) },
      client,
    );
    return matches && checkable;
  }

  /** Number of passwords waiting for a thread. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  async close(): Promise<void> {
    this.#queue.close();
    await this.#threads?.destroy();
  }

  async #run<T>(
    task: { password: string; cost: number } | { password: string; hash: string },
    client: string | null,
  ): Promise<T> {
    this.#threads ??= new Piscina({
      filename: fileURLToPath(new URL('./password-worker.mjs', import.meta.url)),
      minThreads: 1,
      maxThreads: this.#maxThreads,
    });
    const threads = this.#threads;
    return this.#queue.run(client, () => threads.run(task));
  }
}

/** bcrypt reads at most 72 bytes and repeats a key that ends with NUL: `P` and `P\0P` would have the same hash. */
function isHashable(password: string): boolean {
  return !password.includes('\0') && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
}
