import { setTimeout as delay } from 'node:timers/promises';
import { type Json, OpenApiDocument } from '../../openapi/documented.ts';
import type { Instance } from '../kit/fleet.ts';
import type { Random } from './random.ts';
import type { Violations } from './violations.ts';

/** The longest allowed request, even with dependencies down; a server that takes longer hangs. */
export const DEADLINE_MS = 15_000;
/** Requests slower than this are recorded. */
export const SLOW_MS = 2_000;
const PROBE_EVERY_MS = 300;
/** The share of requests with an Idempotency-Key whose response is dropped even without faults. */
const LOST_ANSWERS = 0.08;

/** One server of the fleet. */
class Target {
  readonly instance: Instance;
  ready = true;
  /**
   * When it was last killed, in milliseconds of `performance.now()`; losing the requests in progress then is expected.
   */
  killedAt = Number.NEGATIVE_INFINITY;

  constructor(instance: Instance) {
    this.instance = instance;
  }
}

/** One request and its outcome. */
export interface Seen {
  readonly operation: string;
  /** Status, or the code of the failure. */
  readonly outcome: string;
  readonly tookMs: number;
  readonly duringFault: string | null;
}

/**
 * The clients' route to the fleet: like a proxy, it checks the readiness of servers and skips unreachable ones. It
 * records the outcome of each request and checks it against the OpenAPI document.
 */
export class Balancer {
  readonly seen: Seen[] = [];
  /** Repeatable writes: how many were made, and how many responses were dropped. */
  lostAnswers = 0;
  /** The current fault, for the record. */
  fault: string | null = null;
  readonly #targets: readonly Target[];
  readonly #violations: Violations;
  readonly #random: Random;
  readonly #openapi = new OpenApiDocument();
  readonly #templates: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly #closing = new AbortController();
  #address = 0;

  constructor(servers: readonly Instance[], violations: Violations, random: Random) {
    this.#targets = servers.map((server) => new Target(server));
    this.#violations = violations;
    this.#random = random;
    this.#templates = Object.keys(this.#openapi.document.paths)
      // Fixed segments match before parameters, as in the server.
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), path }));
  }

  /** Polls the readiness of the servers until it is closed. */
  open(): void {
    for (const target of this.#targets) void this.#probe(target);
  }

  close(): void {
    this.#closing.abort();
  }

  /** Kills a server with its requests in progress. */
  async kill(server: Instance): Promise<void> {
    const target = this.#targets.find(({ instance }) => instance === server);
    if (target !== undefined) target.killedAt = Number.POSITIVE_INFINITY;
    await server.kill();
    if (target !== undefined) target.killedAt = performance.now();
  }

  /** The `fetch` of clients: the host name stands for the fleet, and any server may answer. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const wanted = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', this.#freshAddress());
    const method = init?.method ?? 'GET';
    const choice = this.#choice();
    const lost = headers.has('idempotency-key') && this.#random.next() < LOST_ANSWERS;
    // Half of the responses are dropped after they arrived, half before, while the server still works on them.
    const hangUp = lost && this.#random.next() < 0.5;
    const leaving = hangUp ? AbortSignal.timeout(Math.ceil(this.#random.between(1, 40))) : null;
    const signal = AbortSignal.any([init?.signal, leaving].filter((each) => each != null));
    for (const [index, target] of choice.entries()) {
      try {
        const response = await this.#send(target, method, wanted, { ...init, headers, signal });
        if (!lost) return response;
        this.lostAnswers += 1;
        throw Object.assign(new Error('The answer is lost on its way'), { code: 'LOST' });
      } catch (error) {
        // The request was never sent, so another server can be tried.
        if (codeOf(error) !== 'ECONNREFUSED' || index === choice.length - 1) throw error;
      }
    }
    throw new Error('There are no servers');
  };

  async #send(target: Target, method: string, wanted: URL, init: RequestInit): Promise<Response> {
    const { pathname, search } = wanted;
    const begun = performance.now();
    const fault = this.fault;
    const operation = `${method} ${this.#templateOf(pathname)}`;
    const note = (outcome: string) => {
      const tookMs = performance.now() - begun;
      const duringFault = fault ?? this.fault;
      this.seen.push({ operation, outcome, tookMs, duringFault });
    };
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const isStream = pathname.endsWith('/events');
    const signals = [init.signal, isStream ? null : deadline].filter((signal) => signal != null);
    try {
      const response = await fetch(target.instance.url + pathname + search, {
        ...init,
        signal: AbortSignal.any(signals),
      });
      if (!isStream || response.status !== 200) await this.#check(operation, response.clone());
      note(String(response.status));
      return response;
    } catch (error) {
      const code = codeOf(error);
      note(code);
      if (deadline.aborted) {
        this.#violations.add('a request that hung', `${operation} at ${target.instance.name}`);
      } else if (
        code !== 'ECONNREFUSED' &&
        init.signal?.aborted !== true &&
        target.killedAt < begun
      ) {
        this.#violations.add(
          'a request that was lost though nobody killed its server',
          `${operation} at ${target.instance.name}: ${code} after ${Math.round(performance.now() - begun)} ms (${this.fault})`,
        );
      }
      throw error;
    }
  }

  /** Checks a response against the document and against the rules for valid requests. */
  async #check(name: string, response: Response): Promise<void> {
    const [method = '', path = ''] = name.split(' ');
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const json: Json = isJson ? JSON.parse(text) : undefined;
    const { status, headers } = response;
    const operation = this.#openapi.operation(path, method);
    const fault =
      operation === undefined
        ? 'no such operation'
        : this.#openapi.faultOf(operation, { status, headers, text, json });
    this.#violations.demand(
      fault === null,
      'an answer that is not documented',
      () => `${name}: ${fault}`,
    );
    this.#violations.demand(
      status !== 500 && status !== 429,
      'an answer that nobody deserved',
      () => `${name} (${this.fault}): ${text}`,
    );
  }

  #templateOf(pathname: string): string {
    return this.#templates.find(({ pattern }) => pattern.test(pathname))?.path ?? pathname;
  }

  /** All servers in a random order, ready ones first. */
  #choice(): Target[] {
    const all = this.#random.shuffled(this.#targets);
    return [...all.filter(({ ready }) => ready), ...all.filter(({ ready }) => !ready)];
  }

  async #probe(target: Target): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const signal = AbortSignal.timeout(PROBE_EVERY_MS * 4);
      target.ready = await fetch(`${target.instance.url}/health/ready`, { signal }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      );
      await delay(PROBE_EVERY_MS);
    }
  }

  /** Limits count by address and are not under test here. */
  #freshAddress(): string {
    this.#address += 1;
    return `10.${(this.#address >> 16) & 255}.${(this.#address >> 8) & 255}.${this.#address & 255}`;
  }
}

/** The error code of a failed `fetch`. */
export function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.name === 'AbortError' || at.name === 'TimeoutError') return at.name;
    if (at.cause === undefined) return at.message;
  }
  return String(error);
}
