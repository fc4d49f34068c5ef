import { Resolver } from 'node:dns/promises';
import { ProblemError } from '../../platform/problem.ts';

/** Time limit for all servers and retries together. */
const DEADLINE_MS = 5_000;
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Limits on concurrent look-ups, and on those of one tenant: a DNS server that it controls can delay each to the deadline. */
export const MAX_LOOKUPS = 8;
export const MAX_LOOKUPS_OF_TENANT = 2;
/** `Retry-After` of a refused look-up: the others end within the deadline. */
const RETRY_AFTER_SECONDS = '5';
/** Limits on the number of TXT records and on the length of each. */
const MAX_RECORDS = 200;
const MAX_RECORD_LENGTH = 512;

/** Errors that mean the record does not exist. Any other error means that the result is unknown. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks up the DNS record that verifies a domain. */
export class DomainProof {
  readonly #servers: readonly string[] | null;
  /** Running look-ups, each with its tenant. */
  readonly #running = new Set<{ readonly tenantId: string }>();

  /** @param servers `address` or `address:port`; null for the system's servers. */
  constructor(servers: readonly string[] | null) {
    this.#servers = servers;
  }

  /**
   * Whether a TXT record of the domain equals this value.
   * @param tenantId the tenant that asks.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when no server answers within 5 s or too many look-ups are running,
   * RATE_LIMITED when too many of them are of this tenant.
   */
  async hasRecord(domain: string, value: string, tenantId: string): Promise<boolean> {
    this.#demandRoom(tenantId);
    const lookup = { tenantId };
    this.#running.add(lookup);
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.#servers !== null) resolver.setServers(this.#servers);
    const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      const records = await resolver.resolveTxt(domain);
      return records
        .slice(0, MAX_RECORDS)
        .some((parts) => parts.join('').slice(0, MAX_RECORD_LENGTH + 1) === value);
    } catch (error) {
      if (NO_RECORD.has(codeOf(error))) return false;
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        `The DNS did not answer for ${domain}. The state of the domain is unchanged; try again in a moment.`,
      );
    } finally {
      clearTimeout(timer);
      this.#running.delete(lookup);
    }
  }

  #demandRoom(tenantId: string): void {
    const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
    const own = [...this.#running].filter((lookup) => lookup.tenantId === tenantId);
    if (own.length >= MAX_LOOKUPS_OF_TENANT) {
      const detail = `${MAX_LOOKUPS_OF_TENANT} domains of your tenant are being verified. Try again in a moment.`;
      const members = { limit: 'domain-lookups' };
      throw new ProblemError('RATE_LIMITED', detail, { members, headers });
    }
    if (this.#running.size < MAX_LOOKUPS) return;
    const detail = 'Too many domains are being verified. Try again in a moment.';
    throw new ProblemError('SERVICE_UNAVAILABLE', detail, { headers });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
