import { onAbort } from './on-abort.ts';

/** Longest delay in milliseconds (23 days). Timers fire immediately from 2^31 ms on. */
const MAX_TIMER_MS = 2e9;

/**
 * Calls back with a `TimeoutError` after a time, if one is given, or with the reason when a signal is aborted. The
 * returned function ends this and frees the timer, which `AbortSignal.timeout` cannot: each call would leave a timer of half a minute.
 */
export function timeLimit(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  stop: (reason: unknown) => void,
): () => void {
  const onTime = () => stop(new DOMException('Timed out', 'TimeoutError'));
  const timer = ms === undefined ? ms : setTimeout(onTime, Math.min(ms, MAX_TIMER_MS));
  const forget = onAbort(signal, stop);
  return () => {
    clearTimeout(timer);
    forget();
  };
}
