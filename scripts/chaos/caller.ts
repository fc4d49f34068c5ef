import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Cspm, createClient } from '@cspm/sdk';
import type { Json } from '../../openapi/documented.ts';
import type { Breaches } from './breaches.ts';
import type { Way } from './way.ts';

/** The name by which clients know the fleet. */
const FLEET = 'http://fleet.invalid';
const AGAIN_AFTER_MS = 250;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

/** How clients ask: once, or until the outcome is known, by `fetch` or by our SDK. */
export class Caller {
  readonly #way: Way;
  readonly #breaches: Breaches;

  constructor(way: Way, breaches: Breaches) {
    this.#way = way;
    this.#breaches = breaches;
  }

  client(
    credential: { apiKey: string } | { session: { accessToken: string; refreshToken: string } },
  ): Cspm {
    const { fetch } = this.#way;
    return createClient({ baseUrl: FLEET, fetch, pacing: 'off', ...credential });
  }

  /** One request. @throws {Error} when there was no answer. */
  async ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Reply> {
    const raw = typeof body === 'string';
    const response = await this.#way.fetch(FLEET + path, {
      method,
      headers: {
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** The same request until its outcome is known: no failure of the way, no 503, and no first request still running. */
  async settle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Reply> {
    for (;;) {
      try {
        const reply = await this.ask(method, path, headers, body);
        const isRunning = reply.status === 409 && reply.json?.code === 'IDEMPOTENCY_KEY_IN_USE';
        if (reply.status < 500 && !isRunning) return reply;
      } catch {
        // Whether it arrived is not known.
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** What `settle` does, for a call of the SDK, which repeats it by itself for a while. */
  async settleCall<T>(call: () => PromiseLike<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        const isKnown =
          !(error instanceof ApiError) ||
          (error.status !== undefined &&
            error.status < 500 &&
            error.code !== 'IDEMPOTENCY_KEY_IN_USE');
        if (isKnown) throw error;
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** Expects a status of an answer whose outcome is known. */
  expect(reply: Reply, status: number, what: string): boolean {
    const holds = reply.status === status;
    this.#breaches.demand(
      holds,
      'an answer that a sound request does not get',
      () => `${what}: ${reply.status} instead of ${status}: ${JSON.stringify(reply.json)}`,
    );
    return holds;
  }
}

export function newKey(): string {
  return randomUUID();
}
