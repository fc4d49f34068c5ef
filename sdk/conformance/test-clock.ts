import type { Clock } from '../src/clock.ts';

/** Real milliseconds without activity before time advances; a loopback response takes less. */
const QUIET_MS = 8;

/** Turns of the event loop after which everything that has arrived is read. */
const TURNS = 4;

/** A clock that jumps to the next timer as soon as all code is waiting, so that tests do not wait in real time. */
export class TestClock implements Clock {
  /** All requested sleeps, in milliseconds. */
  readonly sleeps: number[] = [];
  /** The source of `random`. */
  chance: () => number = () => 0.5;
  #now = 1_000;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay = 0;

  readonly now = () => this.#now;
  readonly wallNow = () => Date.UTC(2026, 10, 20) + this.#now;
  readonly random = () => this.chance();

  /** Advances the time directly. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Wraps fetch so that time stands still during requests, which may take long on a loaded machine. */
  holding(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#underWay += 1;
      try {
        return await fetch(input, init);
      } finally {
        this.#letGo(TURNS);
      }
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper = { until: this.#now + ms, wake };
      const abort = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        wake();
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', abort);
      this.#watch();
    });
  }

  #letGo(turns: number): void {
    if (turns > 0) setImmediate(() => this.#letGo(turns - 1));
    else this.#underWay -= 1;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#underWay > 0) return this.#watch();
      const next = Math.min(...this.#sleepers.map(({ until }) => until));
      if (next === Number.POSITIVE_INFINITY) return;
      this.#now = Math.max(this.#now, next);
      const due = this.#sleepers.filter(({ until }) => until <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
      for (const { wake } of due) wake();
      this.#watch();
    }, QUIET_MS);
  }
}
