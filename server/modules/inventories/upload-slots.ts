import { ProblemError } from '../../platform/problem.ts';

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
}

export const UPLOAD_SLOTS: UploadSlotOptions = {
  total: 8,
  perTenant: 2,
  waitingPerTenant: 32,
  waitMs: 20_000,
};

/** Retry-After of refused uploads. */
const RETRY_AFTER_SECONDS = '15';

interface Waiting {
  readonly enter: () => void;
}

/**
 * Limits concurrent uploads per tenant and in total. Uploads without a free slot wait for a limited time. Tenants take
 * turns, so that the queue of one does not delay the others.
 */
export class UploadSlots {
  readonly #options: UploadSlotOptions;
  readonly #active = new Map<string, number>();
  /** In the order of the tenants' next turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(options: UploadSlotOptions = UPLOAD_SLOTS) {
    this.#options = options;
  }

  /** Number of running uploads. */
  get active(): number {
    return this.#total;
  }

  /**
   * Runs an upload as soon as there is a free slot.
   * @throws {ProblemError} RATE_LIMITED when the tenant's own uploads occupy its slots for too long,
   * SERVICE_UNAVAILABLE when all slots are occupied for too long.
   */
  async run<T>(tenantId: string, upload: () => Promise<T>): Promise<T> {
    if (this.#hasRoom(tenantId)) this.#enter(tenantId);
    else await this.#wait(tenantId);
    try {
      return await upload();
    } finally {
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

  async #wait(tenantId: string): Promise<void> {
    const queue = this.#waiting.get(tenantId) ?? [];
    if (queue.length >= this.#options.waitingPerTenant) throw this.#refusal(tenantId);
    this.#waiting.set(tenantId, queue);
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#waiting.delete(tenantId);
        reject(this.#refusal(tenantId));
      }, this.#options.waitMs);
      queue.push(waiting);
    });
  }

  /** Gives free slots to waiting uploads, one per tenant in turn. */
  #admit(): void {
    for (const [tenantId, queue] of [...this.#waiting]) {
      if (!this.#hasRoom(tenantId)) continue;
      const next = queue.shift();
      this.#waiting.delete(tenantId);
      if (queue.length > 0) this.#waiting.set(tenantId, queue);
      if (next === undefined) continue;
      this.#enter(tenantId);
      next.enter();
    }
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
