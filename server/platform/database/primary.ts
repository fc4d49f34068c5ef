import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { reasonOf } from '../reason.ts';
import { addressOf, candidatesIn } from './hosts.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** Between two searches of a request that waits for a primary. */
const SEARCH_AGAIN_MS = 100;
/** How long a search waits for the other hosts after one that accepts writes has answered. */
const OTHERS_WITHIN_MS = 250;

/** No host of the list accepts writes. The request had no effect. */
class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError';
  /** SQLSTATE of a connection that could not be established, so that the request is answered 503. */
  readonly code = '08001';

  constructor(answers: readonly Answer[]) {
    const why = answers.map(({ url, reason }) => `${addressOf(url)}: ${reason}`);
    super(`No host of the database accepts writes (${why.join('; ')})`);
  }
}

interface Answer {
  readonly url: string;
  /** Null: the host does not accept writes, or gave no answer. */
  readonly timeline: number | null;
  readonly reason: string;
}

/**
 * Knows which of several hosts is the primary. Connections go to the host that was found last, until one of them fails or
 * reports that it accepts no writes; then all hosts are asked at the same time. If several accept writes, as after a
 * failover that left the former primary running, the one on the latest timeline is the primary.
 */
export class PrimaryFinder {
  readonly #urls: readonly string[];
  readonly #onMove = new Set<(url: string) => void>();
  #current: string;
  #isCertain = false;
  #search: Promise<void> | null = null;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
    this.#current = urls[0] ?? '';
  }

  /** The URL of the host that was found last. */
  get url(): string {
    return this.#current;
  }

  /** Asks the hosts again before the next connection. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** Calls back when another host has become the primary. */
  onMove(moved: (url: string) => void): void {
    this.#onMove.add(moved);
  }

  forget(moved: (url: string) => void): void {
    this.#onMove.delete(moved);
  }

  /** @throws {NoPrimaryError} when no host accepts writes. */
  async find(withinMs: number): Promise<string> {
    if (!this.#isCertain) {
      this.#search ??= this.#ask(withinMs).finally(() => {
        this.#search = null;
      });
      await this.#search;
    }
    return this.#current;
  }

  async #ask(withinMs: number): Promise<void> {
    const answers = await answersOf(this.#urls, withinMs);
    let primary: Answer | null = null;
    for (const answer of answers) {
      if (answer.timeline !== null && answer.timeline > (primary?.timeline ?? 0)) primary = answer;
    }
    if (primary === null) throw new NoPrimaryError(answers);
    this.#isCertain = true;
    if (primary.url === this.#current) return;
    this.#current = primary.url;
    for (const moved of this.#onMove) moved(primary.url);
  }
}

/** One for each URL of the process, so that all pools follow together. */
const finders = new Map<string, PrimaryFinder>();

/** Null for a URL with one host: its connections need no search. */
export function finderFor(url: string): PrimaryFinder | null {
  const urls = candidatesIn(url);
  if (urls === null) return null;
  const known = finders.get(url);
  if (known !== undefined) return known;
  const finder = new PrimaryFinder(urls);
  finders.set(url, finder);
  return finder;
}

/** The URL of the primary for one connection, such as that of the migrations. */
export async function primaryUrl(url: string, withinMs = 10_000): Promise<string> {
  return (await finderFor(url)?.find(withinMs)) ?? url;
}

/** Sessions that Postgres has reported as read-only, at the start or later. */
const refusing = new WeakMap<pg.ClientBase, Set<string>>();
const REFUSALS = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** Postgres 14 and later report both settings with the start of a session and whenever they change. */
export function watchSession(client: pg.ClientBase): void {
  const on = new Set<string>();
  refusing.set(client, on);
  connectionOf(client).on('parameterStatus', (status: ParameterStatus) => {
    if (!REFUSALS.has(status.parameterName)) return;
    if (status.parameterValue === 'on') on.add(status.parameterName);
    else on.delete(status.parameterName);
  });
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

function acceptsWrites(client: pg.ClientBase): boolean {
  return (refusing.get(client)?.size ?? 0) === 0;
}

/** A member of node-postgres that its types describe as something else. */
function connectionOf(client: pg.ClientBase): SessionConnection {
  return (client as unknown as { readonly connection: SessionConnection }).connection;
}

type SessionConnection = EventEmitter & { readonly stream: { destroy(error: Error): void } };

/** What a pool is created with instead of a URL. */
export function poolConfigFor(finder: PrimaryFinder): pg.PoolConfig {
  // The pool passes its whole configuration to the class, which its types do not say.
  return { Client: clientOf(finder) as unknown as new () => pg.ClientBase };
}

/** A class of connections to the host that was found last. */
function clientOf(finder: PrimaryFinder): new (config: pg.ClientConfig) => pg.Client {
  return class extends HostClient {
    constructor(config: pg.ClientConfig) {
      super(config, finder.url);
    }
  };
}

class HostClient extends pg.Client {
  readonly url: string;

  constructor(config: pg.ClientConfig, url: string) {
    super({ ...config, connectionString: url });
    this.url = url;
    watchSession(this);
  }
}

/** The URL of the host that a connection of a list of hosts leads to. */
export function urlOfClient(client: pg.ClientBase): string | null {
  return client instanceof HostClient ? client.url : null;
}

/**
 * Makes a pool follow the primary. A checkout gets only connections to the current primary that accept writes. Searching
 * and connecting are repeated as long as a request waits for a connection anyway. Connections to a former primary are
 * closed at once, so that nothing is written there, and nobody listens there.
 */
export function followPrimary(
  pool: pg.Pool,
  finder: PrimaryFinder,
  waits: { readonly connectWithinMs: number; readonly answerWithinMs: number },
): void {
  const clients = new Set<pg.PoolClient>();
  const moved = (url: string) => {
    for (const client of clients) {
      if (urlOfClient(client) !== url) connectionOf(client).stream.destroy(new Moved());
    }
  };
  finder.onMove(moved);
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => finder.doubt());
  });
  pool.on('remove', (client) => clients.delete(client));
  const end = pool.end.bind(pool) as (callback?: () => void) => Promise<void>;
  pool.end = ((callback?: () => void) => {
    finder.forget(moved);
    return end(callback);
  }) as pg.Pool['end'];
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connect = async (): Promise<pg.PoolClient> => {
    const deadline = performance.now() + waits.connectWithinMs;
    for (;;) {
      try {
        // An idle connection needs no search; it was closed if another host became the primary.
        if (pool.idleCount === 0) await finder.find(waits.answerWithinMs);
        const client = await take();
        if (urlOfClient(client) === finder.url) {
          if (acceptsWrites(client)) return client;
          finder.doubt();
        }
        client.release(true);
      } catch (error) {
        if (!isWorthAnotherSearch(error)) throw error;
        finder.doubt();
        if (performance.now() >= deadline || pool.ending) throw error;
        await delay(SEARCH_AGAIN_MS);
      }
    }
  };
  pool.connect = ((callback?: ConnectCallback) => {
    if (callback === undefined) return connect();
    connect().then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }) as pg.Pool['connect'];
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

class Moved extends Error {
  readonly code = '08006';

  constructor() {
    super('Connection terminated: another host has become the primary');
  }
}

/** Another search does not help when the pool has no free connection or is closed, or the password is refused. */
function isWorthAnotherSearch(error: unknown): boolean {
  if (!isDatabaseUnavailable(error) || !(error instanceof Error)) return false;
  if (/timeout exceeded when trying|after calling end/.test(error.message)) return false;
  return !('code' in error && String(error.code).startsWith('28'));
}

/** Waits for all hosts, or shortly after one has answered that it accepts writes. */
async function answersOf(urls: readonly string[], withinMs: number): Promise<readonly Answer[]> {
  const answers: Answer[] = urls.map((url) => ({ url, timeline: null, reason: 'no answer' }));
  let awaited = urls.length;
  await new Promise<void>((resolve) => {
    const ask = async (url: string, index: number) => {
      const answer = await answerOf(url, withinMs);
      answers[index] = answer;
      awaited -= 1;
      if (awaited === 0) resolve();
      else if (answer.timeline !== null) setTimeout(resolve, OTHERS_WITHIN_MS).unref();
    };
    urls.forEach((url, index) => void ask(url, index));
  });
  return [...answers];
}

async function answerOf(url: string, withinMs: number): Promise<Answer> {
  const client = new HostClient(
    {
      application_name: 'cspm pulse',
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    },
    url,
  );
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!acceptsWrites(client)) return { url, timeline: null, reason: 'accepts no writes' };
    const { rows } = await client.query<{ timeline: string }>(
      'SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline',
    );
    return { url, timeline: Number.parseInt(rows[0]?.timeline ?? '', 16), reason: '' };
  } catch (error) {
    return { url, timeline: null, reason: reasonOf(error) };
  } finally {
    void client.end().catch(() => undefined);
  }
}
