import { parseList } from './structured-fields.ts';

/** The state of one rate limit, as a response told it. */
export interface RateLimit {
  /** `default` is the general limit; others are those of single endpoints. */
  readonly name: string;
  /** Requests left in the present window. */
  readonly remaining: number;
  /** Seconds until the window ends, counted from the response. */
  readonly resetSeconds: number;
  /** Requests per window, where the server states its policy. */
  readonly quota: number | undefined;
  /** Length of a window in seconds, where the server states its policy. */
  readonly windowSeconds: number | undefined;
}

/** Reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export function readRateLimits(headers: Headers): RateLimit[] {
  const policies = parseList(headers.get('ratelimit-policy') ?? '');
  const limits = [...parseList(headers.get('ratelimit') ?? '')];
  return limits.flatMap(([name, { r: remaining, t: resetSeconds }]) => {
    if (remaining === undefined || resetSeconds === undefined) return [];
    const { q: quota, w: windowSeconds } = policies.get(name) ?? {};
    return { name, remaining, resetSeconds, quota, windowSeconds };
  });
}
