import type { Logger } from 'pino';
import type { RedisReply } from 'rate-limit-redis';

/** How often the server looks for an unavailable Redis. No request waits for that. */
const PROBE_EVERY_MS = 250;
const WARN_EVERY_MS = 60_000;
const LONGEST_RECONNECT_MS = 1_000;

/**
 * A connection to Redis with a circuit breaker: after the first command that fails or times out, no command is sent
 * until Redis has answered again. An outage costs one short wait, and no request hangs.
 */
export class RedisLink {
  readonly #url: string;
  readonly #log: Logger;
  readonly #answerWithinMs: number;
  #client: Awaited<ReturnType<typeof clientFor>> | null = null;
  #up = false;
  #closed = false;
  #probe: NodeJS.Timeout | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;

  /** @param answerWithinMs the longest that one request waits for Redis. */
  constructor(url: string, log: Logger, answerWithinMs: number) {
    this.#url = url;
    this.#log = log;
    this.#answerWithinMs = answerWithinMs;
  }

  /** Number of missing answers since the start: each request was counted in memory or refused. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get isUp(): boolean {
    return this.#up;
  }

  /** Starts to connect and waits briefly. An unavailable Redis does not prevent the start of the server. */
  async start(): Promise<void> {
    const client = await clientFor(this.#url);
    this.#client = client;
    // Without a listener, a connection error would end the process.
    client.on('error', (error: unknown) => this.#lost(error));
    client.on('ready', () => this.#found());
    // The client reconnects by itself; it fails only when it is closed.
    const connected = client.connect().catch(() => undefined);
    await Promise.race([connected, afterMs(this.#answerWithinMs * 5)]);
  }

  /** @returns null when Redis is unavailable or was a moment ago. */
  async ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (this.#up) {
      try {
        return await soon(question(), this.#answerWithinMs);
      } catch (error) {
        this.#lost(error);
      }
    }
    this.#unanswered += 1;
    this.#warn();
    return null;
  }

  async send(command: string[]): Promise<RedisReply> {
    if (this.#client === null) throw new Error('The connection to Redis was not started');
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
    this.#log.info('Rate limits are shared through Redis');
  }

  #lost(error: unknown): void {
    if (this.#closed) return;
    if (this.#up) this.#warn(error);
    this.#up = false;
    this.#probe ??= setInterval(() => this.#look(), PROBE_EVERY_MS).unref();
  }

  #look(): void {
    if (!this.#client?.isReady) return;
    soon(this.#client.ping(), this.#answerWithinMs).then(
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
      'Redis is unreachable: rate limits count per process, and sign-in and break-glass are refused',
    );
  }
}

/** Imported lazily: loading the library takes a tenth of the start time. */
async function clientFor(url: string) {
  const { createClient } = await import('./redis-client.ts');
  return createClient({
    url,
    // While disconnected, commands fail immediately instead of waiting.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 1_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, LONGEST_RECONNECT_MS),
    },
  });
}

/** @throws {Error} when the answer takes too long. */
async function soon<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers run before I/O in a turn of the event loop; answers that arrived while the loop was blocked are read
    // first.
    timer = setTimeout(
      () => setImmediate(() => reject(new Error('Redis did not respond in time'))),
      withinMs,
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
