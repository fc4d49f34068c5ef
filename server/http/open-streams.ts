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

/** How streams wait for a slot while all of their kind are open. */
interface Waits {
  /** After this time they are refused. */
  readonly maxMs: number;
  /** After this time a tenant without any stream gets the slot of a tenant with several. */
  readonly afterMs: number;
  /** How often it is looked whether a stream can be ended. */
  readonly checkMs: number;
}

interface OpenStreamOptions {
  readonly limits: Readonly<Record<StreamName, StreamLimit>>;
  readonly slow: SlowReaders;
  readonly waits: Waits;
}

export const OPEN_STREAM_OPTIONS: OpenStreamOptions = {
  limits: OPEN_STREAMS,
  slow: {
    bytesPerSecond: REQUEST_LIMITS.slowStreamBytesPerSecond,
    windowMs: REQUEST_LIMITS.slowStreamSeconds * 1000,
  },
  // The SDK waits 30 s for the first bytes.
  waits: {
    maxMs: REQUEST_LIMITS.streamWaitSeconds * 1000,
    afterMs: REQUEST_LIMITS.streamTakeSeconds * 1000,
    checkMs: 1_000,
  },
};

/** The client of a stream. */
export interface StreamClient extends TransferClient {
  /** Whether it has disconnected. */
  isGone(): boolean;
}

interface OpenStream {
  readonly tenantId: string;
  /** Must learn when the server waits for the client. */
  readonly pace: TransferPace;
  /**
   * Takes a slot. If there is none, it takes that of a slow client of another tenant, or of a tenant with more streams.
   * Exports and reports also wait until one ends.
   * @throws {ProblemError} SERVICE_UNAVAILABLE above the limit of this process.
   */
  readonly enter: () => Promise<void>;
  /** Gives the slot back, and stops counting the stream. */
  readonly end: () => void;
}

interface Waiting {
  readonly stream: OpenStream;
  readonly client: StreamClient;
  readonly since: number;
  /** Ends waiting, with a slot or without. */
  readonly settle: (isOpen: boolean) => void;
}

/** Counts the responses of one kind per credential and per tenant. */
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

/** The streams of one kind. */
class Streams {
  readonly open = new Set<OpenStream>();
  /** In the order in which they were asked for. */
  readonly waiting = new Set<Waiting>();
  /** Streams per credential and tenant that have begun, with a slot or without. */
  readonly counts = new Counts();
  /** Runs while streams wait. */
  check: NodeJS.Timeout | undefined;

  /** The number of open streams by tenant. */
  held(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { tenantId } of this.open) held.set(tenantId, (held.get(tenantId) ?? 0) + 1);
    return held;
  }
}

/**
 * Limits how many long-lived responses this process sends at once, so one caller cannot lock out others. The counters
 * are in memory because the sockets and memory of this process are what is limited. Neither slow clients nor a few tenants can
 * keep all streams from other tenants.
 */
export class OpenStreams {
  readonly #options: OpenStreamOptions;
  readonly #streams: Record<StreamName, Streams> = {
    events: new Streams(),
    export: new Streams(),
    report: new Streams(),
  };

  constructor(options: OpenStreamOptions = OPEN_STREAM_OPTIONS) {
    this.#options = options;
  }

  /** The number of open streams of a kind. */
  open(name: StreamName): number {
    return this.#streams[name].open.size;
  }

  /** The number of streams of a kind that wait for a slot. */
  waiting(name: StreamName): number {
    return this.#streams[name].waiting.size;
  }

  /**
   * Counts one more stream until `end` is called. It has no slot yet, so that a request that is refused before its
   * response begins takes none from others.
   * @throws {ProblemError} RATE_LIMITED above the limit of a credential or tenant.
   */
  begin(name: StreamName, principal: Principal, client: StreamClient): OpenStream {
    const { open, counts } = this.#streams[name];
    const { perCredential, perTenant } = this.#options.limits[name];
    const tenantId = principal.tenant.id;
    const tenant = `tenant ${tenantId}`;
    const credential = `credential ${tenantId} ${credentialOf(principal)}`;
    if (counts.get(credential) >= perCredential) throw tooMany(name, perCredential, 'credential');
    if (counts.get(tenant) >= perTenant) throw tooMany(name, perTenant, 'tenant');
    const keys = [tenant, credential];
    for (const key of keys) counts.add(key, 1);
    let isCounted = true;
    const stream: OpenStream = {
      tenantId,
      pace: new TransferPace(client, this.#options.slow.windowMs),
      enter: () => this.#enter(name, stream, client),
      end: () => {
        if (!isCounted) return;
        isCounted = false;
        for (const key of keys) counts.add(key, -1);
        if (open.delete(stream)) this.#admit(name);
      },
    };
    return stream;
  }

  async #enter(name: StreamName, stream: OpenStream, client: StreamClient): Promise<void> {
    const { open } = this.#streams[name];
    const { inAll } = this.#options.limits[name];
    if (open.size < inAll) open.add(stream);
    else if (!(await this.#wait(name, stream, client))) {
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        `The server has reached its limit of ${inAll} open streams of this kind. Try again later.`,
      );
    }
  }

  /** @returns whether the stream got a slot. */
  #wait(name: StreamName, stream: OpenStream, client: StreamClient): Promise<boolean> {
    const streams = this.#streams[name];
    const { waiting } = streams;
    return new Promise((resolve) => {
      const settle = (isOpen: boolean) => {
        waiting.delete(entry);
        resolve(isOpen);
      };
      const entry = { stream, client, since: performance.now(), settle };
      waiting.add(entry);
      this.#end(this.#slow(name, stream.tenantId)[0] ?? this.#newestOfMost(name, stream.tenantId));
      // Events can be resumed, so nobody waits for a slot that a tenant with more of them could give.
      if (name === 'events' && waiting.has(entry)) settle(false);
      if (waiting.size === 0) return;
      streams.check ??= setInterval(() => this.#check(name), this.#options.waits.checkMs);
    });
  }

  /** Looks for streams to end, once for all that wait, because there can be many of these. */
  #check(name: StreamName): void {
    const streams = this.#streams[name];
    const { open, waiting } = streams;
    const { maxMs, afterMs } = this.#options.waits;
    const now = performance.now();
    for (const { client, since, settle } of waiting) {
      if (now - since >= maxMs || client.isGone()) settle(false);
    }
    const slow = this.#slow(name);
    let held = streams.held();
    for (const { stream, since } of waiting) {
      const { tenantId } = stream;
      let ended = slow.find((one) => one.tenantId !== tenantId && open.has(one));
      if (now - since >= afterMs && !held.has(tenantId)) ended ??= slowestOfMost(open, held);
      if (ended === undefined) continue;
      this.#end(ended);
      held = streams.held();
    }
    if (waiting.size > 0) return;
    clearInterval(streams.check);
    streams.check = undefined;
  }

  /** Gives free slots to the streams that wait: first to the tenants with the fewest open ones, and of these in turn. */
  #admit(name: StreamName): void {
    const { open, waiting } = this.#streams[name];
    while (open.size < this.#options.limits[name].inAll) {
      const held = this.#streams[name].held();
      const heldBy = ({ stream }: Waiting) => held.get(stream.tenantId) ?? 0;
      let next: Waiting | undefined;
      for (const one of waiting) {
        if (next === undefined || heldBy(one) < heldBy(next)) next = one;
      }
      if (next === undefined) return;
      open.add(next.stream);
      next.settle(true);
    }
  }

  #end(stream: OpenStream | undefined): void {
    stream?.end();
    stream?.pace.client?.end();
  }

  /** Those of slow clients, slowest first. */
  #slow(name: StreamName, notOf?: string): OpenStream[] {
    const others = [...this.#streams[name].open].filter((one) => one.tenantId !== notOf);
    return slowestFirst(others, this.#options.slow.bytesPerSecond);
  }

  /**
   * Clients can resume streams of events, so ending one loses nothing. The older streams of its tenant stay, as if the tenants had
   * asked in turn.
   * @returns undefined if no tenant has at least two more than this one. With fewer, two tenants could take a slot from each
   * other for ever.
   */
  #newestOfMost(name: StreamName, tenantId: string): OpenStream | undefined {
    if (name !== 'events') return undefined;
    const { open } = this.#streams[name];
    const held = this.#streams[name].held();
    return ofMost(open, held, (held.get(tenantId) ?? 0) + 2).at(-1);
  }
}

/** The slowest stream of a tenant with several, or the newest if no pace is known. */
function slowestOfMost(open: Set<OpenStream>, held: Map<string, number>): OpenStream | undefined {
  const streams = ofMost(open, held, 2);
  return slowestFirst(streams, Number.POSITIVE_INFINITY)[0] ?? streams.at(-1);
}

/** The streams of the tenants with the most, if these have at least so many. */
function ofMost(open: Set<OpenStream>, held: Map<string, number>, atLeast: number): OpenStream[] {
  const most = Math.max(...held.values());
  return most < atLeast ? [] : [...open].filter((one) => held.get(one.tenantId) === most);
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
