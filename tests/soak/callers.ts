import { setTimeout as delay } from 'node:timers/promises';
import type { Violations } from '../chaos/violations.ts';

/** The response. `json` is undefined if the body is not JSON. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the load reads responses member by member
  readonly json: any;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except strings, which are sent unchanged. */
  readonly body?: unknown;
}

/** A finished request. */
export interface Seen {
  readonly atMs: number;
  readonly tookMs: number;
}

/** Longer than anything that the load asks for. */
const HANG_MS = 120_000;
/** Clients come from this many addresses, so that their counters in Redis stay few. */
const ADDRESSES = 20_000;

/** The machine is overloaded, which the run accepts; the turn of the client ends here. */
export class Busy extends Error {}

/** Sends requests to the servers in turn, and records every response that was not expected. */
export class Callers {
  readonly #urls: readonly string[];
  readonly #violations: Violations;
  readonly #acceptsBusy: boolean;
  #seen: Seen[] = [];
  #turn = 0;
  requests = 0;
  /** Finished scans. */
  scans = 0;
  /** Responses with 503 that were accepted. */
  busy = 0;

  /** @param acceptsBusy whether a 503 with Retry-After is no fault: other programs use the machine. */
  constructor(urls: readonly string[], violations: Violations, acceptsBusy: boolean) {
    this.#urls = urls;
    this.#violations = violations;
    this.#acceptsBusy = acceptsBusy;
  }

  /** The requests since the last call. */
  takeSeen(): Seen[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** @throws {Error} after it recorded a response with another status, or none. */
  async expect(status: number, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
    const what = `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')}`;
    const begun = performance.now();
    const raw = typeof body === 'string';
    const response = await fetch(this.#url() + path, {
      method,
      headers: {
        'x-forwarded-for': this.#address(),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(HANG_MS),
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    })
      .then(async (answer): Promise<Reply> => {
        const text = await answer.text();
        const isJson = /[/+]json\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
        if (this.#acceptsBusy && answer.status === 503 && answer.headers.has('retry-after')) {
          throw new Busy(what);
        }
        return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined };
      })
      .catch((error: unknown) => {
        if (error instanceof Busy) this.busy += 1;
        else this.#violations.add('requests without a response', `${what}: ${String(error)}`);
        throw error;
      });
    this.requests += 1;
    this.#seen.push({ atMs: Date.now(), tookMs: performance.now() - begun });
    if (response.status !== status) {
      const words = `${what}: ${response.status} instead of ${status}: ${response.text.slice(0, 300)}`;
      this.#violations.add('unexpected responses', words);
      throw new Error(words);
    }
    return response;
  }

  /** Reads a stream of events until the server ends it. */
  async follow(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await fetch(this.#url() + path, {
      headers: { 'x-forwarded-for': this.#address(), ...headers },
      signal: AbortSignal.timeout(HANG_MS),
    });
    const text = await response.text();
    if (this.#acceptsBusy && (response.status === 503 || response.status === 200)) {
      if (text.includes('event: done')) return;
      this.busy += 1;
      throw new Busy(path);
    }
    if (response.status !== 200 || !text.includes('event: done')) {
      this.#violations.add(
        'event streams that did not end well',
        `${response.status}: ${text.slice(-300)}`,
      );
    }
  }

  finished(scanStatus: string): void {
    this.scans += 1;
    const holds = scanStatus === 'completed';
    this.#violations.demand(holds, 'scans that did not complete', () => scanStatus);
  }

  #url(): string {
    this.#turn += 1;
    return this.#urls[this.#turn % this.#urls.length] ?? '';
  }

  #address(): string {
    const number = Math.floor(Math.random() * ADDRESSES);
    return `10.9.${number >> 8}.${number & 255}`;
  }
}

/** A pause of a person, or of a program that polls. */
export function pause(fromMs: number, toMs: number): Promise<void> {
  return delay(fromMs + Math.random() * (toMs - fromMs));
}
