import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { RECEIVER_LIMITS } from './secure-agent.ts';
import { isLocalName } from './target-url.ts';

const TIMEOUT_MS = 1_500;
const TRIES = 2;
const DEADLINE_MS = 5_000;
/** How long a host with too many addresses is not asked for again. */
const REFUSED_MS = 600_000;
/** How many such hosts are remembered at most. */
const REMEMBERED = 10_000;

/** Errors that mean that a name has no such record. Any other error means that the result is unknown. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Finds the addresses of a host. */
export interface HostLookup {
  /**
   * All addresses, IPv4 first. Empty: the host has none, or more than a receiver may have. Never only some of them,
   * because each address is checked.
   * @throws {Error} when the DNS gives no answer.
   */
  addressesOf(host: string): Promise<string[]>;
}

/**
 * Asks the DNS itself. `getaddrinfo` would block a thread of the process for as long as a slow DNS server wants; it
 * would also read `/etc/hosts`, which is of no use for public names.
 */
export class DnsLookup implements HostLookup {
  readonly #servers: readonly string[] | null;
  readonly #refusedMs: number;
  /** Look-ups in progress: one for each host, because the library needs 30 ms of the event loop for a large answer. */
  readonly #running = new Map<string, Promise<string[]>>();
  /** Hosts with too many addresses, and when they may be asked for again. */
  readonly #refusedUntil = new Map<string, number>();

  /**
   * @param servers `address` or `address:port`; null for the system's servers.
   * @param refusedMs how long a host with too many addresses is refused without a look-up. Default 10 minutes.
   */
  constructor(servers: readonly string[] | null, refusedMs = REFUSED_MS) {
    this.#servers = servers;
    this.#refusedMs = refusedMs;
  }

  async addressesOf(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    if (isLocalName(host)) return ['127.0.0.1', '::1'];
    if (performance.now() < (this.#refusedUntil.get(host) ?? 0)) return [];
    const running = this.#running.get(host);
    if (running !== undefined) return running;
    const lookup = this.#ask(host).finally(() => this.#running.delete(host));
    this.#running.set(host, lookup);
    return lookup;
  }

  async #ask(host: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.#servers !== null) resolver.setServers(this.#servers);
    const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      // Each address that is copied or checked takes time of the event loop.
      if (found.some((one) => one.status === 'fulfilled' && isTooMany(one.value))) {
        this.#refuse(host);
        return [];
      }
      const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const unknown = found.find(
        (one) => one.status === 'rejected' && !NO_RECORD.has(codeOf(one.reason)),
      );
      if (addresses.length === 0 && unknown !== undefined) {
        throw new Error('The DNS did not answer');
      }
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  }

  #refuse(host: string): void {
    // A map keeps the order in which its keys were added.
    this.#refusedUntil.delete(host);
    this.#refusedUntil.set(host, performance.now() + this.#refusedMs);
    const [oldest] = this.#refusedUntil.keys();
    if (this.#refusedUntil.size > REMEMBERED && oldest !== undefined) {
      this.#refusedUntil.delete(oldest);
    }
  }
}

function isTooMany(addresses: readonly string[]): boolean {
  return addresses.length > RECEIVER_LIMITS.addresses;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
