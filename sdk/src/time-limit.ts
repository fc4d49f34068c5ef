import { MAX_TIMER_MS } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** A signal that fires when its parent does, with the parent's reason, or after a time. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The work is over: frees the timer and lets go of the parent. */
  end(): void;
}

/**
 * Bounds a piece of work in time. Done by hand because `AbortSignal.timeout` cannot be cancelled: each call would
 * leave a timer of half a minute behind.
 */
export function timeLimit(ms: number, parent: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent?.reason);
  const onTime = () =>
    controller.abort(new DOMException(`Timed out after ${Math.round(ms)} ms`, 'TimeoutError'));
  const timer = ms > MAX_TIMER_MS ? undefined : setTimeout(onTime, ms);
  const forget = onAbort(parent, onParent);
  if (parent?.aborted) onParent();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      forget();
    },
  };
}
