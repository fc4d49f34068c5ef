import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Cspm, createClient } from '@cspm/sdk';
import type { Json } from '../../openapi/documented.ts';
import type { Balancer } from './balancer.ts';
import type { Violations } from './violations.ts';

/** The host name under which clients know the fleet. */
const FLEET = 'http://fleet.invalid';
const AGAIN_AFTER_MS = 250;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}

/** How clients send requests: once, or until the outcome is known, with `fetch` or with our SDK. */
export class Caller {
  readonly #balancer: Balancer;
  readonly #violations: Violations;

  constructor(balancer: Balancer, violations: Violations) {
    this.#balancer = balancer;
    this.#violations = violations;
  }

  client(
    credential: { apiKey: string } | { session: { accessToken: string; refreshToken: string } },
  ): Cspm {
    const { fetch } = this.#balancer;
    return createClient({ baseUrl: FLEET, fetch, pacing: 'off', ...credential });
  }

  /**
   * Sends one request.
   * @throws {Error} when there was no response.
   */
  async ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Reply> {
    const raw = typeof body === 'string';
    const response = await this.#balancer.fetch(FLEET + path, {
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

  /**
   * Repeats a request until its outcome is known: until there is no network failure, no 503, and no first request in
   * progress.
   */
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
        // It is unknown whether the request arrived.
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** The same as `settle` for a call of the SDK, which already retries for a while. */
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

  /** Checks the status of a response whose outcome is known. */
  expect(reply: Reply, status: number, what: string): boolean {
    const holds = reply.status === status;
    this.#violations.demand(
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
