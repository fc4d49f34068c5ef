import { parseList } from './structured-fields.ts';

/** The state of one rate limit in a response. */
export interface RateLimit {
  /** `default` for the general limit, otherwise the limit of an endpoint. */
  readonly name: string;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** Seconds until the window ends, counted from the response. */
  readonly resetSeconds: number;
  /** Requests per window, if the server states its policy. */
  readonly quota: number | undefined;
  /** Length of a window in seconds, if the server states its policy. */
  readonly windowSeconds: number | undefined;
}

/** Reads `RateLimit` and, unless it is known, `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export function readRateLimits(headers: Headers, isKnown = false): RateLimit[] {
  const policies = parseList((!isKnown && headers.get('ratelimit-policy')) || '');
  const limits: RateLimit[] = [];
  for (const { name, params } of parseList(headers.get('ratelimit') ?? '')) {
    const { r: remaining, t: resetSeconds } = params;
    const policy = policies.find((one) => one.name === name)?.params;
    if (remaining !== undefined && resetSeconds !== undefined) {
      limits.push({
        name,
        remaining,
        resetSeconds,
        quota: policy?.['q'],
        windowSeconds: policy?.['w'],
      });
    }
  }
  return limits;
}
