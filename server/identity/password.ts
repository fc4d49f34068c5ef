import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { ProblemError } from '../pipeline/problems.ts';

/** bcrypt's work factor: about 240 ms a hash on the machines that it was measured on. */
const COST = 12;
/** bcrypt reads no further, so a longer password would be cut in silence. */
const MAX_PASSWORD_BYTES = 72;
/** Guesses that may wait for a thread; beyond that the server says that it is busy. */
const QUEUE_LENGTH = 64;

/**
 * A hash of this cost that no password has. Unknown addresses are checked against it, so that they take as long as known
 * ones; it has to be well-formed, because bcrypt answers a malformed hash at once.
 */
const NOBODY = '$2b$12$Pg/jjc4gxpe.P.YoM16Ib.xi8/mWnsMpaHjSbIrlBTs5YxoVsT/9e';

/** Hashes and checks passwords with bcrypt in worker threads, which are started when first needed. */
export class Passwords {
  #threads: Piscina | null = null;

  async hash(password: string): Promise<string> {
    return this.#run({ password, cost: COST });
  }

  /** Takes the same time for a wrong password, a missing account (null) and an over-long password. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const checkable = hash !== null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
    const matches = await this.#run<boolean>({ password, hash: hash ?? NOBODY });
    return matches && checkable;
  }

  /** How many wait for a thread. */
  get waiting(): number {
    return this.#threads?.queueSize ?? 0;
  }

  async close(): Promise<void> {
    await this.#threads?.destroy();
  }

  async #run<T>(
    task: { password: string; cost: number } | { password: string; hash: string },
  ): Promise<T> {
    this.#threads ??= new Piscina({
      filename: fileURLToPath(new URL('./password-worker.mjs', import.meta.url)),
      minThreads: 1,
      maxThreads: Math.max(1, availableParallelism() - 1),
      maxQueue: QUEUE_LENGTH,
    });
    // Full when the queue has no room, counted here because the library reports it as a plain error.
    if (this.#threads.queueSize >= QUEUE_LENGTH) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'Too many sign-ins at once. Try again shortly.',
      );
    }
    return this.#threads.run(task);
  }
}
