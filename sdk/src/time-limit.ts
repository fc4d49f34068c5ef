import { onAbort } from './on-abort.ts';

/** Longest delay that timers take, in milliseconds (24 days); a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when a time is over, with a `TimeoutError`, and when a signal is aborted, with its reason. What it answers
 * ends the watch, and frees the timer: `AbortSignal.timeout` cannot, and each call would leave one of half a minute.
 */
export function timeLimit(
  ms: number,
  signal: AbortSignal | undefined,
  stop: (reason: unknown) => void,
): () => void {
  const onTime = () => stop(new DOMException('Timed out', 'TimeoutError'));
  const timer = setTimeout(onTime, Math.min(ms, MAX_TIMER_MS));
  const forget = onAbort(signal, stop);
  return () => {
    clearTimeout(timer);
    forget();
  };
}
