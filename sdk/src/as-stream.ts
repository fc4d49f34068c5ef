import { onAbort } from './on-abort.ts';

/**
 * Dresses a stream as something to iterate over: each iteration opens one of its own when its first piece is asked for.
 * `open` gets a signal that is aborted when the caller aborts or leaves the iteration, also while a piece is awaited.
 */
export function asStream<T>(
  caller: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const abort = (reason?: unknown) => controller.abort(reason);
      const forget = onAbort(caller, abort);
      async function* run() {
        try {
          yield* open(controller.signal);
        } finally {
          forget();
        }
      }
      const pieces = run();
      const leave = pieces.return;
      return Object.assign(pieces, {
        return() {
          abort();
          return leave.call(pieces, undefined);
        },
      });
    },
  };
}
