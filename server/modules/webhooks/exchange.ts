import http from 'node:http';
import type https from 'node:https';
import { isIP } from 'node:net';
import { SecureAgent, TooManyBytes } from './secure-agent.ts';
import { hostOf, portOf } from './target-url.ts';
import { ThreadShares } from './thread-shares.ts';

/** A request to a receiver whose addresses were checked. */
export interface Exchange {
  readonly url: string;
  /** At most one of each family, in the order in which they are tried. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The tenant whose share of the thread this uses. */
  readonly tenantId: string;
}

/** What came of an attempt. */
export interface Answer {
  /** Null: there was no HTTP answer. */
  readonly status: number | null;
  /** Null: the receiver accepted the request. Never text of the receiver or of a library. */
  readonly problem: string | null;
  /** The `Retry-After` header of an answer with status 429 or 503, as it was received. */
  readonly retryAfter?: string;
}

/** The part of a response body that is read. Nobody needs it, but a receiver may still be writing it. */
const READ_BYTES = 4_096;
const READ_MS = 1_000;
const HEADER_BYTES = 16_384;
/** Responses with a status below 200 that precede the response. */
const INTERIM_RESPONSES = 8;
/** How long a connection is kept for the next event of its receiver, and how many of one receiver and tenant are. */
const KEPT_MS = 4_000;
const KEPT_CONNECTIONS = 64;
const KEEP_ALIVE = {
  ...{ keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS, timeout: KEPT_MS },
} as const;
/** How a receiver ends a connection that was kept, while the next request is sent on it. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** The connection was not established, so the next address of the host may be tried. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
]);

/** Sends requests to checked addresses, and keeps connections. Redirects are not followed. */
export class Exchanges {
  readonly #ca: string | undefined;
  readonly #shares: ThreadShares;
  /**
   * They tell connections apart by address, port, server name and authorities, so each request gets the one it asks for.
   * Over TLS, they also tell them apart by tenant.
   */
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': SecureAgent };

  /**
   * @param ca certificate authorities besides the usual ones, as PEM.
   * @param onWork called after each piece of work for TLS.
   */
  constructor(ca?: string, onWork?: () => void) {
    this.#ca = ca;
    this.#shares = new ThreadShares(onWork);
    this.#agents = {
      'http:': new http.Agent(KEEP_ALIVE),
      'https:': new SecureAgent(this.#shares, KEEP_ALIVE),
    };
  }

  /** Never throws. After an abort, the answer means nothing. */
  async run(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
    let failure: unknown;
    for (const address of exchange.addresses) {
      try {
        return await this.#post(exchange, address, signal);
      } catch (error) {
        failure = error;
        if (signal.aborted || !NOT_CONNECTED.has(codeOf(error))) break;
      }
    }
    return refused(problemOf(failure));
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(exchange: Exchange, address: string, signal: AbortSignal): Promise<Answer> {
    const { headers, body, tenantId } = exchange;
    const url = new URL(exchange.url);
    const isSecure = url.protocol === 'https:';
    const host = hostOf(url);
    const options: https.RequestOptions & { tenantId: string } = {
      method: 'POST',
      protocol: url.protocol,
      host: address,
      family: isIP(address),
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      agent: isSecure ? this.#agents['https:'] : this.#agents['http:'],
      maxHeaderSize: HEADER_BYTES,
      tenantId,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
    };
    const send = () => answerTo(http.request(options), body, signal);
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof KeptConnectionClosed) || signal.aborted) throw error;
      // The receiver closed it before it could read the request, which says nothing about the receiver.
      options.agent = isSecure ? new SecureAgent(this.#shares) : false;
      return send();
    }
  }
}

class KeptConnectionClosed extends Error {}
class TooManyInterimResponses extends Error {}

/** @throws {KeptConnectionClosed} when the connection was kept from an earlier request and ends without an answer. */
async function answerTo(
  request: http.ClientRequest,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  let isWhole = false;
  const abort = () => request.destroy(new Error('aborted'));
  signal.addEventListener('abort', abort);
  try {
    const response = await responseTo(request, body);
    isWhole = await readLittle(response);
    signal.throwIfAborted();
    return answerOf(response.statusCode ?? 0, response.headers['retry-after']);
  } catch (error) {
    if (request.reusedSocket && CLOSED.has(codeOf(error))) throw new KeptConnectionClosed();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    // Otherwise the connection is kept for the next request.
    if (!isWhole) request.destroy();
  }
}

/** Sends a request. Its errors after the response are of no interest. */
function responseTo(request: http.ClientRequest, body: string): Promise<http.IncomingMessage> {
  let interim = 0;
  return new Promise((resolve, reject) => {
    request
      .on('information', () => {
        interim += 1;
        if (interim > INTERIM_RESPONSES) request.destroy(new TooManyInterimResponses());
      })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed')))
      .end(body);
  });
}

/** Too Many Requests, and Service Unavailable: the statuses with which a receiver asks for a pause. */
const PAUSING = new Set([429, 503]);

function answerOf(status: number, retryAfter: string | undefined): Answer {
  if (status >= 200 && status < 300) return { status, problem: null };
  const problem =
    status >= 300 && status < 400
      ? `The receiver redirects with status ${status}. Redirects are not followed.`
      : `The receiver answered with status ${status}.`;
  if (retryAfter === undefined || !PAUSING.has(status)) return { status, problem };
  return { status, problem, retryAfter };
}

export function refused(problem: string): Answer {
  return { status: null, problem };
}

function problemOf(error: unknown): string {
  if (error instanceof TooManyInterimResponses) {
    return `The receiver sent more than ${INTERIM_RESPONSES} interim responses.`;
  }
  if (error instanceof TooManyBytes) return error.message;
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return 'The answer of the receiver is not valid HTTP.';
  if (NOT_CONNECTED.has(code)) return `The receiver cannot be reached (${code}).`;
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_|SELF_|DEPTH_|HOSTNAME_|EPROTO)/.test(code)) {
    return `The TLS connection to the receiver failed (${code}).`;
  }
  return 'The receiver closed the connection without an answer.';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Reads the beginning of the body, so that a receiver can finish a short answer.
 * @returns whether that was all of it.
 */
async function readLittle(response: http.IncomingMessage): Promise<boolean> {
  let bytes = 0;
  await new Promise<void>((done) => {
    const timer = setTimeout(done, READ_MS);
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= READ_BYTES) done();
    });
    response.once('close', () => {
      clearTimeout(timer);
      done();
    });
    response.once('end', done);
    response.once('error', () => done());
  });
  return response.complete;
}
