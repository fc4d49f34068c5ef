import { SpanKind } from '@opentelemetry/api';
import {
  type ClientRateLimitInfo,
  MemoryStore,
  type Options,
  type Store,
} from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { inSpan, isTracing, markFailed } from '../tracing/tracer.ts';
import { ProblemError } from './problems.ts';
import type { RedisLink } from './redis-link.ts';

/** Redis did not answer, or not in time. */
class Unanswered extends Error {}

/** What guards secrets is not counted per process: whoever guesses could then guess at every instance anew. */
const FAIL_CLOSED: ReadonlySet<string> = new Set(['login', '2fa', 'break-glass']);

/** The counts of one limit, in the Redis that all instances share; while that is out of reach, in memory or nowhere. */
export class SharedStore implements Store {
  readonly #name: string;
  readonly #link: RedisLink;
  readonly #memory = new MemoryStore();
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

  /** @throws {ProblemError} SERVICE_UNAVAILABLE when Redis is out of reach and the limit guards a secret. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const shared = isTracing ? await this.#countTraced(key) : await this.#count(key);
    if (shared !== null) return shared;
    // Redis may be another one, or empty, when it comes back: the scripts are loaded anew then.
    this.#redis = null;
    if (FAIL_CLOSED.has(this.#name)) {
      throw new ProblemError('SERVICE_UNAVAILABLE', 'Attempts cannot be counted at the moment.');
    }
    return this.#memory.increment(key);
  }

  #count(key: string): Promise<ClientRateLimitInfo | null> {
    return this.#link.ask(async () => (await this.#connected()).increment(key));
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

  /** The count as it stands, by whoever keeps it. @throws {Error} when Redis is out of reach: then nobody knows it. */
  async get(key: string): Promise<ClientRateLimitInfo | undefined> {
    const shared = await this.#link.ask(async () => ({
      info: await (await this.#connected()).get(key),
    }));
    if (shared === null) throw new Error('The counts are out of reach');
    return shared.info;
  }

  /** Part of the interface; our limits never take a count back. */
  async decrement(): Promise<void> {}

  /** Part of the interface; our limits are never reset. */
  async resetKey(): Promise<void> {}

  shutdown(): void {
    this.#memory.shutdown();
  }

  /** The library's store keeps a script that could not be loaded as failed for good, so it is made when Redis is there. */
  async #connected(): Promise<RedisStore> {
    if (this.#redis !== null) return this.#redis;
    const store = new RedisStore({
      prefix: 'cspm:limit:',
      sendCommand: (...command) => this.#link.send(command),
    });
    await store.init({ windowMs: this.#windowMs } as Options);
    this.#redis = store;
    return store;
  }
}
