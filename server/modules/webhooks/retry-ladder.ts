const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause before each attempt after the first. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** The largest random extension of a pause, as a share of it, so that deliveries that failed together do not retry together. */
const JITTER = 0.2;

/** A webhook is disabled when every attempt has failed for this long. */
export const FAILING_MS = 5 * 24 * HOUR;

/** A receiver that asks for a pause delays the next attempt by this much at most. */
const LONGEST_ASKED_MS = 24 * HOUR;

/**
 * When a delivery is tried again.
 * @param attempts that were made.
 * @param askedMs the pause that the receiver asks for; it makes the pause of the ladder longer, never shorter.
 * @param random from 0 to 1.
 * @returns null after the last attempt.
 */
export function nextAttemptAt(
  attempts: number,
  now: Date,
  {
    askedMs = null,
    random = Math.random(),
  }: { readonly askedMs?: number | null; readonly random?: number } = {},
): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return null;
  const longer = 1 + JITTER * random;
  const asked = Math.min((askedMs ?? 0) * longer, LONGEST_ASKED_MS);
  return new Date(now.getTime() + Math.round(Math.max(pause * longer, asked)));
}
