import { isIP } from 'node:net';
import { type AddressPolicy, isLoopback } from './address-policy.ts';
import { type Answer, Exchanges, refused } from './exchange.ts';
import { ExchangeThread } from './exchange-thread.ts';
import type { HostLookup } from './host-lookup.ts';
import { RECEIVER_LIMITS } from './secure-agent.ts';
import { hostOf, targetFault } from './target-url.ts';

/** A request to a receiver. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Receivers that cause long computations delay other receivers of their tenant only. */
  readonly tenantId?: string;
}

export interface SenderOptions {
  readonly addresses: AddressPolicy;
  readonly lookup: HostLookup;
  /** For the look-up, the connection and the answer together. */
  readonly deadlineMs?: number;
  /** Certificate authorities besides the usual ones, as PEM. */
  readonly ca?: string;
  /** Called with the error that ended the thread of exchanges over TLS, which are then repeated. */
  readonly onThreadError?: (error: unknown) => void;
}

const DEADLINE_MS = 15_000;
/** The same words in all cases, so that nobody can look up names of the operator's network. */
const NOT_PUBLIC = `The host of the URL must exist in the DNS and have public addresses only, at most ${RECEIVER_LIMITS.addresses} of IPv4 and of IPv6.`;

/**
 * Sends requests to the URLs of tenants, which must not reach anything that only this machine can reach. The host is
 * resolved once; the connection goes to an address that was checked, so that a later answer of the DNS changes nothing.
 * Redirects are not followed.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #deadlineMs: number;
  /** For http, which only this machine can receive. */
  readonly #exchanges = new Exchanges();
  readonly #thread: ExchangeThread;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#thread = new ExchangeThread(options.ca, { onError: options.onThreadError });
  }

  /**
   * Never throws, except when it is aborted, or when no thread can be started; the attempt then does not count.
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
      const answer = await this.#attempt(outgoing, ending.signal);
      ending.signal.throwIfAborted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (isLate) {
        return refused(`The receiver gave no answer within ${this.#deadlineMs / 1000} s.`);
      }
      if (error instanceof LookupFailed) {
        return refused('The DNS did not answer for the host of the URL.');
      }
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#exchanges.close();
    this.#thread.close();
  }

  async #attempt(outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
    const { addresses, lookup } = this.#options;
    // The rules may have become stricter since the webhook was created.
    const fault = targetFault(outgoing.url, addresses);
    if (fault !== null) return refused(`The URL ${fault}.`);
    const url = new URL(outgoing.url);
    const isSecure = url.protocol === 'https:';
    const { tenantId = '' } = outgoing;
    const found = await unlessAborted(lookup.addressesOf(hostOf(url), tenantId), signal).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw new LookupFailed(error);
      },
    );
    const isAllowed = (address: string) =>
      addresses.allows(address) && (isSecure || isLoopback(address));
    if (found.length === 0 || !found.every(isAllowed)) return refused(NOT_PUBLIC);
    const exchange = { ...outgoing, tenantId, addresses: oneOfEachFamily(found) };
    return (isSecure ? this.#thread : this.#exchanges).run(exchange, signal);
  }
}

class LookupFailed extends Error {
  constructor(cause: unknown) {
    super('The DNS did not answer', { cause });
  }
}

function oneOfEachFamily(addresses: readonly string[]): string[] {
  return [4, 6].flatMap((family) => addresses.find((each) => isIP(each) === family) ?? []);
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
