import pg from 'pg';

const LOOK_EVERY_MS = 250;
/** A connection that was seen waiting this many times in a row is checked. */
const PATIENT_LOOKS = 3;
const TICK_MS = 50;
/** How long until the connection of an abandoned request is dropped. */
const FORGOTTEN_AFTER_MS = 10_000;

/**
 * Ends connections whose statement waits for a Postgres that no longer answers, so the caller gets an error about one
 * second after `answerWithinMs`. A frozen machine and a network that drops packets do not close connections, and the
 * statement timeout is too long to wait for. To distinguish a slow statement from a silent server, it opens a new
 * connection: if Postgres accepts or refuses that, the statement continues.
 */
export class ConnectionWatchdog<Client extends pg.Client | pg.PoolClient> {
  /** For each connection, the number of consecutive checks in which it was waiting. */
  readonly #seenWaiting = new Map<Client, number>();
  readonly #urlOf: (client: Client) => string;
  readonly #answerWithinMs: number;
  readonly #onSilence: (url: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #asking = false;

  /**
   * @param urlOf the URL of the host that a connection leads to.
   * @param onSilence called before the connections to a host that does not answer are ended.
   */
  constructor(
    urlOf: (client: Client) => string,
    answerWithinMs: number,
    onSilence: (url: string) => void = () => undefined,
  ) {
    this.#urlOf = urlOf;
    this.#answerWithinMs = answerWithinMs;
    this.#onSilence = onSilence;
  }

  watch(client: Client): void {
    this.#seenWaiting.set(client, 0);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  forget(client: Client): void {
    this.#seenWaiting.delete(client);
    if (this.#seenWaiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    for (const [client, looks] of this.#seenWaiting) {
      this.#seenWaiting.set(client, isWaiting(client) ? looks + 1 : 0);
    }
    const overdue = [...this.#seenWaiting].find(([, looks]) => looks >= PATIENT_LOOKS);
    if (overdue !== undefined && !this.#asking) void this.#ask(this.#urlOf(overdue[0]));
  }

  async #ask(url: string): Promise<void> {
    this.#asking = true;
    const answered = await answers(url, this.#answerWithinMs);
    if (!answered) this.#onSilence(url);
    for (const client of this.#seenWaiting.keys()) {
      if (this.#urlOf(client) !== url) continue;
      this.#seenWaiting.set(client, 0);
      // Closing the connection fails its statement, even one that was sent just now: a request with many statements
      // would otherwise wait this long for each.
      if (!answered && isWaiting(client)) void client.end();
    }
    this.#asking = false;
  }
}

/** Watches all connections of a pool. */
export function endSilentConnections(
  pool: pg.Pool,
  urlOf: (client: pg.PoolClient) => string,
  answerWithinMs: number,
  onSilence: () => void = () => undefined,
): void {
  const watchdog = new ConnectionWatchdog(urlOf, answerWithinMs, onSilence);
  pool.on('connect', (client) => watchdog.watch(client));
  pool.on('remove', (client) => watchdog.forget(client));
}

/** Between sending a statement and the end of its answer; not while it listens for notifications. */
function isWaiting(client: pg.ClientBase): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false;
}

async function answers(url: string, withinMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cspm pulse',
    connectionTimeoutMillis: FORGOTTEN_AFTER_MS,
  });
  client.on('error', () => undefined);
  const answer = client.connect().then(
    () => client.end().then(() => true),
    // A refusal, such as too many connections, is an answer too.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  return Promise.race([answer, afterTicks(withinMs / TICK_MS).then(() => false)]);
}

/** Counts turns of the event loop: time in which this process could not read must not count against Postgres. */
function afterTicks(count: number): Promise<void> {
  return new Promise((resolve) => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks < count) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS).unref();
  });
}
