const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/**
 * The time of a scan as rules see it. It notes until when the same questions have the same answers, so that a later scan
 * knows whether it must ask them again.
 */
export class RuleTime {
  readonly #now: Date;
  #sameUntil = Number.POSITIVE_INFINITY;

  constructor(now: Date) {
    this.#now = now;
  }

  /** @param instant in nanoseconds since 1970 */
  isAfter(instant: bigint): boolean {
    if (BigInt(this.#now.getTime()) * NANOSECONDS_PER_MILLISECOND > instant) return true;
    const last = Number(instant / NANOSECONDS_PER_MILLISECOND);
    this.#sameUntil = Math.min(this.#sameUntil, last);
    return false;
  }

  /** For any other use. Nothing is known then about the results at a later time. */
  get date(): Date {
    this.#sameUntil = Number.NEGATIVE_INFINITY;
    return this.#now;
  }

  /**
   * The last time, in milliseconds since 1970, that gives the same answers as since the previous call. It holds for times
   * after that of the scan.
   */
  takeSameUntil(): number {
    const until = this.#sameUntil;
    this.#sameUntil = Number.POSITIVE_INFINITY;
    return until;
  }
}
