import {
  DEFAULT_LIMIT,
  LIMITS,
  type Limit,
  type LimitName,
  type RoutePolicy,
} from '@cspm/contract';
import type { Request } from 'express';
import {
  ipKeyGenerator,
  type RateLimitRequestHandler,
  rateLimit,
  type Store,
} from 'express-rate-limit';
import { ProblemError } from '../platform/problem.ts';
import { ProcessStore } from './limit-stores.ts';
import type { RequestContext } from './request-context.ts';

/** The part of an IPv6 address that one subscriber commonly has. */
const IPV6_SUBSCRIBER_BITS = 64;

export interface LimiterOptions {
  /** Requests per minute and client address, over all operations. */
  readonly defaultQuota: number;
  /** Where the counters of a limit are kept. Default: in the memory of this process. */
  readonly storeFor?: ((limit: string) => Store) | undefined;
  /** Called for each limit that refuses a request. */
  readonly onRefused?: (limit: string) => void;
}

/** Counts requests against the limits of the contract, with one bucket per limit and client address. */
export class Limiter {
  readonly #limits: ReadonlyMap<string, RateLimitRequestHandler>;
  readonly #onRefused: (limit: string) => void;

  constructor(options: LimiterOptions) {
    const all: Record<string, Limit> = {
      default: { ...DEFAULT_LIMIT, quota: options.defaultQuota },
      ...LIMITS,
    };
    this.#onRefused = options.onRefused ?? (() => undefined);
    this.#limits = new Map(
      Object.entries(all).map(([name, limit]) => [
        name,
        limitOf(name, limit, options.storeFor?.(name) ?? new ProcessStore()),
      ]),
    );
  }

  /**
   * Counts a request against the default limit, the limit of its endpoint if it has one, and the break-glass limit if
   * it presents a master key. Each reports its state in the headers, also when another one refuses.
   * @throws {ProblemError} RATE_LIMITED, naming the limit, or SERVICE_UNAVAILABLE if attempts cannot be counted.
   */
  async count(requestContext: RequestContext, limit: RoutePolicy['limit']): Promise<void> {
    if (limit === 'none') return;
    const names = ['default'];
    if (limit !== 'default') names.push(limit);
    // Counted on every endpoint, since a public one can also be used to guess master keys.
    if (requestContext.req.headers['x-master-key'] !== undefined) names.push('break-glass');
    const refused: string[] = [];
    let retryAfterSeconds = 0;
    for (const name of names) {
      if (await this.#exceeds(name, requestContext)) {
        refused.push(name);
        this.#onRefused(name);
        retryAfterSeconds = Math.max(
          retryAfterSeconds,
          Number(requestContext.res.getHeader('Retry-After')),
        );
      }
    }
    const tightest = refused.at(-1);
    if (tightest === undefined) return;
    throw new ProblemError(
      'RATE_LIMITED',
      `The limit "${tightest}" is exhausted for your IP address.`,
      {
        members: { limit: tightest },
        headers: { 'Retry-After': String(retryAfterSeconds) },
      },
    );
  }

  /**
   * How many requests a stricter limit leaves to a client in this window. Does not count a request.
   * @returns null if the counters are unavailable.
   */
  async remaining(name: LimitName, req: Request): Promise<number | null> {
    const { quota } = LIMITS[name];
    try {
      const info = await this.#limits.get(name)?.getKey(keyOf(name, req));
      const isOver = info?.resetTime !== undefined && info.resetTime.getTime() <= Date.now();
      return info === undefined || isOver ? quota : Math.max(0, quota - info.totalHits);
    } catch {
      return null;
    }
  }

  async #exceeds(name: string, { req, res }: RequestContext): Promise<boolean> {
    const limit = this.#limits.get(name);
    if (limit === undefined) throw new Error(`Unknown limit ${name}`);
    return new Promise((resolve, reject) => {
      // The library calls `next(REFUSED)` to refuse and `next()` to admit.
      const next = (outcome?: unknown) => {
        if (outcome === undefined || outcome === REFUSED) resolve(outcome === REFUSED);
        else reject(outcome);
      };
      Promise.resolve(limit(req, res, next)).catch(reject);
    });
  }
}

const REFUSED = Symbol('refused');

/** The bucket key of a client. */
function keyOf(limit: string, req: Request): string {
  return `${limit}:${ipKeyGenerator(req.ip ?? 'unknown', IPV6_SUBSCRIBER_BITS)}`;
}

function limitOf(name: string, limit: Limit, store: Store): RateLimitRequestHandler {
  return rateLimit({
    windowMs: limit.windowSeconds * 1000,
    limit: limit.quota,
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => keyOf(name, req),
    handler: (_req, _res, next) => next(REFUSED),
    // Its checks assume the usual ways of mounting it; ours differs and has its own tests.
    validate: false,
    store,
  });
}
