import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { tracePool } from '../tracing/database-spans.ts';
import { isTracing } from '../tracing/tracer.ts';
import { lowerBackendPriority } from './backend-priority.ts';
import { endSilentConnections } from './connection-watchdog.ts';
import { sendLargeParametersInPlace } from './large-parameters.ts';
import { finderFor, followPrimary, poolConfigFor, urlOfClient } from './primary.ts';
import { installTimestampParser } from './timestamp-parser.ts';
import { isStatementOutOfResources } from './unavailable.ts';

export interface PoolOptions {
  /** With several hosts or `target_session_attrs`, the pool follows the primary. */
  readonly url: string;
  readonly name: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  /** For transactions that set a longer statement timeout. Default: `statementTimeoutMs`. */
  readonly longestStatementMs?: number;
  /** How long a caller waits for a connection; a request is then answered with 503. Default 2 s. */
  readonly connectWithinMs?: number;
  /** How long a new connection may take when a slow statement triggers the check. Default half of `connectWithinMs`. */
  readonly answerWithinMs?: number;
  /** How far the priority of its Postgres processes is lowered if they run on this machine, as a nice value. Default 0. */
  readonly niceness?: number;
  /** Called for connections that broke while idle. */
  readonly onError: (error: Error) => void;
}

installTimestampParser();

const CONNECT_WITHIN_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** This long after its statement timeout, a statement counts as lost because Postgres is unreachable. */
const SILENCE_MS = 2_000;
/** How long `end` waits for Postgres to close connections, which it does at once unless it is unreachable. */
const CLOSE_WITHIN_MS = 2_000;

/**
 * `query` keeps the connection of a statement for which the disk of Postgres was full. node-postgres closes it after every
 * error, and then Postgres may accept no other one.
 *
 * `end` also waits for the connections to close, which node-postgres does not: a Postgres that is stopped right after
 * would terminate them, and each would log an error.
 */
class ClosingPool extends pg.Pool {
  readonly #closing = new Set<Promise<unknown>>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => {
      const closed = new Promise((resolve) => client.once('end', resolve));
      this.#closing.add(closed);
      void closed.then(() => this.#closing.delete(closed));
    });
  }

  override query = ((...statement: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      // With callbacks, as in node-postgres, so that the statement is traced once.
      this.connect((refused, client) => {
        if (client === undefined) {
          reject(refused);
          return;
        }
        const ended = (error: Error | null, result?: unknown) => {
          client.release(error !== null && !isStatementOutOfResources(error));
          if (error === null) resolve(result);
          else reject(error);
        };
        const send = client.query.bind(client) as (...given: readonly unknown[]) => void;
        try {
          send(...statement, ended);
        } catch (error) {
          client.release(true);
          reject(error);
        }
      });
    })) as pg.Pool['query'];

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = super
      .end()
      .then(() => settledWithin(Promise.all(this.#closing), CLOSE_WITHIN_MS));
    return callback === undefined ? ended : void ended.then(callback);
  }
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const giveUp = new AbortController();
  await Promise.race([
    promise,
    setTimeout(ms, undefined, { signal: giveUp.signal }).catch(() => {}),
  ]);
  giveUp.abort();
}

/**
 * Sets what every session needs. These are not parameters of the connection, because PgBouncer refuses parameters that it does
 * not know, or drops them if it is told to ignore them.
 *
 * - Prisma's driver adapter assumes that every session uses UTC.
 * - With `jit`, a Postgres with LLVM compiles each statement that it estimates to be costly, every time that it runs: a summary
 *   that takes 20 ms can take 15 s.
 */
const PREPARE_SESSION = `
  SELECT FROM (
    SELECT set_config('timezone', 'UTC', false), set_config('jit', 'off', false),
           set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false)
    OFFSET 0) AS set`;

/**
 * Creates all connections to Postgres. Each has an `error` listener, because without one a terminated backend crashes
 * the whole process.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { connectWithinMs = CONNECT_WITHIN_MS, niceness = 0 } = options;
  const answerWithinMs = options.answerWithinMs ?? connectWithinMs / 2;
  const finder = finderFor(options.url);
  const pool = new ClosingPool({
    ...(finder === null ? { connectionString: options.url } : poolConfigFor(finder)),
    application_name: options.name,
    max: options.maxConnections,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 60_000,
    query_timeout: (options.longestStatementMs ?? options.statementTimeoutMs) + SILENCE_MS,
    keepAlive: true,
    onConnect: async (client) => {
      const values = [String(options.statementTimeoutMs), String(IDLE_IN_TRANSACTION_TIMEOUT_MS)];
      // A part of connecting, which the check for silent connections does not see yet.
      const query = { text: PREPARE_SESSION, values, query_timeout: connectWithinMs };
      await client.query(query);
    },
  });
  // Connections that break while the pool closes are expected.
  const onError = (error: Error) => {
    if (!pool.ending) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    sendLargeParametersInPlace(client);
    if (niceness > 0) void lowerBackendPriority(client, niceness);
  });
  const urlOf = (client: pg.PoolClient) => urlOfClient(client) ?? options.url;
  endSilentConnections(pool, urlOf, answerWithinMs, () => finder?.doubt());
  if (finder !== null) followPrimary(pool, finder, { connectWithinMs, answerWithinMs });
  if (isTracing) tracePool(pool, options);
  return pool;
}
