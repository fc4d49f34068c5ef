import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../kit/until.ts';

export interface Account {
  readonly key: string;
  readonly email: string;
  readonly password: string;
  /** A project with an inventory. */
  readonly project: string;
}

export interface Failure {
  readonly what: string;
  readonly at: string;
  readonly answer: string;
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member, in any shape
type Json = any;

const READS = [
  '/auth/me',
  '/projects?limit=10',
  '/findings?limit=25',
  '/findings/summary',
  '/scans?limit=10',
  '/rules?limit=10',
  '/profiles',
  '/custom-rules',
  '/mutes',
  '/users',
  '/api-keys',
  '/audit-events?limit=10',
  '/tenant',
  '/health/ready',
];
const FINAL = ['completed', 'partial', 'failed', 'cancelled'];
/** How long a scan of the sample may take on a busy machine. */
const SCAN_MS = 60_000;

let addresses = 0;

/**
 * Clients that send requests continuously, to all servers in turn: one server reads what another one created. Every
 * response that the contract does not allow is a failure.
 */
export class Traffic {
  #servers: readonly string[];
  readonly #account: Account;
  readonly #rounds = new Map<string, number>();
  readonly failures: Failure[] = [];
  requests = 0;
  #stopping = false;
  #clients: Promise<void>[] = [];

  constructor(servers: readonly string[], account: Account) {
    this.#servers = servers;
    this.#account = account;
  }

  start(): void {
    const kinds = {
      reads: this.#read,
      writes: this.#write,
      scans: this.#scan,
      sessions: this.#signIn,
    };
    this.#clients = Object.entries(kinds).map(([kind, round]) => this.#keepOn(kind, round));
  }

  /** From the next request on. */
  moveTo(servers: readonly string[]): void {
    this.#servers = servers;
  }

  /** Waits until every kind of client has finished this many further rounds, all started after this call. */
  async more(rounds: number, withinMs = 180_000): Promise<void> {
    const goals = new Map([...this.#rounds].map(([kind, done]) => [kind, done + rounds + 1]));
    await until(
      `${rounds} rounds of every client`,
      async () => [...goals].every(([kind, goal]) => (this.#rounds.get(kind) ?? 0) >= goal),
      withinMs,
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients);
  }

  get summary(): string {
    const rounds = [...this.#rounds]
      .map(([kind, count]) => `${count} rounds of ${kind}`)
      .join(', ');
    return `${this.requests} requests (${rounds}), ${this.failures.length} failed`;
  }

  async #keepOn(kind: string, round: (one: string, other: string) => Promise<void>): Promise<void> {
    this.#rounds.set(kind, 0);
    for (let turn = 0; !this.#stopping; turn += 1) {
      const [one = '', other = one] = this.#servers;
      // Alternately, each server creates what the other one uses.
      await (turn % 2 === 0 ? round(one, other) : round(other, one)).catch((error: unknown) => {
        this.failures.push({
          what: `a round of ${kind}`,
          at: `${one} ${other}`,
          answer: String(error),
        });
      });
      this.#rounds.set(kind, (this.#rounds.get(kind) ?? 0) + 1);
    }
  }

  #read = async (one: string, other: string): Promise<void> => {
    for (const [index, path] of READS.entries()) {
      await this.#ask(200, index % 2 === 0 ? one : other, path);
    }
  };

  /** The same key on another server is the same request. */
  #write = async (one: string, other: string): Promise<void> => {
    const name = `p-${randomUUID()}`;
    const create = { method: 'POST', body: { name }, headers: { 'idempotency-key': name } };
    const made = await this.#ask(201, one, '/projects', create);
    const again = await this.#ask(201, other, '/projects', create);
    if (made?.id !== again?.id) this.#fail('a replay', other, `${made?.id} is not ${again?.id}`);
    await this.#ask(200, other, `/projects/${name}`);
    await this.#ask(204, other, `/projects/${name}`, { method: 'DELETE' });
    await this.#ask(404, one, `/projects/${name}`);
    const { email } = this.#account;
    await this.#ask(202, one, '/auth/forgot-password', { method: 'POST', body: { email } });
  };

  #scan = async (one: string, other: string): Promise<void> => {
    const body = { projects: [this.#account.project], profile: 'full' };
    const launched = await this.#ask(202, one, '/scans', { method: 'POST', body });
    const ended = await until(
      `the end of scan ${launched?.id}`,
      async () => {
        const scan = await this.#ask(200, other, `/scans/${launched?.id}`);
        await delay(50);
        return FINAL.includes(scan?.status) && scan;
      },
      SCAN_MS,
    );
    if (ended.status !== 'completed') this.#fail('a scan', other, JSON.stringify(ended));
    await this.#ask(200, one, `/findings?scan=${launched?.id}&limit=100`);
    await this.#ask(200, other, `/scans/${launched?.id}/rules`);
  };

  /** Tokens of one server work on the other, and are refreshed there. */
  #signIn = async (one: string, other: string): Promise<void> => {
    const { email, password } = this.#account;
    let tokens = await this.#ask(200, one, '/auth/login', {
      method: 'POST',
      body: { email, password },
    });
    for (const [at, next] of [
      [other, one],
      [one, other],
    ] as const) {
      const headers = { authorization: `Bearer ${tokens?.accessToken}` };
      await this.#ask(200, at, '/auth/me', { headers });
      const body = { refreshToken: tokens?.refreshToken };
      tokens = await this.#ask(200, next, '/auth/refresh', { method: 'POST', body });
    }
    const body = { refreshToken: tokens?.refreshToken };
    await this.#ask(204, other, '/auth/logout', { method: 'POST', body });
  };

  async #ask(expected: number, server: string, path: string, asked: Asked = {}): Promise<Json> {
    const { method = 'GET', body, headers = {} } = asked;
    this.requests += 1;
    addresses += 1;
    const credential = 'authorization' in headers ? {} : { 'x-api-key': this.#account.key };
    try {
      const response = await fetch(server + path, {
        method,
        headers: {
          ...credential,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          // Limits of attempts are not under test here.
          'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === expected) return text === '' ? undefined : JSON.parse(text);
      this.#fail(`${method} ${path}`, server, `${response.status} ${text}`);
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? ` ${error.cause}` : '';
      this.#fail(`${method} ${path}`, server, `${error}${cause}`);
    }
    return undefined;
  }

  #fail(what: string, at: string, answer: string): void {
    this.failures.push({ what, at, answer: answer.slice(0, 300) });
  }
}
