import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import { type AddressPolicy, isLoopback } from './address-policy.ts';
import type { HostLookup } from './host-lookup.ts';
import { hostOf, portOf, targetFault } from './target-url.ts';

/** A request to a receiver. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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

export interface SenderOptions {
  readonly addresses: AddressPolicy;
  readonly lookup: HostLookup;
  /** For the look-up, the connection and the answer together. */
  readonly deadlineMs?: number;
  /** Certificate authorities besides the usual ones, as PEM. */
  readonly ca?: string;
}

const DEADLINE_MS = 15_000;
/** The part of a response body that is read. Nobody needs it, but a receiver may still be writing it. */
const READ_BYTES = 4_096;
const READ_MS = 1_000;
const HEADER_BYTES = 16_384;
/** Responses with a status below 200 that precede the response. */
const INTERIM_RESPONSES = 8;
/**
 * Without key exchange in finite fields: OpenSSL would compute with a prime of up to 10,000 bits that the receiver
 * chooses, and a handshake runs on the event loop.
 */
const KEY_EXCHANGE = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
} as const;
/** How long a connection is kept for the next event of its receiver, and how many of one receiver are. */
const KEPT_MS = 4_000;
const KEPT_CONNECTIONS = 16;
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

const NOT_PUBLIC = 'The host of the URL does not resolve to public addresses.';

/**
 * Sends requests to the URLs of tenants, which must not reach anything that only this machine can reach. The host is
 * resolved once; the connection goes to an address that was checked, so that a later answer of the DNS changes nothing.
 * Redirects are not followed.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #deadlineMs: number;
  /** They tell connections apart by address, port, server name and authorities, so each request gets the one it asks for. */
  readonly #agents = {
    'http:': new http.Agent(KEEP_ALIVE),
    'https:': new https.Agent(KEEP_ALIVE),
  };

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  }

  /**
   * Never throws, except when it is aborted.
   * @param signal aborts the attempt, whose outcome is then unknown.
   */
  async send(outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    // AbortSignal.any and AbortSignal.timeout cost as much as a tenth of an attempt.
    const ending = new AbortController();
    const abort = () => ending.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, this.#deadlineMs);
    try {
      return await this.#attempt(outgoing, ending.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isLate) {
        return refused(`The receiver gave no answer within ${this.#deadlineMs / 1000} s.`);
      }
      return refused(problemOf(error));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #attempt(outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
    const { addresses, lookup } = this.#options;
    // The rules may have become stricter since the webhook was created.
    const fault = targetFault(outgoing.url, addresses);
    if (fault !== null) return refused(`The URL ${fault}.`);
    const url = new URL(outgoing.url);
    const found = await unlessAborted(lookup.addressesOf(hostOf(url)), signal).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw new LookupFailed(error);
      },
    );
    const isAllowed = (address: string) =>
      addresses.allows(address) && (url.protocol === 'https:' || isLoopback(address));
    // The same words for names without addresses, so that nobody can look up names of the operator's network.
    if (found.length === 0 || !found.every(isAllowed)) return refused(NOT_PUBLIC);
    const [first, ...others] = oneOfEachFamily(found);
    if (first === undefined) return refused(NOT_PUBLIC);
    try {
      return await this.#post(url, first, outgoing, signal);
    } catch (error) {
      const [second] = others;
      if (second === undefined || signal.aborted || !NOT_CONNECTED.has(codeOf(error))) throw error;
      return this.#post(url, second, outgoing, signal);
    }
  }

  async #post(
    url: URL,
    address: string,
    { headers, body }: Outgoing,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { ca } = this.#options;
    const isSecure = url.protocol === 'https:';
    const host = hostOf(url);
    const options: https.RequestOptions = {
      method: 'POST',
      host: address,
      family: isIP(address),
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      agent: isSecure ? this.#agents['https:'] : this.#agents['http:'],
      maxHeaderSize: HEADER_BYTES,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(isSecure ? KEY_EXCHANGE : {}),
    };
    const send = () => exchange((isSecure ? https : http).request(options), body, signal);
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof KeptConnectionClosed) || signal.aborted) throw error;
      // The receiver closed it before it could read the request, which says nothing about the receiver.
      options.agent = false;
      return send();
    }
  }
}

const KEEP_ALIVE = {
  ...{ keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS, timeout: KEPT_MS },
} as const;

class KeptConnectionClosed extends Error {}
class TooManyInterimResponses extends Error {}

/** @throws {KeptConnectionClosed} when the connection was kept from an earlier request and ends without an answer. */
async function exchange(
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

function refused(problem: string): Answer {
  return { status: null, problem };
}

class LookupFailed extends Error {
  constructor(cause: unknown) {
    super('The DNS did not answer', { cause });
  }
}

function problemOf(error: unknown): string {
  if (error instanceof LookupFailed) return 'The DNS did not answer for the host of the URL.';
  if (error instanceof TooManyInterimResponses) {
    return `The receiver sent more than ${INTERIM_RESPONSES} interim responses.`;
  }
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

function oneOfEachFamily(addresses: readonly string[]): string[] {
  return [4, 6].flatMap((family) => addresses.find((each) => isIP(each) === family) ?? []);
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

/** A look-up cannot be aborted; it ends by its own time limit. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
