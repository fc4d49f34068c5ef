import { setImmediate } from 'node:timers';

/** Pieces of different tenants that are prepared at the same time. Each takes about 1 ms of the event loop. */
const AT_ONCE = 4;

/**
 * Runs small tasks of tenants in turns: one of each tenant at a time and a few in all, with a pause after each in which
 * everything else that waits for the event loop runs. The tenants that wait are served one after another, so one with
 * many tasks delays another by one task.
 */
export class TenantTurns {
  readonly #atOnce: number;
  readonly #busy = new Set<string>();
  /** Waiting tasks by tenant. The tenant at the front of the map is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(atOnce: number = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Runs a task when it is the tenant's turn. The caller limits how many wait, and may give something else than a tenant. */
  async run<T>(tenantId: string, task: () => Promise<T>): Promise<T> {
    if (this.#busy.has(tenantId) || this.#busy.size >= this.#atOnce) await this.#wait(tenantId);
    else this.#busy.add(tenantId);
    try {
      return await task();
    } finally {
      setImmediate(() => this.#end(tenantId));
    }
  }

  #wait(tenantId: string): Promise<void> {
    return new Promise((resolve) => {
      const tasks = this.#waiting.get(tenantId);
      if (tasks === undefined) this.#waiting.set(tenantId, [resolve]);
      else tasks.push(resolve);
    });
  }

  #end(tenantId: string): void {
    this.#busy.delete(tenantId);
    // At most `atOnce` tenants are skipped.
    for (const [next, tasks] of this.#waiting) {
      if (this.#busy.has(next)) continue;
      const start = tasks.shift();
      this.#waiting.delete(next);
      if (tasks.length > 0) this.#waiting.set(next, tasks);
      this.#busy.add(next);
      start?.();
      return;
    }
  }
}

/** Yields what the source does. Each item is prepared in a turn of the tenant; no turn is held while it is consumed. */
export async function* inTurns<T>(
  turns: TenantTurns,
  tenantId: string,
  source: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const item = await turns.run(tenantId, () => items.next());
      if (item.done === true) return;
      yield item.value;
    }
  } finally {
    await items.return?.();
  }
}
