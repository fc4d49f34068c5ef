import { SpanKind } from '@opentelemetry/api';
import {
  type ClientRateLimitInfo,
  MemoryStore,
  type Options,
  type Store,
} from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { ProblemError } from '../platform/problem.ts';
import { KEY_PREFIX, type RedisLink } from '../platform/redis-connection.ts';
import { inSpan, isTracing, markFailed } from '../platform/tracing/tracer.ts';

/** Redis did not answer, or not in time. */
class Unanswered extends Error {}

/** Limits that guard secrets are not counted per process: an attacker would get the full limit on every instance. */
const FAIL_CLOSED: ReadonlySet<string> = new Set(['login', '2fa', 'break-glass']);

/** Counts in this process. */
export class ProcessStore extends MemoryStore {
  /** After the clock was set back, a window would otherwise last until the clock has reached its former end. */
  override async increment(key: string): Promise<ClientRateLimitInfo> {
    const endsAt = (await this.get(key))?.resetTime?.getTime() ?? 0;
    if (endsAt > Date.now() + this.windowMs) await this.resetKey(key);
    return super.increment(key);
  }
}

/**
 * The counters of one limit, in the Redis that all instances share. While Redis is unavailable they are kept in memory
 * or refused.
 */
export class SharedStore implements Store {
  readonly #name: string;
  readonly #link: RedisLink;
  readonly #memory = new ProcessStore();
  #windowMs = 0;
  #redis: RedisStore | null = null;

  constructor(name: string, link: RedisLink) {
    this.#name = name;
    this.#link = link;
  }

  init(options: Options): void {
    this.#windowMs = options.windowMs;
    this.#memory.init(options);
  }

  /** @throws {ProblemError} SERVICE_UNAVAILABLE when Redis is unavailable and the limit guards a secret. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const shared = isTracing ? await this.#countTraced(key) : await this.#count(key);
    if (shared !== null) return shared;
    // Redis may have been replaced or restarted, so the scripts are loaded again.
    this.#redis = null;
    if (FAIL_CLOSED.has(this.#name)) {
      throw new ProblemError('SERVICE_UNAVAILABLE', 'Requests cannot be counted at the moment.');
    }
    return this.#memory.increment(key);
  }

  #count(key: string): Promise<ClientRateLimitInfo | null> {
    const shared = this.#sharedKey(key);
    return this.#link.ask(KEY_PREFIX + shared, async () =>
      (await this.#connected()).increment(shared),
    );
  }

  #countTraced(key: string): Promise<ClientRateLimitInfo | null> {
    const attributes = {
      'db.system.name': 'redis',
      'db.operation.name': 'EVALSHA',
      'db.query.summary': `count ${this.#name}`,
    };
    return inSpan(`count ${this.#name}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const shared = await this.#count(key);
      if (shared === null) markFailed(span, new Unanswered());
      return shared;
    });
  }

  /**
   * The current count.
   * @throws {Error} when Redis is unavailable.
   */
  async get(key: string): Promise<ClientRateLimitInfo | undefined> {
    const shared = this.#sharedKey(key);
    const found = await this.#link.ask(KEY_PREFIX + shared, async () => ({
      info: await (await this.#connected()).get(shared),
    }));
    if (found === null) throw new Error('The rate limit counters are unreachable');
    return found.info;
  }

  /** Required by the interface; our limits never decrement. */
  async decrement(): Promise<void> {}

  /** Required by the interface; our limits are never reset. */
  async resetKey(): Promise<void> {}

  shutdown(): void {
    this.#memory.shutdown();
  }

  /**
   * In a cluster, the address of the client is the hash tag: one server counts all limits of a client, so a request waits
   * for one server that does not answer, not for several.
   */
  #sharedKey(key: string): string {
    const limit = `${this.#name}:`;
    return this.#link.isCluster && key.startsWith(limit)
      ? `${limit}{${key.slice(limit.length)}}`
      : key;
  }

  /** Created lazily because the library's store never retries a script that failed to load. */
  async #connected(): Promise<RedisStore> {
    if (this.#redis !== null) return this.#redis;
    const store = new RedisStore({
      prefix: KEY_PREFIX,
      sendCommandCluster: ({ key, command }) => this.#link.send(key, command),
    });
    await store.init({ windowMs: this.#windowMs } as Options);
    this.#redis = store;
    return store;
  }
}
