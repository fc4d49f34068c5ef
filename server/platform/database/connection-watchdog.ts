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
 * @param urlOf the URL of the host that a connection leads to.
 * @param onSilence called before the connections to a host that does not answer are ended.
 */
export function endSilentConnections(
  pool: pg.Pool,
  urlOf: (client: pg.PoolClient) => string,
  answerWithinMs: number,
  onSilence: () => void = () => undefined,
): void {
  /** For each connection, the number of consecutive checks in which it was waiting. */
  const seenWaiting = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | null = null;
  let asking = false;

  pool.on('connect', (client) => {
    seenWaiting.set(client, 0);
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
  });
  pool.on('remove', (client) => {
    seenWaiting.delete(client);
    if (seenWaiting.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  });

  function look(): void {
    for (const [client, looks] of seenWaiting) {
      seenWaiting.set(client, isWaiting(client) ? looks + 1 : 0);
    }
    const overdue = [...seenWaiting].find(([, looks]) => looks >= PATIENT_LOOKS);
    if (overdue !== undefined && !asking) void ask(urlOf(overdue[0]));
  }

  async function ask(url: string): Promise<void> {
    asking = true;
    const answered = await answers(url, answerWithinMs);
    if (!answered) onSilence();
    for (const client of seenWaiting.keys()) {
      if (urlOf(client) !== url) continue;
      seenWaiting.set(client, 0);
      // Closing the connection fails its statement, even one that was sent just now: a request with many statements
      // would otherwise wait this long for each.
      if (!answered && isWaiting(client)) void client.end();
    }
    asking = false;
  }
}

/** Between sending a statement and the end of its answer; not while it listens for notifications. */
function isWaiting(client: pg.PoolClient): boolean {
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
