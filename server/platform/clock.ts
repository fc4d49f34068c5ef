/** The server's source of time; tests replace it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * Tolerated difference between two clocks that date credentials: those of two servers, or ours and that of an identity
 * provider. docs/operations.md names it.
 */
export const CLOCK_SKEW_SECONDS = 60;
