import { OPEN_STREAMS, type StreamName } from '@cspm/contract';
import type { Principal } from '../platform/principal.ts';
import { ProblemError } from '../platform/problem.ts';

/** Retry-After of a refused stream. Open streams end by themselves eventually. */
const RETRY_AFTER_SECONDS = '5';

/** Counts the open responses of one kind per credential, per tenant and in total. */
class Counts {
  readonly #of = new Map<string, number>();

  get(key: string): number {
    return this.#of.get(key) ?? 0;
  }

  add(key: string, by: 1 | -1): void {
    const count = this.get(key) + by;
    if (count === 0) this.#of.delete(key);
    else this.#of.set(key, count);
  }
}

/**
 * Limits how many long-lived responses this process sends at once, so one caller cannot lock out others. The counters
 * are in memory because the sockets and memory of this process are what is limited.
 */
export class OpenStreams {
  readonly #counts: Record<StreamName, Counts> = {
    events: new Counts(),
    export: new Counts(),
    report: new Counts(),
  };

  /** The number of open streams of a kind. */
  open(name: StreamName): number {
    return this.#counts[name].get('all');
  }

  /**
   * Counts one more stream until the returned function is called.
   * @throws {ProblemError} RATE_LIMITED above the limit of a credential or tenant, SERVICE_UNAVAILABLE above the limit
   * of this process.
   */
  begin(name: StreamName, principal: Principal): () => void {
    const counts = this.#counts[name];
    const { perCredential, perTenant, inAll } = OPEN_STREAMS[name];
    const tenant = `tenant ${principal.tenant.id}`;
    const credential = `credential ${principal.tenant.id} ${credentialOf(principal)}`;
    if (counts.get(credential) >= perCredential) throw tooMany(name, perCredential, 'credential');
    if (counts.get(tenant) >= perTenant) throw tooMany(name, perTenant, 'tenant');
    if (counts.get('all') >= inAll) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        `The server has reached its limit of ${inAll} open streams of this kind. Try again later.`,
      );
    }
    const keys = ['all', tenant, credential];
    for (const key of keys) counts.add(key, 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const key of keys) counts.add(key, -1);
    };
  }
}

function credentialOf(principal: Principal): string {
  if (principal.kind === 'api_key') return principal.keyId;
  return principal.kind === 'jwt' ? principal.sessionId : principal.kind;
}

function tooMany(name: StreamName, most: number, whose: 'credential' | 'tenant'): ProblemError {
  return new ProblemError(
    'RATE_LIMITED',
    `Your ${whose} has ${most} open streams of the kind "${name}", which is the limit. Close one, or wait until one ends.`,
    { members: { limit: name }, headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}
