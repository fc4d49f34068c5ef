import pg from 'pg';

const LOOK_EVERY_MS = 250;
/** Seen waiting so many times in a row, a connection is asked after. */
const PATIENT_LOOKS = 3;
const TICK_MS = 50;
/** When a connection that nobody waits for any more is dropped. */
const FORGOTTEN_AFTER_MS = 10_000;

/**
 * Ends connections on which a statement waits for a Postgres that answers nobody any more, so that whoever sent it is told
 * about a second after `answerWithinMs` at the latest. A frozen machine and a network that drops packets close no connection,
 * and what a statement may take is too long to be waited for. Whether it is slow or they are silent is told by a new
 * connection: one that is taken, or refused in Postgres' own words, lets the statement go on.
 */
export function endSilentConnections(pool: pg.Pool, url: string, answerWithinMs: number): void {
  /** How many looks in a row each was seen waiting. */
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
    const isOverdue = [...seenWaiting.values()].some((looks) => looks >= PATIENT_LOOKS);
    if (isOverdue && !asking) void ask();
  }

  async function ask(): Promise<void> {
    asking = true;
    const answered = await answers(url, answerWithinMs);
    for (const client of seenWaiting.keys()) {
      seenWaiting.set(client, 0);
      // In the middle of a statement this cuts the connection, and the statement fails. Also of one that was sent only
      // just now: a request of many statements would otherwise wait as long for each.
      if (!answered && isWaiting(client)) void client.end();
    }
    asking = false;
  }
}

/** Between the sending of a statement and the end of its answer; not while it listens for notifications. */
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
    // That there are too many connections already, say, is an answer too.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  return Promise.race([answer, afterTicks(withinMs / TICK_MS).then(() => false)]);
}

/** By the clock of the event loop: a process that had no time to hear an answer must not hold that against Postgres. */
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
