import { OPEN_STREAMS, REQUEST_LIMITS, type StreamLimit, type StreamName } from '@cspm/contract';
import type { Principal } from '../platform/principal.ts';
import { ProblemError } from '../platform/problem.ts';
import { slowestFirst, type TransferClient, TransferPace } from '../platform/transfer-pace.ts';

/** Retry-After of a refused stream. Open streams end by themselves eventually. */
const RETRY_AFTER_SECONDS = '5';

/** When a slow client loses its stream to another tenant. */
interface SlowReaders {
  /** A client that reads this much keeps its stream. */
  readonly bytesPerSecond: number;
  /** How long the server waits for a client before its pace is known. */
  readonly windowMs: number;
}

interface OpenStreamOptions {
  readonly limits: Readonly<Record<StreamName, StreamLimit>>;
  readonly slow: SlowReaders;
}

const OPTIONS: OpenStreamOptions = {
  limits: OPEN_STREAMS,
  slow: {
    bytesPerSecond: REQUEST_LIMITS.slowStreamBytesPerSecond,
    windowMs: REQUEST_LIMITS.slowStreamSeconds * 1000,
  },
};

interface OpenStream {
  readonly tenantId: string;
  readonly pace: TransferPace;
  /** Stops counting it. */
  readonly end: () => void;
}

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
 * are in memory because the sockets and memory of this process are what is limited. Slow clients cannot keep all streams
 * from other tenants, nor can a few tenants keep all streams of events.
 */
export class OpenStreams {
  readonly #options: OpenStreamOptions;
  readonly #open: Record<StreamName, Set<OpenStream>> = {
    events: new Set(),
    export: new Set(),
    report: new Set(),
  };
  readonly #counts: Record<StreamName, Counts> = {
    events: new Counts(),
    export: new Counts(),
    report: new Counts(),
  };

  constructor(options: OpenStreamOptions = OPTIONS) {
    this.#options = options;
  }

  /** The number of open streams of a kind. */
  open(name: StreamName): number {
    return this.#counts[name].get('all');
  }

  /**
   * Counts one more stream until `end` is called. Above the limit of this process, it takes the place of a slow client of
   * another tenant; a stream of events also that of a tenant with more of them.
   * @returns also the pace of the client, which must learn when the server waits for it
   * @throws {ProblemError} RATE_LIMITED above the limit of a credential or tenant, SERVICE_UNAVAILABLE above the limit
   * of this process.
   */
  begin(name: StreamName, principal: Principal, client: TransferClient): OpenStream {
    const counts = this.#counts[name];
    const { perCredential, perTenant, inAll } = this.#options.limits[name];
    const tenantId = principal.tenant.id;
    const tenant = tenantKey(tenantId);
    const credential = `credential ${tenantId} ${credentialOf(principal)}`;
    if (counts.get(credential) >= perCredential) throw tooMany(name, perCredential, 'credential');
    if (counts.get(tenant) >= perTenant) throw tooMany(name, perTenant, 'tenant');
    if (counts.get('all') >= inAll && !this.#makeRoom(name, tenantId)) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        `The server has reached its limit of ${inAll} open streams of this kind. Try again later.`,
      );
    }
    const keys = ['all', tenant, credential];
    for (const key of keys) counts.add(key, 1);
    const open = this.#open[name];
    const stream: OpenStream = {
      tenantId,
      pace: new TransferPace(client, this.#options.slow.windowMs),
      end: () => {
        if (!open.delete(stream)) return;
        for (const key of keys) counts.add(key, -1);
      },
    };
    open.add(stream);
    return stream;
  }

  /** @returns whether a stream of another tenant was ended. */
  #makeRoom(name: StreamName, tenantId: string): boolean {
    const ended = this.#slowest(name, tenantId) ?? this.#newestOfMost(name, tenantId);
    if (ended === undefined) return false;
    ended.end();
    ended.pace.client?.end();
    return true;
  }

  #slowest(name: StreamName, tenantId: string): OpenStream | undefined {
    const others = [...this.#open[name]].filter((stream) => stream.tenantId !== tenantId);
    return slowestFirst(others, this.#options.slow.bytesPerSecond)[0];
  }

  /**
   * Clients resume streams of events, so ending one loses nothing. The older streams of its tenant stay, as if the tenants had
   * asked in turn.
   * @returns undefined if no tenant has at least two more than this one. With fewer, two tenants could take a place from each
   * other for ever.
   */
  #newestOfMost(name: StreamName, tenantId: string): OpenStream | undefined {
    if (name !== 'events') return undefined;
    const counts = this.#counts[name];
    let most = counts.get(tenantKey(tenantId)) + 2;
    let newest: OpenStream | undefined;
    for (const stream of this.#open[name]) {
      const held = counts.get(tenantKey(stream.tenantId));
      if (held < most) continue;
      most = held;
      newest = stream;
    }
    return newest;
  }
}

function tenantKey(tenantId: string): string {
  return `tenant ${tenantId}`;
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
