import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@cspm/sdk';
import type { Balancer } from './balancer.ts';
import { type Caller, newKey } from './caller.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Violations } from './violations.ts';

export interface LoadOptions {
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly violations: Violations;
  readonly balancer: Balancer;
  readonly random: Random;
  readonly account: { readonly email: string; readonly password: string; readonly apiKey: string };
  /** The projects with inventories. */
  readonly projects: readonly string[];
}

/** What a client does repeatedly; each run ends with a write whose outcome is known. */
type Habit = (random: Random) => Promise<void>;

/** Concurrent clients with different behavior, which record what they did. */
export class Load {
  readonly #options: LoadOptions;
  readonly #key: Readonly<Record<string, string>>;
  #lastName = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#key = { 'x-api-key': options.account.apiKey };
  }

  /** Returns when every client has finished its current run, however long that takes. */
  async runUntil(end: number): Promise<void> {
    const { random, projects } = this.#options;
    const cspm = this.#options.caller.client(this.#options.account);
    const [first = '', ...others] = projects;
    const habits: Habit[] = [
      this.#makesProjects,
      this.#makesProjects,
      this.#makesProjectsWith(cspm),
      // Two clients use one project, so its scans wait for each other.
      this.#scans(first),
      this.#scans(first),
      ...others.map((project) => this.#scansWith(cspm, project)),
      this.#reads,
      this.#readsWith(cspm),
      await this.#holdsKeys(),
      await this.#holdsKeys(),
      await this.#holdsSession(),
    ];
    await Promise.all(
      habits.map(async (habit) => {
        const own = random.fork();
        while (Date.now() < end) {
          await delay(own.between(20, 300));
          await habit(own).catch((error: unknown) => this.#failed(error));
        }
      }),
    );
  }

  readonly #makesProjects: Habit = async (random) => {
    const { caller, ledger } = this.#options;
    const name = this.#name('project');
    const written = { key: newKey(), made: null as { id: string } | null };
    ledger.projects.set(name, written);
    const headers = { ...this.#key, 'idempotency-key': written.key };
    const reply = await caller.settle('POST', '/projects', headers, { name });
    if (!caller.expect(reply, 201, 'making a project')) return;
    written.made = { id: reply.json.id };
    const seen = await caller.settle('GET', `/projects/${name}`, this.#key);
    caller.expect(seen, 200, 'reading what was just made');
    // Repeats the request although it was answered, as a client without state does.
    if (random.next() > 0.2) return;
    const again = await caller.settle('POST', '/projects', headers, { name });
    caller.expect(again, 201, 'making it again with the same key');
    this.#same('project', again.json?.id, reply.json.id);
  };

  #makesProjectsWith(cspm: ReturnType<Caller['client']>): Habit {
    return async () => {
      const { caller, ledger } = this.#options;
      const name = this.#name('project');
      const written = { key: newKey(), made: null as { id: string } | null };
      ledger.projects.set(name, written);
      const options = { idempotencyKey: written.key };
      written.made = await caller.settleCall(() => cspm.projects.create({ name }, options));
    };
  }

  #scans(project: string): Habit {
    return async () => {
      const { caller, ledger } = this.#options;
      const written = { key: newKey(), made: null as { id: string } | null, project };
      ledger.scans.set(written.key, written);
      const headers = { ...this.#key, 'idempotency-key': written.key };
      const body = { projects: [project], profile: 'full' };
      const reply = await caller.settle('POST', '/scans', headers, body);
      if (!caller.expect(reply, 202, 'launching a scan')) return;
      written.made = { id: reply.json.id };
      for (;;) {
        const { json } = await caller.settle('GET', `/scans/${reply.json.id}`, this.#key);
        if (typeof json?.finishedAt === 'string') return;
        await delay(300);
      }
    };
  }

  #scansWith(cspm: ReturnType<Caller['client']>, project: string): Habit {
    return async () => {
      const { caller, ledger } = this.#options;
      const written = { key: newKey(), made: null as { id: string } | null, project };
      ledger.scans.set(written.key, written);
      const options = { idempotencyKey: written.key };
      const input = { projects: [project], profile: 'full' };
      const { id } = await caller.settleCall(() => cspm.scans.launch(input, options));
      written.made = { id };
      // Follows events from any server, and polls if the stream fails.
      await caller.settleCall(() => cspm.scans.wait(id, { timeoutMs: 120_000 }));
    };
  }

  readonly #reads: Habit = async (random) => {
    const { caller, projects } = this.#options;
    const path = random.pick([
      '/projects?limit=50',
      '/scans?limit=25',
      '/findings?limit=50&status=open',
      `/findings?project=${random.pick(projects)}`,
      '/findings/summary',
      '/audit-events?limit=25',
      '/auth/me',
      '/rules?limit=100',
    ]);
    caller.expect(await caller.settle('GET', path, this.#key), 200, `GET ${path}`);
  };

  #readsWith(cspm: ReturnType<Caller['client']>): Habit {
    return async (random) => {
      const project = random.pick(this.#options.projects);
      await this.#options.caller.settleCall(async () => {
        let count = 0;
        for await (const _ of cspm.findings.list({ project, limit: 20 })) count += 1;
        return count;
      });
    };
  }

  /** Creates keys with a session, uses them, and revokes most of them. */
  async #holdsKeys(): Promise<Habit> {
    const { caller, ledger } = this.#options;
    const session = (await this.#signIn()).accessToken;
    const headers = { authorization: `Bearer ${session}` };
    return async (random) => {
      const name = this.#name('key');
      const written = {
        key: newKey(),
        made: null as { id: string; key: string } | null,
        revoked: false,
      };
      ledger.apiKeys.set(name, written);
      const keyed = { ...headers, 'idempotency-key': written.key };
      const reply = await caller.settle('POST', '/api-keys', keyed, { name });
      if (!caller.expect(reply, 201, 'making an API key')) return;
      written.made = { id: reply.json.id, key: reply.json.key };
      const own = { 'x-api-key': reply.json.key };
      caller.expect(await caller.settle('GET', '/auth/me', own), 200, 'using a new key');
      if (random.next() < 0.3) return;
      // After an unknown outcome, the repetition may find that the first attempt succeeded.
      const gone = await caller.settle('DELETE', `/api-keys/${reply.json.id}`, headers);
      if (gone.status !== 404) caller.expect(gone, 204, 'revoking a key');
      written.revoked = true;
      caller.expect(await caller.settle('GET', '/auth/me', own), 401, 'using a revoked key');
    };
  }

  /** Refreshes a session repeatedly, and signs in again when the outcome of a refresh is unknown. */
  async #holdsSession(): Promise<Habit> {
    const { caller, ledger } = this.#options;
    let tokens = await this.#signIn();
    return async (random) => {
      await delay(random.between(200, 1_000));
      const body = { refreshToken: tokens.refreshToken };
      // A 503 may hide a successful refresh; the token is then used up, and using it again would end the session.
      const reply = await caller.ask('POST', '/auth/refresh', {}, body).catch(() => null);
      if (reply === null || reply.status === 503) {
        tokens = await this.#signIn();
        return;
      }
      if (!caller.expect(reply, 200, 'renewing a session')) {
        tokens = await this.#signIn();
        return;
      }
      ledger.refreshes += 1;
      tokens = reply.json;
      const bearer = { authorization: `Bearer ${tokens.accessToken}` };
      caller.expect(await caller.settle('GET', '/auth/me', bearer), 200, 'using a renewed session');
    };
  }

  async #signIn(): Promise<{ accessToken: string; refreshToken: string }> {
    const { caller, ledger, account } = this.#options;
    const { email, password } = account;
    for (;;) {
      const reply = await caller.settle('POST', '/auth/login', {}, { email, password });
      if (caller.expect(reply, 200, 'signing in')) {
        ledger.signIns += 1;
        return reply.json;
      }
      await delay(1_000);
    }
  }

  #same(what: string, one: unknown, other: unknown): void {
    const { violations } = this.#options;
    violations.demand(
      one === other,
      'a key that made two things',
      () => `${what} ${one}, ${other}`,
    );
  }

  #failed(error: unknown): void {
    const { violations, balancer } = this.#options;
    const told =
      error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : error;
    violations.add('a call that failed for good', `${told} (${balancer.fault})`);
  }

  #name(kind: string): string {
    this.#lastName += 1;
    return `${kind}-${this.#lastName}`;
  }
}
