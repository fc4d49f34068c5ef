/** A token this close to its end is renewed before it is used. */
const EARLY_MS = 30_000;

/** When a token of so many seconds ends, in milliseconds since the epoch. */
export function endOf(expiresIn = 900): number {
  return Date.now() + expiresIn * 1000;
}

/** Whether a token can still be used for a call. */
export function isFresh(expiresAt: number): boolean {
  return expiresAt - EARLY_MS > Date.now();
}
