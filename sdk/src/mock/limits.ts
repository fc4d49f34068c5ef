import type { MockOperation } from './document.ts';
import { Problem } from './problem.ts';

interface Window {
  readonly endsAt: number;
  used: number;
}

/** The rate limits of the document: fixed windows per client address, reported in RateLimit headers. */
export class Limits {
  readonly #quota: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  /** @param quota the default limit in requests per minute; the operator sets it */
  constructor(quota: number, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /**
   * Counts a request. Send the returned headers with every answer.
   * @throws {Problem} RATE_LIMITED with the same headers
   */
  count(address: string, operation: MockOperation | null): Record<string, string> {
    if (operation !== null && !operation.limited) return {};
    const limits = [{ name: 'default', quota: this.#quota, windowSeconds: 60 }];
    if (operation?.limit) limits.push(operation.limit);
    const now = this.#now();
    const stands = limits.map((limit) => {
      const key = `${limit.name} ${address}`;
      const known = this.#windows.get(key);
      const window =
        known !== undefined && known.endsAt > now
          ? known
          : { endsAt: now + limit.windowSeconds * 1000, used: 0 };
      window.used += 1;
      this.#windows.set(key, window);
      const seconds = Math.ceil((window.endsAt - now) / 1000);
      return { ...limit, seconds, left: limit.quota - window.used };
    });
    const headers: Record<string, string> = {
      'RateLimit-Policy': stands
        .map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
        .join(', '),
      RateLimit: stands
        .map(({ name, left, seconds }) => `"${name}";r=${Math.max(0, left)};t=${seconds}`)
        .join(', '),
    };
    const exceeded = stands.filter(({ left }) => left < 0);
    const tightest = exceeded.at(-1);
    if (tightest === undefined) return headers;
    const wait = Math.max(...exceeded.map(({ seconds }) => seconds));
    throw new Problem('RATE_LIMITED', `The limit "${tightest.name}" is used up for your address.`, {
      members: { limit: tightest.name },
      headers: { ...headers, 'Retry-After': String(wait) },
    });
  }
}
