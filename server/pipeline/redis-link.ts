import type { Logger } from 'pino';
import type { RedisReply } from 'rate-limit-redis';

/** What a request waits for Redis at the most: one that falls silent must not make everybody wait. */
const ANSWER_WITHIN_MS = 200;
/** How often Redis is looked for while it is away. No request waits for that. */
const PROBE_EVERY_MS = 250;
const WARN_EVERY_MS = 60_000;
const LONGEST_RECONNECT_MS = 1_000;

/**
 * A connection to Redis that is either there or not: the first command that fails or takes too long ends the asking, until
 * Redis has been heard of again. So an outage costs one short wait, and no request hangs.
 */
export class RedisLink {
  readonly #url: string;
  readonly #log: Logger;
  /** From the start on. */
  #client: Awaited<ReturnType<typeof clientFor>> | null = null;
  #up = false;
  #closed = false;
  #probe: NodeJS.Timeout | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  /** How many answers were not to be had, since the start: each was counted in memory, or the request was refused. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get isUp(): boolean {
    return this.#up;
  }

  /** Begins to connect, and waits for it a moment. A Redis that is away does not keep the server from starting. */
  async start(): Promise<void> {
    const client = await clientFor(this.#url);
    this.#client = client;
    // Without a listener an error of the connection would end the process.
    client.on('error', (error: unknown) => this.#lost(error));
    client.on('ready', () => this.#found());
    // It goes on trying by itself; that it gives up happens only when it is closed.
    const connected = client.connect().catch(() => undefined);
    await Promise.race([connected, afterMs(ANSWER_WITHIN_MS * 5)]);
  }

  /** @returns null when Redis is out of reach, or was so just now. */
  async ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (this.#up) {
      try {
        return await soon(question());
      } catch (error) {
        this.#lost(error);
      }
    }
    this.#unanswered += 1;
    this.#warn();
    return null;
  }

  async send(command: string[]): Promise<RedisReply> {
    if (this.#client === null) throw new Error('The link to Redis was not started');
    return this.#client.sendCommand<RedisReply>(command);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#probe !== null) clearInterval(this.#probe);
    if (this.#client?.isOpen) this.#client.destroy();
  }

  #found(): void {
    if (this.#up) return;
    this.#up = true;
    if (this.#probe !== null) clearInterval(this.#probe);
    this.#probe = null;
    this.#log.info('Rate limits are shared by way of Redis');
  }

  #lost(error: unknown): void {
    if (this.#closed) return;
    if (this.#up) this.#warn(error);
    this.#up = false;
    this.#probe ??= setInterval(() => this.#look(), PROBE_EVERY_MS).unref();
  }

  #look(): void {
    if (!this.#client?.isReady) return;
    soon(this.#client.ping()).then(
      () => this.#found(),
      () => undefined,
    );
  }

  #warn(error?: unknown): void {
    const now = performance.now();
    if (now - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = now;
    this.#log.warn(
      { ...(error === undefined ? {} : { err: error }), unanswered: this.#unanswered },
      'Redis is out of reach: rate limits count per process, sign-in and break-glass are refused',
    );
  }
}

/** The library takes a tenth of the whole start to load, so that only those load it who have a Redis. */
async function clientFor(url: string) {
  const { createClient } = await import('redis');
  return createClient({
    url,
    // Commands fail at once while the connection is away, instead of waiting for it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 1_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, LONGEST_RECONNECT_MS),
    },
  });
}

/** @throws {Error} when the answer takes too long; it is not waited for any more. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers come before the network in a turn of the event loop: what has arrived while we were busy is looked at first.
    timer = setTimeout(
      () => setImmediate(() => reject(new Error('Redis took too long'))),
      ANSWER_WITHIN_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
