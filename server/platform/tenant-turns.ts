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
  #running = 0;
  /** Tenants with a task that runs or pauses. */
  readonly #busy = new Set<string>();
  /** Waiting tasks by tenant. The tenant at the front of the map is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Tasks whose pause is over. They go on before others begin, because they keep in memory what they waited for. */
  readonly #resuming: (() => void)[] = [];

  constructor(atOnce: number = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** For tasks that run one after another. The caller limits how many there are, and may give something else than a tenant. */
  of(tenantId: string): Turn {
    return {
      run: async (task) => {
        await this.#begin(tenantId);
        try {
          return await task();
        } finally {
          this.#leave(() => this.#busy.delete(tenantId));
        }
      },
      pause: async (pending) => {
        this.#leave();
        try {
          return await pending;
        } finally {
          await this.#resume();
        }
      },
    };
  }

  /** Runs a task when it is the tenant's turn. */
  run<T>(tenantId: string, task: () => Promise<T>): Promise<T> {
    return this.of(tenantId).run(task);
  }

  async #begin(tenantId: string): Promise<void> {
    if (this.#running < this.#atOnce && !this.#busy.has(tenantId)) {
      this.#running += 1;
      this.#busy.add(tenantId);
      return;
    }
    await new Promise<void>((resolve) => {
      const tasks = this.#waiting.get(tenantId);
      if (tasks === undefined) this.#waiting.set(tenantId, [resolve]);
      else tasks.push(resolve);
    });
  }

  async #resume(): Promise<void> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await new Promise<void>((resolve) => this.#resuming.push(resolve));
  }

  #leave(left: () => void = () => undefined): void {
    setImmediate(() => {
      this.#running -= 1;
      left();
      this.#next();
    });
  }

  /** Lets a task go on or begin in place of one that has left. */
  #next(): void {
    const start = this.#resuming.shift() ?? this.#firstWaiting();
    if (start === undefined) return;
    this.#running += 1;
    start();
  }

  #firstWaiting(): (() => void) | undefined {
    for (const [tenantId, tasks] of this.#waiting) {
      // Each waiting tenant that is skipped has a task that runs or pauses.
      if (this.#busy.has(tenantId)) continue;
      const start = tasks.shift();
      this.#waiting.delete(tenantId);
      if (tasks.length > 0) this.#waiting.set(tenantId, tasks);
      this.#busy.add(tenantId);
      return start;
    }
    return undefined;
  }
}

export interface Turn {
  /** Runs a task when it is the tenant's turn. */
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly pause: Pause;
}

/**
 * Waits within a task for something that takes no time of the event loop, such as a statement. Other tenants have their
 * turns meanwhile, and the task goes on in another one.
 */
export type Pause = <T>(pending: Promise<T>) => Promise<T>;

/** Yields what the source does. Each item is prepared in a turn; none is held while it is consumed. */
export function inTurns<T>(
  turn: Turn,
  source: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  return each(source, (begin) => turn.run(begin));
}

/** Yields what the source does, within a task that pauses until the next item is there. */
export function pausing<T>(
  pause: Pause,
  source: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  return each(source, (begin) => pause(begin()));
}

type Next<T> = Promise<IteratorResult<T>>;

async function* each<T>(
  source: AsyncIterable<T>,
  wait: (begin: () => Next<T>) => Next<T>,
): AsyncGenerator<T, void, undefined> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const item = await wait(() => items.next());
      if (item.done === true) return;
      yield item.value;
    }
  } finally {
    await items.return?.();
  }
}
