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
import type { Exchange } from './exchange.ts';
import { ProblemError } from './problems.ts';

/** The part of an IPv6 address that one subscriber commonly has to themselves. */
const IPV6_SUBSCRIBER_BITS = 64;

export interface LimiterOptions {
  /** Requests per minute and client address, over everything. */
  readonly defaultQuota: number;
  /** Where the counts of a limit are kept; left out: in the memory of this process. */
  readonly storeFor?: ((limit: string) => Store) | undefined;
  /** Told of each limit that refuses a request. */
  readonly onRefused?: (limit: string) => void;
}

/** Counts requests against the limits of the contract, one bucket per limit and client address. */
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
        limitOf(name, limit, options.storeFor?.(name)),
      ]),
    );
  }

  /**
   * Counts a request against the default limit, its endpoint's where there is one, and that of break-glass where a master
   * key is presented; all say in the headers how they stand, also when one of them refuses.
   * @throws {ProblemError} RATE_LIMITED, naming the limit, or SERVICE_UNAVAILABLE where attempts cannot be counted.
   */
  async count(exchange: Exchange, limit: RoutePolicy['limit']): Promise<void> {
    if (limit === 'none') return;
    const names = ['default'];
    if (limit !== 'default') names.push(limit);
    // Whatever it is sent to: a master key that is guessed at a public endpoint is guessed all the same.
    if (exchange.req.headers['x-master-key'] !== undefined) names.push('break-glass');
    const refused: string[] = [];
    let retryAfterSeconds = 0;
    for (const name of names) {
      if (await this.#exceeds(name, exchange)) {
        refused.push(name);
        this.#onRefused(name);
        retryAfterSeconds = Math.max(
          retryAfterSeconds,
          Number(exchange.res.getHeader('Retry-After')),
        );
      }
    }
    const tightest = refused.at(-1);
    if (tightest === undefined) return;
    throw new ProblemError('RATE_LIMITED', `The limit "${tightest}" is used up for your address.`, {
      members: { limit: tightest },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }

  /**
   * How many requests a tighter limit leaves to a client in this window. Nothing is counted.
   * @returns null where the counts are out of reach.
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

  async #exceeds(name: string, { req, res }: Exchange): Promise<boolean> {
    const limit = this.#limits.get(name);
    if (limit === undefined) throw new Error(`There is no limit of the name ${name}`);
    return new Promise((resolve, reject) => {
      // The library refuses by passing REFUSED on, and admits by passing nothing on.
      const next = (outcome?: unknown) => {
        if (outcome === undefined || outcome === REFUSED) resolve(outcome === REFUSED);
        else reject(outcome);
      };
      Promise.resolve(limit(req, res, next)).catch(reject);
    });
  }
}

const REFUSED = Symbol('refused');

/** The bucket of a client. */
function keyOf(limit: string, req: Request): string {
  return `${limit}:${ipKeyGenerator(req.ip ?? 'unknown', IPV6_SUBSCRIBER_BITS)}`;
}

function limitOf(name: string, limit: Limit, store: Store | undefined): RateLimitRequestHandler {
  return rateLimit({
    windowMs: limit.windowSeconds * 1000,
    limit: limit.quota,
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => keyOf(name, req),
    handler: (_req, _res, next) => next(REFUSED),
    // Its checks are for the usual ways of mounting it; ours is none of them and is tested as a whole.
    validate: false,
    ...(store === undefined ? {} : { store }),
  });
}
