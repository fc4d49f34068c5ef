const EVERY_MS = 20;

/**
 * Measures how long the event loop of this process is blocked, in CPU time between two ticks of a timer, so other
 * programs on the machine do not affect it.
 */
export class StallWatch {
  #worstMs = 0;
  readonly #cpuMs: () => number;
  #before: number;
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  /** @param cpuMs returns the CPU time so far of the thread that runs the event loop */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
    this.#before = cpuMs();
  }

  /** Resets the longest stall, and ignores the CPU time so far. */
  reset(): void {
    this.#worstMs = 0;
    this.#before = this.#cpuMs();
  }

  /** The longest stall since the last reset, in milliseconds of CPU time. */
  get worstMs(): number {
    this.#look();
    return this.#worstMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#cpuMs();
    this.#worstMs = Math.max(this.#worstMs, now - this.#before);
    this.#before = now;
  }
}
