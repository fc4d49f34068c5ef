import { REQUEST_LIMITS } from '@cspm/contract';
import { ProblemError } from '../../platform/problem.ts';
import { slowestFirst, type TransferClient, TransferPace } from '../../platform/transfer-pace.ts';

/** The client of an upload. */
export interface UploadClient extends TransferClient {
  /** Whether it has disconnected, or its upload was refused. */
  isGone(): boolean;
  /** Ends an upload that is fast enough, because somebody else has none. */
  giveWay(reason: GiveWayReason): void;
}

/** `second`: its tenant has another upload. `long`: it has had its slot for a long time. */
export type GiveWayReason = 'second' | 'long';

/** When a slow client loses its slot to another tenant. */
export interface SlowUploads {
  /** How long another tenant has waited while all slots are occupied. */
  readonly afterMs: number;
  /** A client that sends this much keeps its slot. */
  readonly bytesPerSecond: number;
  /** The same for a tenant that has more than one slot, and for a long upload, while a tenant without any waits. */
  readonly secondBytesPerSecond: number;
  /** An upload that has had its slot for longer is a long one. */
  readonly longMs: number;
  /** How long the server waits for a client before its pace is known. */
  readonly windowMs: number;
  /** How often the server checks for waiting tenants. */
  readonly checkMs: number;
}

export interface UploadSlotOptions {
  /** Concurrent uploads in this process. Each uses memory, disk space and sometimes a connection. */
  readonly total: number;
  /** Maximum number of these for one tenant. */
  readonly perTenant: number;
  /** Number of uploads of one tenant that may wait for a slot. */
  readonly waitingPerTenant: number;
  /** How long an upload waits for a slot. Clients that send nothing are disconnected after 30 s. */
  readonly waitMs: number;
  /** Name of one slot's use in error messages. Default: `upload`. */
  readonly unit?: string;
  /** Name of the limit for programs. Default: `uploads`. */
  readonly limit?: string;
  /** Default: no upload loses its slot. */
  readonly slow?: SlowUploads;
}

export const UPLOAD_SLOTS: UploadSlotOptions = {
  total: 8,
  perTenant: 2,
  waitingPerTenant: 32,
  waitMs: 20_000,
  slow: {
    afterMs: 5_000,
    bytesPerSecond: REQUEST_LIMITS.slowUploadBytesPerSecond,
    secondBytesPerSecond: REQUEST_LIMITS.slowSecondUploadBytesPerSecond,
    longMs: REQUEST_LIMITS.longUploadSeconds * 1000,
    windowMs: REQUEST_LIMITS.slowUploadSeconds * 1000,
    checkMs: 1_000,
  },
};

/** Retry-After of refused uploads. */
const RETRY_AFTER_SECONDS = '15';

interface Waiting {
  readonly since: number;
  readonly client: UploadClient | null;
  readonly enter: () => void;
  /** Ends waiting without a slot. */
  readonly leave: () => void;
}

interface Running {
  readonly tenantId: string;
  readonly client: UploadClient | null;
  readonly pace: TransferPace;
  /** When it got its slot, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** Whether it was refused and has not left its slot yet. */
  isLeaving: boolean;
}

/**
 * Limits concurrent uploads per tenant and in total. Uploads without a free slot wait for a limited time. Tenants without a
 * slot come first, and tenants take turns, so that the queue of one does not delay the others. Slow clients cannot keep all
 * slots from other tenants.
 */
export class UploadSlots {
  readonly #options: UploadSlotOptions;
  readonly #active = new Map<string, number>();
  /** In the order of the tenants' next turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Set<Running>();
  #check: NodeJS.Timeout | null = null;
  #total = 0;

  constructor(options: UploadSlotOptions = UPLOAD_SLOTS) {
    this.#options = options;
  }

  /** Number of running uploads. */
  get active(): number {
    return this.#total;
  }

  /** Number of uploads that wait for a slot. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Runs an upload as soon as there is a free slot.
   * @param upload reports to its pace when it waits for the client
   * @param client loses its slot if it is slow; null for work whose duration no client determines
   * @param beforeWaiting throws if the upload would fail anyway, so that no other one is refused for it
   * @throws {ProblemError} RATE_LIMITED when the tenant's own uploads occupy its slots for too long,
   * SERVICE_UNAVAILABLE when all slots are occupied for too long.
   */
  async run<T>(
    tenantId: string,
    upload: (pace: TransferPace) => Promise<T>,
    client: UploadClient | null = null,
    beforeWaiting?: () => Promise<void>,
  ): Promise<T> {
    if (!this.#hasRoom(tenantId)) await beforeWaiting?.();
    if (this.#hasRoom(tenantId)) this.#enter(tenantId);
    else await this.#wait(tenantId, client);
    const pace = new TransferPace(client, this.#options.slow?.windowMs ?? 0);
    const running = { tenantId, client, pace, since: performance.now(), isLeaving: false };
    this.#running.add(running);
    try {
      return await upload(pace);
    } finally {
      this.#running.delete(running);
      this.#leave(tenantId);
    }
  }

  /** Like `run`, for work that is not a single promise. @returns a function that releases the slot; call it once. */
  async enter(tenantId: string): Promise<() => void> {
    if (this.#hasRoom(tenantId)) this.#enter(tenantId);
    else await this.#wait(tenantId);
    return () => this.#leave(tenantId);
  }

  #hasRoom(tenantId: string): boolean {
    return this.#total < this.#options.total && !this.#isOverShare(tenantId);
  }

  #isOverShare(tenantId: string): boolean {
    return (this.#active.get(tenantId) ?? 0) >= this.#options.perTenant;
  }

  #enter(tenantId: string): void {
    this.#total += 1;
    this.#active.set(tenantId, (this.#active.get(tenantId) ?? 0) + 1);
  }

  #leave(tenantId: string): void {
    this.#total -= 1;
    const left = (this.#active.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#active.delete(tenantId);
    else this.#active.set(tenantId, left);
    this.#admit();
  }

  async #wait(tenantId: string, client: UploadClient | null = null): Promise<void> {
    const queue = this.#waiting.get(tenantId) ?? [];
    if (queue.length >= this.#options.waitingPerTenant) throw this.#refusal(tenantId);
    this.#waiting.set(tenantId, queue);
    this.#checkWhileWaiting();
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        since: performance.now(),
        client,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
        leave: () => {
          clearTimeout(timer);
          queue.splice(queue.indexOf(waiting), 1);
          if (queue.length === 0) this.#waiting.delete(tenantId);
          reject(this.#refusal(tenantId));
        },
      };
      const timer = setTimeout(waiting.leave, this.#options.waitMs);
      queue.push(waiting);
    });
  }

  /** Gives free slots to waiting uploads, one per tenant. */
  #admit(): void {
    for (const [tenantId, queue] of this.#turns()) {
      if (!this.#hasRoom(tenantId)) continue;
      const next = queue.shift();
      this.#waiting.delete(tenantId);
      if (queue.length > 0) this.#waiting.set(tenantId, queue);
      if (next === undefined) continue;
      this.#enter(tenantId);
      next.enter();
    }
  }

  /** The waiting tenants: those with the fewest slots first, and of these in turn. */
  #turns(): [string, Waiting[]][] {
    const active = (tenantId: string) => this.#active.get(tenantId) ?? 0;
    return [...this.#waiting].sort(([a], [b]) => active(a) - active(b));
  }

  #checkWhileWaiting(): void {
    const { slow } = this.#options;
    if (slow === undefined || this.#check !== null) return;
    this.#check = setInterval(() => {
      this.#dropGone();
      if (this.#waiting.size > 0) this.#refuseSlow(slow);
      else this.#stopChecking();
    }, slow.checkMs);
    this.#check.unref();
  }

  #stopChecking(): void {
    if (this.#check !== null) clearInterval(this.#check);
    this.#check = null;
  }

  /** Clients that have disconnected wait no longer, so no other upload is refused for them. */
  #dropGone(): void {
    const gone = [...this.#waiting.values()].flatMap((queue) =>
      queue.filter(({ client }) => client?.isGone() === true),
    );
    for (const { leave } of gone) leave();
  }

  /**
   * Refuses the slowest uploads: one for each tenant that waits too long, less those that are leaving. For a tenant without
   * any slot, a tenant with several gives one up sooner, and so does a long upload.
   */
  #refuseSlow(options: SlowUploads): void {
    const { afterMs, bytesPerSecond, secondBytesPerSecond, longMs } = options;
    if (this.#total < this.#options.total) return;
    const slowest = slowestFirst(this.#running, bytesPerSecond);
    const slower = slowestFirst(this.#running, secondBytesPerSecond);
    let leaving = [...this.#running].filter(({ isLeaving }) => isLeaving).length;
    const now = performance.now();
    for (const [tenantId, [first]] of this.#turns()) {
      if (first === undefined || first.since > now - afterMs) continue;
      if (this.#isOverShare(tenantId)) continue;
      if (leaving > 0) {
        leaving -= 1;
        continue;
      }
      const slow = slowest.find((one) => !one.isLeaving && one.tenantId !== tenantId);
      if (slow !== undefined) {
        this.#dismiss(slow);
        slow.client?.end();
        continue;
      }
      if (this.#active.has(tenantId)) continue;
      const staying = slower.filter(({ isLeaving }) => !isLeaving);
      const second = staying.find((one) => this.#hasAnother(one));
      const giving = second ?? staying.find((one) => one.since <= now - longMs);
      if (giving === undefined) continue;
      this.#dismiss(giving);
      giving.client?.giveWay(second === undefined ? 'long' : 'second');
    }
  }

  /** The slot is for those who wait already, so other uploads of its tenant wait for a later turn. */
  #dismiss(running: Running): void {
    running.isLeaving = true;
    const queue = this.#waiting.get(running.tenantId);
    if (queue !== undefined && this.#waiting.delete(running.tenantId)) {
      this.#waiting.set(running.tenantId, queue);
    }
  }

  /** Whether the tenant of an upload has another one that stays. */
  #hasAnother(one: Running): boolean {
    return [...this.#running].some(
      (other) => other !== one && !other.isLeaving && other.tenantId === one.tenantId,
    );
  }

  #refusal(tenantId: string): ProblemError {
    const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
    const { perTenant, unit = 'upload', limit = 'uploads' } = this.#options;
    if (this.#isOverShare(tenantId)) {
      return new ProblemError(
        'RATE_LIMITED',
        `Your tenant has ${perTenant} ${unit}${perTenant === 1 ? '' : 's'} in progress, which is the limit. Repeat this one when another has finished.`,
        { members: { limit }, headers },
      );
    }
    return new ProblemError(
      'SERVICE_UNAVAILABLE',
      `The server has reached its limit of concurrent ${unit}s. Repeat this one after the number of seconds in Retry-After.`,
      { headers },
    );
  }
}
