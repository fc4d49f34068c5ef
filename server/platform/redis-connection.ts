import type { Logger } from 'pino';
import type { RedisReply } from 'rate-limit-redis';
import { type RedisServers, redisServers } from './redis-servers.ts';
import type { RedisSettings } from './redis-settings.ts';

/** How often the server looks for an unavailable Redis. No request waits for that. */
const PROBE_EVERY_MS = 250;
const WARN_EVERY_MS = 60_000;
/** How often another client is tried while none has connected. */
const CONNECT_AGAIN_MS = 2_000;
/** A client of several servers that did not recover by itself for so long is replaced; then for twice as long. */
const REPLACE_AFTER_MS = 5_000;
const LONGEST_REPLACE_AFTER_MS = 60_000;
/** The name of the server while no client is connected. */
const NONE = 'none';
/** Begins the name of each key, as an operator may have granted the user of the servers only these. */
export const KEY_PREFIX = 'cspm:limit:';
/** A key to probe with when no request has asked for one. */
const PROBE_KEY = `${KEY_PREFIX}probe`;

/** A server that failed to answer. */
interface Lost {
  /** A key that it counts, or counted. */
  readonly key: string;
  /** Whether the answer to a probe is outstanding. */
  isProbed: boolean;
}

/**
 * Connections to Redis with a circuit breaker for each server: after the first command that fails or times out, none is
 * sent for the keys of that server until one of them could be written again. An outage costs one short wait, and no request
 * hangs. The keys of other servers of a cluster are counted meanwhile.
 */
export class RedisLink {
  readonly #settings: RedisSettings;
  readonly #log: Logger;
  readonly #answerWithinMs: number;
  readonly #lost = new Map<string, Lost>();
  #servers: RedisServers | null = null;
  /** The client before, whose last answers are awaited. */
  #replaced: RedisServers | null = null;
  #wasUp = false;
  #closed = false;
  #probe: NodeJS.Timeout | null = null;
  #isReplacing = false;
  #replaceAfterMs = REPLACE_AFTER_MS;
  #replaceAt = Number.POSITIVE_INFINITY;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  /** Why Redis does not answer, such as a refused password. */
  #reason: unknown;

  /** @param answerWithinMs the longest that one request waits for Redis. */
  constructor(settings: RedisSettings, log: Logger, answerWithinMs: number) {
    this.#settings = settings;
    this.#log = log;
    this.#answerWithinMs = answerWithinMs;
  }

  /** Number of missing answers since the start: each request was counted in memory or refused. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Whether every server of Redis answers. */
  get isUp(): boolean {
    return this.#wasUp;
  }

  /** Whether keys are distributed over several servers. */
  get isCluster(): boolean {
    return this.#settings.mode === 'cluster';
  }

  /** Starts to connect and waits briefly. An unavailable Redis does not prevent the start of the server. */
  async start(): Promise<void> {
    this.#doubt();
    this.#servers = await this.#make();
    const connected = this.#connect(this.#servers);
    await Promise.race([connected, afterMs(this.#answerWithinMs * 5)]);
    if (this.#wasUp) return;
    this.#watch();
    // A probe of a Redis that has just connected may still be on its way. A warning does not wait for the first request.
    setTimeout(() => {
      if (!this.#wasUp && !this.#closed) this.#warn();
    }, this.#answerWithinMs * 2).unref();
  }

  /** @returns null when the server of this key is unavailable or was a moment ago. */
  async ask<T>(key: string, question: () => Promise<T>): Promise<T | null> {
    const server = this.#servers?.serverOf(key) ?? null;
    if (server === null) {
      this.#lose(NONE, key);
    } else if (!this.#lost.has(server)) {
      try {
        return await soon(question(), this.#answerWithinMs);
      } catch (error) {
        this.#lose(server, key, error);
      }
    }
    this.#unanswered += 1;
    this.#warn();
    return null;
  }

  /** @param key the key of the command; a cluster finds the server by it. */
  async send(key: string | undefined, command: string[]): Promise<RedisReply> {
    if (this.#servers === null) throw new Error('The connection to Redis was not started');
    return this.#servers.send(key, command);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#probe !== null) clearInterval(this.#probe);
    for (const servers of [this.#servers, this.#replaced]) servers?.close();
  }

  get #isConnected(): boolean {
    return (this.#servers?.serverOf(NONE) ?? null) !== null;
  }

  #make(): Promise<RedisServers> {
    return redisServers(this.#settings, this.#answerWithinMs, {
      onReady: () => this.#look(),
      onError: (error) => this.#failed(error),
    });
  }

  async #connect(servers: RedisServers): Promise<boolean> {
    try {
      await servers.connect();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #lose(server: string, key: string, error?: unknown): void {
    if (this.#closed) return;
    if (!this.#lost.has(server)) this.#lost.set(server, { key, isProbed: false });
    this.#failed(error);
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    this.#reason = error ?? this.#reason;
    if (this.#wasUp) this.#warn();
    this.#wasUp = false;
    this.#doubt();
    this.#watch();
  }

  /** Redis counts as up only after a probe, because a new connection may lead to a server that refuses writes. */
  #doubt(): void {
    if (this.#lost.size === 0) this.#lost.set(NONE, { key: PROBE_KEY, isProbed: false });
  }

  #watch(): void {
    if (this.#closed || this.#probe !== null) return;
    this.#replaceAfterMs = REPLACE_AFTER_MS;
    this.#replaceAt = performance.now() + (this.#isConnected ? REPLACE_AFTER_MS : CONNECT_AGAIN_MS);
    this.#probe = setInterval(() => this.#look(), PROBE_EVERY_MS).unref();
  }

  /** Asks each lost server whether it counts again. */
  #look(): void {
    if (this.#closed) return;
    for (const [server, lost] of this.#lost) {
      const now = this.#servers?.serverOf(lost.key) ?? null;
      if (now === null || lost.isProbed) continue;
      this.#probeOne(server, lost);
    }
    if (this.#isConnected && this.#lost.size === 0) this.#found();
    else if (performance.now() >= this.#replaceAt) {
      this.#replace().catch((error: unknown) => this.#failed(error));
    }
  }

  /**
   * Writes as the script that counts does, so it fails when counting would: out of memory, or on a replica. The script
   * needs SET too, so every user that can count can send it. A count that exists stays; another key expires at once.
   */
  #probeOne(server: string, lost: Lost): void {
    const answer = this.send(lost.key, ['SET', lost.key, '0', 'PX', '1', 'NX']);
    const settled = () => {
      lost.isProbed = false;
    };
    lost.isProbed = true;
    answer.then(settled, settled);
    const regained = () => {
      if (this.#lost.get(server) === lost) this.#lost.delete(server);
      if (this.#lost.size === 0) this.#look();
    };
    soon(answer, this.#answerWithinMs).then(regained, () => undefined);
  }

  #found(): void {
    if (this.#probe !== null) clearInterval(this.#probe);
    this.#probe = null;
    if (this.#wasUp) return;
    this.#wasUp = true;
    this.#reason = undefined;
    this.#log.info('Rate limits are shared through Redis');
  }

  /**
   * A client of several servers can wait for ever for one that is gone. The new one is used once it has connected; the
   * client of one server always reconnects by itself.
   */
  async #replace(): Promise<void> {
    if (this.#settings.mode === 'single' || this.#isReplacing) return;
    this.#isReplacing = true;
    try {
      const servers = await this.#make();
      const connected = await Promise.race([this.#connect(servers), afterMs(this.#replaceAfterMs)]);
      if (connected !== true || this.#wasUp || this.#closed) {
        servers.close();
        return;
      }
      const old = this.#servers;
      this.#replaced?.close();
      this.#replaced = old;
      this.#servers = servers;
      this.#lost.clear();
      this.#doubt();
      // Requests that wait for the old client get their answers.
      setTimeout(() => old?.close(), 2 * this.#answerWithinMs).unref();
      this.#look();
    } finally {
      this.#isReplacing = false;
      if (this.#isConnected) {
        this.#replaceAfterMs = Math.min(2 * this.#replaceAfterMs, LONGEST_REPLACE_AFTER_MS);
      }
      const waitMs = this.#isConnected ? this.#replaceAfterMs : CONNECT_AGAIN_MS;
      this.#replaceAt = performance.now() + waitMs;
    }
  }

  #warn(): void {
    const now = performance.now();
    if (now - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = now;
    this.#log.warn(
      {
        ...(this.#reason === undefined ? {} : { err: this.#reason }),
        unanswered: this.#unanswered,
      },
      'Redis is unreachable: rate limits count per process, and sign-in and break-glass are refused',
    );
  }
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
