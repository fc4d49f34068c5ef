import { Resolver } from 'node:dns/promises';
import { ProblemError } from '../../platform/problem.ts';

/** Time limit for all servers and retries together. */
const DEADLINE_MS = 5_000;
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Limit on concurrent look-ups. */
const MAX_LOOKUPS = 8;
/** Limits on the number of TXT records and on the length of each. */
const MAX_RECORDS = 200;
const MAX_RECORD_LENGTH = 512;

/** Errors that mean the record does not exist. Any other error means that the result is unknown. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks up the DNS record that verifies a domain. */
export class DomainProof {
  readonly #servers: readonly string[] | null;
  #lookups = 0;

  /** @param servers `address` or `address:port`; null for the system's servers. */
  constructor(servers: readonly string[] | null) {
    this.#servers = servers;
  }

  /**
   * Whether a TXT record of the domain equals this value.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when no server answers within 5 s or too many look-ups are running.
   */
  async hasRecord(domain: string, value: string): Promise<boolean> {
    if (this.#lookups >= MAX_LOOKUPS) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'Too many domains are being verified. Try again in a moment.',
      );
    }
    this.#lookups += 1;
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
      this.#lookups -= 1;
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
