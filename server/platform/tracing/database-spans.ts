import { type Attributes, type Span, SpanKind, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { parseUrl } from '../parse-url.ts';
import { markFailed, tracer } from './tracer.ts';

export interface TracedPoolOptions {
  readonly url: string;
  readonly name: string;
}

/** Any overload of `query`; the traced ones return a promise. */
type Query = (...args: unknown[]) => unknown;

/**
 * Adds a client span (OpenTelemetry semantic conventions, database) for every statement of a pool, including Prisma's.
 * Spans never contain the text or parameters, and exist only within traced work: polling for jobs, heartbeats and
 * metrics run all the time and belong to no trace.
 *
 * Calls with a callback are made by the pool itself, in the context of another caller, and the original call is already
 * traced.
 */
export function tracePool(pool: pg.Pool, { url, name }: TracedPoolOptions): void {
  // Addresses of local sockets may not be URLs.
  const address = parseUrl(url);
  const attributes: Attributes = {
    'db.system.name': 'postgresql',
    ...(address === null ? {} : { 'db.namespace': address.pathname.slice(1) }),
  };
  const waits = { 'db.client.connection.pool.name': name };
  pool.query = told(pool.query.bind(pool) as Query, attributes, (span) => {
    if (pool.idleCount === 0) span.addEvent(WAIT, waits);
  }) as pg.Pool['query'];
  pool.on('connect', (client) => {
    client.query = told(client.query.bind(client) as Query, attributes) as pg.PoolClient['query'];
  });
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;
  pool.connect = ((callback?: unknown) => {
    const span = trace.getActiveSpan();
    if (callback !== undefined || span === undefined || pool.idleCount > 0) {
      return connect(callback);
    }
    const beganAt = performance.now();
    return connect().finally(() => {
      const seconds = (performance.now() - beganAt) / 1000;
      span.addEvent(WAIT, { ...waits, 'db.client.connection.wait_time': seconds });
    });
  }) as pg.Pool['connect'];
}

/** Adds a span for a request that waited for its tenant's share of the connections. */
export function traceTurn(turn: Promise<void>, poolName: string): Promise<void> {
  const span = trace.getActiveSpan();
  if (span === undefined) return turn;
  const beganAt = performance.now();
  return turn.finally(() => {
    const seconds = (performance.now() - beganAt) / 1000;
    span.addEvent(WAIT, {
      'db.client.connection.pool.name': poolName,
      'db.client.connection.wait_time': seconds,
    });
  });
}

/** No connection was idle: one was created, or another request returned one. */
const WAIT = 'db.client.connection.wait';

function told(query: Query, attributes: Attributes, begin?: (span: Span) => void): Query {
  return (...args) => {
    if (typeof args.at(-1) === 'function' || trace.getActiveSpan() === undefined) {
      return query(...args);
    }
    const summary = summaryOf(args[0]);
    const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes });
    span.setAttribute('db.query.summary', summary);
    begin?.(span);
    return ended(span, query(...args) as Promise<pg.QueryResult>);
  };
}

async function ended(span: Span, answer: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  try {
    const result = await answer;
    span.setAttribute('db.operation.name', result.command);
    return result;
  } catch (error) {
    if (error instanceof Error && 'severity' in error && 'code' in error) {
      span.setAttribute('db.response.status_code', String(error.code));
    }
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** The names of our prepared statements. Prisma's are digests. */
const OWN_NAME = /^[a-z][a-z0-9-]*$/;
const COMMAND = /^\s*(\w+)/;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+([\w."]+)/i;
const FUNCTION = /\bSELECT\s+([\w."]+)\(/i;

/** A short summary of a statement that is independent of its parameters. */
function summaryOf(query: unknown): string {
  if (typeof query === 'object' && query !== null) {
    if ('name' in query && typeof query.name === 'string' && OWN_NAME.test(query.name)) {
      return query.name;
    }
    return 'text' in query ? wordsOf(String(query.text)) : 'query';
  }
  return wordsOf(String(query));
}

/** `SELECT projects`; also works for Prisma's statements. */
function wordsOf(text: string): string {
  const command = COMMAND.exec(text)?.[1] ?? 'query';
  const subject = (TABLE.exec(text) ?? FUNCTION.exec(text))?.[1];
  if (subject === undefined) return command;
  return `${command} ${subject.replaceAll('"', '').replace(/^public\./, '')}`;
}
