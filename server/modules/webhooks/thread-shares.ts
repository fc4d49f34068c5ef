/** A piece of work that takes this much processor time is long, however long the thread waited for the processor. */
const LONG_MS = 5;
/** The part of the thread for long work of a tenant, and for any work of a tenant that delays others. */
const SHARE = 1 / 5;
/** Long work of a tenant that is done at once, in ms. */
const BURST_MS = 100;
/** Loads are averages that decay over this time. An idle thread can thus do 400 ms of any work before it is full. */
const WINDOW_MS = 500;
/** Above this load the thread is full, so that work of other tenants would be delayed. */
const FULL = 4 / 5;
/** Below this load, the other tenants do nothing. */
const IDLE = 1 / 2_000;
/** The longest wait before the loads are compared again. */
const LOOK_MS = 50;
const REMEMBERED = 10_000;

/** An average of the part of the thread that work takes. */
interface Load {
  load: number;
  at: number;
}

interface Account extends Load {
  /** When the long work of the tenant would be done if it took only its share of the thread. */
  doneAt: number;
}

/**
 * Shares a thread among tenants. One whose receivers cause long computations, as with hostile certificates, waits between
 * them, and the others do not. Short work waits only while the thread is full and several tenants use it.
 */
export class ThreadShares {
  readonly #accounts = new Map<string, Account>();
  readonly #total: Load = { load: 0, at: 0 };
  readonly #onWork: () => void;

  /** @param onWork called after each piece of work, so that a busy thread is told from one that is blocked. */
  constructor(onWork: () => void = () => undefined) {
    this.#onWork = onWork;
  }

  /** How long the tenant has to wait before it asks again; 0: it may work. */
  waitMs(tenantId: string, now: number): number {
    const account = this.#accounts.get(tenantId);
    if (account === undefined) return 0;
    const longMs = account.doneAt - BURST_MS / SHARE - now;
    return Math.max(0, longMs, this.#crowdedMs(account, now));
  }

  /**
   * Counts work of a tenant, as the time for which the others had to wait.
   * @param cpuMs the processor time that it took, or more: that of all threads meanwhile.
   */
  take(tenantId: string, since: number, now: number, cpuMs = now - since): void {
    this.#onWork();
    const ms = now - since;
    const account = this.#accounts.get(tenantId) ?? { doneAt: 0, load: 0, at: now };
    add(this.#total, ms, now);
    add(account, ms, now);
    const isLong = ms >= LONG_MS && cpuMs >= LONG_MS;
    if (isLong) account.doneAt = Math.max(account.doneAt, since) + ms / SHARE;
    // A map keeps the order in which its keys were added.
    this.#accounts.delete(tenantId);
    this.#accounts.set(tenantId, account);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > REMEMBERED && oldest !== undefined) this.#accounts.delete(oldest);
  }

  #crowdedMs(account: Account, now: number): number {
    const own = loadAt(account, now);
    if (own <= SHARE) return 0;
    const total = loadAt(this.#total, now);
    if (total <= FULL || total - own <= IDLE) return 0;
    return Math.min(LOOK_MS, WINDOW_MS * Math.log(own / SHARE), WINDOW_MS * Math.log(total / FULL));
  }
}

function loadAt({ load, at }: Load, now: number): number {
  return load * Math.exp((at - now) / WINDOW_MS);
}

function add(to: Load, ms: number, now: number): void {
  to.load = loadAt(to, now) + ms / WINDOW_MS;
  to.at = now;
}
