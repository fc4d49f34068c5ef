import { type Attributes, type Span, SpanKind, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { markFailed, tracer } from './tracer.ts';

export interface TracedPoolOptions {
  readonly url: string;
  readonly name: string;
}

/** Any way of calling `query`; in the ones that are told of, it returns a promise. */
type Query = (...args: unknown[]) => unknown;

/**
 * Has every statement that is sent by way of a pool told of in a client span (OpenTelemetry semantic conventions,
 * database), Prisma's too, which goes down a connection of it. Never with its text or parameters; and only for work that
 * is traced itself: looking for jobs, beating and measuring go on all the time and belong to nobody.
 *
 * Calls with a callback are the pool's own, in whoever's context gave a connection back: the call that caused them is
 * told of already.
 */
export function tracePool(pool: pg.Pool, { url, name }: TracedPoolOptions): void {
  const attributes: Attributes = {
    'db.system.name': 'postgresql',
    // Addresses of local sockets need not be URLs.
    ...(URL.canParse(url) ? { 'db.namespace': new URL(url).pathname.slice(1) } : {}),
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

/** No connection was idle: one was made, or given back by somebody else. */
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

/** The names under which our own statements are prepared. Prisma's are digests. */
const OWN_NAME = /^[a-z][a-z0-9-]*$/;
const COMMAND = /^\s*(\w+)/;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+([\w."]+)/i;
const FUNCTION = /\bSELECT\s+([\w."]+)\(/i;

/** What a statement does, in a few words that are the same whatever its parameters are. */
function summaryOf(query: unknown): string {
  if (typeof query === 'object' && query !== null) {
    if ('name' in query && typeof query.name === 'string' && OWN_NAME.test(query.name)) {
      return query.name;
    }
    return 'text' in query ? wordsOf(String(query.text)) : 'query';
  }
  return wordsOf(String(query));
}

/** `SELECT projects`, of what Prisma sends as well. */
function wordsOf(text: string): string {
  const command = COMMAND.exec(text)?.[1] ?? 'query';
  const subject = (TABLE.exec(text) ?? FUNCTION.exec(text))?.[1];
  if (subject === undefined) return command;
  return `${command} ${subject.replaceAll('"', '').replace(/^public\./, '')}`;
}
