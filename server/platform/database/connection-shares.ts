/**
 * Multiple of the free connections that one tenant may hold (dynamic thresholds, as in switches that share a buffer). A
 * single tenant gets two thirds of the pool; with more active tenants each gets less. Some connections always stay free
 * for the next tenant.
 */
const HELD_PER_FREE = 2;
/** Time for which a request may hold a connection without counting as slow. */
const FREE_OF_CHARGE_MS = 100;
/** The slow time that a tenant may accumulate; it is reduced by one second per second. */
const SLOW_BUDGET_MS = 3_000;
/**
 * What a tenant over its budget of slow time may hold, and how many connections it must leave free for tenants within
 * theirs.
 */
const HELD_WHILE_SLOW = 2;
const FREE_WHILE_SLOW = 3;

export interface ShareOptions {
  /** Connections of the pool. */
  readonly connections: number;
  /** Maximum number of waiting requests per tenant; further ones are refused immediately. Default 256. */
  readonly waitingPerTenant?: number;
  /** How long a request waits if its tenant already holds connections. Default 5 s. */
  readonly waitMs?: number;
  /** How long a request waits if its tenant holds none because of other tenants. Default 10 s. */
  readonly waitWithoutAnyMs?: number;
}

/** A tenant has more concurrent requests than its share of connections can serve. The refused request had no effect. */
export class TenantOverloadedError extends Error {
  override readonly name = 'TenantOverloadedError';

  constructor() {
    super(
      'Your tenant has too many requests waiting for its share of the database connections. Send fewer concurrent requests, and repeat this one after the number of seconds in Retry-After.',
    );
  }
}

interface Waiter {
  readonly since: number;
  timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Tenant {
  held: number;
  readonly waiters: Set<Waiter>;
  /** Remaining slow time, as of `slowAt`. */
  slowMs: number;
  slowAt: number;
}

/** Maximum number of tenants kept only for their slow time; above it, those without any left are dropped. */
const REMEMBERED = 1_000;

/**
 * Shares the connections of a pool among tenants, so requests of one tenant never delay those of another for long: a
 * limit that depends on the free connections, round-robin among waiting tenants, and a budget for slow statements.
 */
export class ConnectionShares {
  readonly #waitingPerTenant: number;
  readonly #waitMs: number;
  readonly #waitWithoutAnyMs: number;
  readonly #tenants = new Map<string, Tenant>();
  /** Waiting tenants in the order in which they are served. */
  readonly #turns = new Set<Tenant>();
  #free: number;
  #waiting = 0;

  constructor(options: ShareOptions) {
    this.#free = options.connections;
    this.#waitingPerTenant = options.waitingPerTenant ?? 256;
    this.#waitMs = options.waitMs ?? 5_000;
    this.#waitWithoutAnyMs = options.waitWithoutAnyMs ?? 10_000;
  }

  /** Tenants that hold connections, wait for one or have slow time left. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** Waiting requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes a connection of the tenant's share; the caller returns it with `release`.
   * @returns null when the connection is available immediately, which saves the common case a turn of the event loop.
   * @throws {TenantOverloadedError} when too many requests of the tenant wait, or this one has waited too long.
   */
  acquire(tenantId: string): Promise<void> | null {
    const tenant = this.#tenant(tenantId);
    if (tenant.waiters.size === 0 && this.#mayTake(tenant)) {
      tenant.held += 1;
      this.#free -= 1;
      return null;
    }
    if (tenant.waiters.size >= this.#waitingPerTenant) {
      return Promise.reject(new TenantOverloadedError());
    }
    return this.#wait(tenantId, tenant);
  }

  /** @param heldMs how long the connection was held, in milliseconds. */
  release(tenantId: string, heldMs: number): void {
    const tenant = this.#tenants.get(tenantId);
    if (tenant === undefined) throw new Error('Released a connection that was never acquired');
    tenant.held -= 1;
    this.#free += 1;
    if (heldMs > FREE_OF_CHARGE_MS) {
      tenant.slowMs = slowTimeOf(tenant) + heldMs - FREE_OF_CHARGE_MS;
      tenant.slowAt = performance.now();
    }
    this.#forgetIdle(tenantId, tenant);
    if (this.#waiting > 0) this.#grant();
  }

  #tenant(tenantId: string): Tenant {
    const known = this.#tenants.get(tenantId);
    if (known !== undefined) return known;
    if (this.#tenants.size >= REMEMBERED) {
      for (const [id, idle] of this.#tenants) this.#forgetIdle(id, idle);
    }
    const tenant = { held: 0, waiters: new Set<Waiter>(), slowMs: 0, slowAt: 0 };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #mayTake(tenant: Tenant): boolean {
    if (tenant.held >= HELD_PER_FREE * this.#free) return false;
    if (tenant.slowMs === 0 || slowTimeOf(tenant) < SLOW_BUDGET_MS) return true;
    return tenant.held < HELD_WHILE_SLOW && this.#free > FREE_WHILE_SLOW;
  }

  #wait(tenantId: string, tenant: Tenant): Promise<void> {
    return new Promise((resolve, reject) => {
      const overdue = () => this.#overdue(tenantId, tenant, waiter);
      const timer = setTimeout(overdue, this.#waitMs);
      const waiter: Waiter = { since: performance.now(), timer, resolve, reject };
      tenant.waiters.add(waiter);
      this.#turns.add(tenant);
      this.#waiting += 1;
    });
  }

  /** A tenant without any connection waits because of others, so it may wait longer. */
  #overdue(tenantId: string, tenant: Tenant, waiter: Waiter): void {
    const leftMs = this.#waitWithoutAnyMs - (performance.now() - waiter.since);
    if (tenant.held === 0 && leftMs > 0) {
      waiter.timer = setTimeout(
        () => this.#overdue(tenantId, tenant, waiter),
        Math.min(leftMs, this.#waitMs),
      );
      return;
    }
    this.#leave(tenant, waiter);
    this.#forgetIdle(tenantId, tenant);
    waiter.reject(new TenantOverloadedError());
  }

  #leave(tenant: Tenant, waiter: Waiter): void {
    clearTimeout(waiter.timer);
    tenant.waiters.delete(waiter);
    this.#waiting -= 1;
    if (tenant.waiters.size === 0) this.#turns.delete(tenant);
  }

  /** Gives free connections to waiting tenants: first to the one that holds the fewest, then round-robin. */
  #grant(): void {
    while (this.#free > 0) {
      const tenant = this.#next();
      const [waiter] = tenant?.waiters ?? [];
      if (tenant === null || waiter === undefined) return;
      tenant.held += 1;
      this.#free -= 1;
      // Moves the tenant to the end of the queue if more of its requests wait.
      this.#turns.delete(tenant);
      this.#turns.add(tenant);
      this.#leave(tenant, waiter);
      waiter.resolve();
    }
  }

  #next(): Tenant | null {
    let next: Tenant | null = null;
    for (const tenant of this.#turns) {
      if (next !== null && tenant.held >= next.held) continue;
      if (!this.#mayTake(tenant)) continue;
      next = tenant;
      if (next.held === 0) break;
    }
    return next;
  }

  #forgetIdle(tenantId: string, tenant: Tenant): void {
    if (tenant.held > 0 || tenant.waiters.size > 0) return;
    if (tenant.slowMs === 0 || slowTimeOf(tenant) === 0) this.#tenants.delete(tenantId);
  }
}

function slowTimeOf({ slowMs, slowAt }: Tenant): number {
  return slowMs === 0 ? 0 : Math.max(0, slowMs - (performance.now() - slowAt));
}
