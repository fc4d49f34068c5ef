import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { WEBHOOKS_MAX } from '@cspm/contract';
import { RECEIVER_LIMITS } from './secure-agent.ts';
import { isLocalName } from './target-url.ts';

const TIMEOUT_MS = 1_500;
const TRIES = 2;
const DEADLINE_MS = 5_000;
/** How long a host with too many addresses is not asked for again. */
const REFUSED_MS = 600_000;
/** How many such hosts, and tenants that have some, are remembered at most. */
const REMEMBERED = 10_000;
/** A tenant can exceed this number of such hosts within that time only by changing URLs. */
const REFUSED_PER_TENANT = WEBHOOKS_MAX;

/** Errors that mean that a name has no such record. Any other error means that the result is unknown. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Finds the addresses of a host. */
export interface HostLookup {
  /**
   * All addresses, IPv4 first. Empty: the host has none, or more than a receiver may have. Never only some of them,
   * because each address is checked. Also empty: too many hosts of the tenant had too many addresses of late.
   * @throws {Error} when the DNS gives no answer.
   */
  addressesOf(host: string, tenantId: string): Promise<string[]>;
}

/** What a tenant has caused. */
interface Account {
  /** Its look-ups in progress, each of which may find too many addresses. */
  running: number;
  /** Its hosts that had too many addresses, until they are forgotten. */
  refused: number;
  forgottenAt: number;
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
  /** Tenants with look-ups in progress, or with hosts that had too many addresses. */
  readonly #accounts = new Map<string, Account>();

  /**
   * @param servers `address` or `address:port`; null for the system's servers.
   * @param refusedMs how long a host with too many addresses is refused without a look-up. Default 10 minutes.
   */
  constructor(servers: readonly string[] | null, refusedMs = REFUSED_MS) {
    this.#servers = servers;
    this.#refusedMs = refusedMs;
  }

  async addressesOf(host: string, tenantId: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    if (isLocalName(host)) return ['127.0.0.1', '::1'];
    if (performance.now() < (this.#refusedUntil.get(host) ?? 0)) return [];
    const running = this.#running.get(host);
    if (running !== undefined) return running;
    const account = this.#accountOf(tenantId);
    if (account.refused + account.running >= REFUSED_PER_TENANT) return [];
    account.running += 1;
    const lookup = this.#ask(host, account).finally(() => {
      this.#running.delete(host);
      account.running -= 1;
      if (account.running + account.refused === 0) this.#accounts.delete(tenantId);
    });
    this.#running.set(host, lookup);
    return lookup;
  }

  #accountOf(tenantId: string): Account {
    const now = performance.now();
    const known = this.#accounts.get(tenantId);
    const account = known ?? { running: 0, refused: 0, forgottenAt: 0 };
    if (account.refused > 0 && now >= account.forgottenAt) account.refused = 0;
    if (known === undefined) keep(this.#accounts, tenantId, account);
    return account;
  }

  async #ask(host: string, account: Account): Promise<string[]> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.#servers !== null) resolver.setServers(this.#servers);
    const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      // Each address that is copied or checked takes time of the event loop.
      if (found.some((one) => one.status === 'fulfilled' && isTooMany(one.value))) {
        this.#refuse(host, account);
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

  #refuse(host: string, account: Account): void {
    const until = performance.now() + this.#refusedMs;
    keep(this.#refusedUntil, host, until);
    if (account.refused === 0) account.forgottenAt = until;
    account.refused += 1;
  }
}

/** Sets an entry, and removes the oldest one when there are too many. */
function keep<T>(entries: Map<string, T>, key: string, value: T): void {
  // A map keeps the order in which its keys were added.
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > REMEMBERED && oldest !== undefined) entries.delete(oldest);
}

function isTooMany(addresses: readonly string[]): boolean {
  return addresses.length > RECEIVER_LIMITS.addresses;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
