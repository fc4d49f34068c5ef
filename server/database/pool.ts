import pg from 'pg';
import { tracePool } from '../tracing/database-spans.ts';
import { isTracing } from '../tracing/tracer.ts';
import { endSilentConnections } from './silence.ts';

export interface PoolOptions {
  readonly url: string;
  readonly name: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  /** In which Postgres takes a new connection, if it answers at all: asked while a statement takes long. Default 1 s. */
  readonly answerWithinMs?: number;
  /** Told of connections that broke while nobody used them. */
  readonly onError: (error: Error) => void;
}

/** How long a request waits for a connection before it is answered 503. */
const CONNECT_TIMEOUT_MS = 2_000;
/** So that, with the statement that it is asked about, a request takes two seconds. */
const ANSWER_WITHIN_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** So long after its statement timeout Postgres is taken to be out of reach: nothing comes through any more. */
const SILENCE_MS = 2_000;

/**
 * The one factory of connections to Postgres. Each has an `error` listener, idle or not: without one, a backend that an
 * operator ends takes the whole process with it.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    // Prisma's driver adapter reads and writes times as if every session kept UTC.
    options: '-c timezone=UTC',
  });
  // A pool that is being closed may see its last connections break, which is what was asked for.
  const onError = (error: Error) => {
    if (!pool.ending) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  endSilentConnections(pool, options.url, options.answerWithinMs ?? ANSWER_WITHIN_MS);
  if (isTracing) tracePool(pool, options);
  return pool;
}
