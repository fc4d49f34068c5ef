import type { CallOptions } from './options.ts';
import { timeLimit } from './time-limit.ts';

/** The pieces of a stream. A call begins when it is iterated over; leaving the loop closes the connection. */
export interface Stream<T, Chunk = T> extends AsyncIterable<T> {
  /** Begins the call, as a stream of the web: text becomes bytes of UTF-8, as a `Response` takes them. */
  toReadableStream(): ReadableStream<Chunk>;
}

/**
 * Turns a stream into an async iterable. Each iteration opens its own stream when the first piece is requested. `open`
 * gets a signal that is aborted when the caller aborts or leaves the iteration, even while a piece is awaited, and when
 * the time that the caller has set is over.
 */
export function asStream<T>(
  ofCall: CallOptions,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): Stream<T, unknown> {
  function iterate() {
    const controller = new AbortController();
    const abort = (reason?: unknown) => controller.abort(reason);
    const pieces = (async function* () {
      const forget = timeLimit(ofCall.timeoutMs, ofCall.signal, abort);
      try {
        yield* open(controller.signal);
      } finally {
        forget();
      }
    })();
    const leave = pieces.return;
    return Object.assign(pieces, {
      return: () => {
        abort();
        return leave.call(pieces, undefined);
      },
    });
  }
  return {
    [Symbol.asyncIterator]: iterate,
    toReadableStream() {
      const pieces = iterate();
      return bytesOf(
        () => pieces.next(),
        () => pieces.return() as Promise<never>,
      );
    },
  };
}

/** A stream of what `next` delivers, requested piece by piece. Text becomes bytes. */
export function bytesOf(
  next: () => Promise<IteratorResult<unknown, unknown>>,
  cancel?: () => Promise<void>,
): ReadableStream<unknown> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await next();
        if (done) controller.close();
        else
          controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
      },
      cancel,
    } as UnderlyingDefaultSource,
    { highWaterMark: 0 },
  );
}
