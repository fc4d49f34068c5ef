import { onAbort } from './on-abort.ts';

/** Longest delay of timers, in milliseconds (24 days); a longer one would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back with a `TimeoutError` after a time, or with the reason when a signal is aborted. The returned function
 * ends this and frees the timer, which `AbortSignal.timeout` cannot: each call would leave a timer of half a minute.
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
