import { AUTHORIZED_FOR_MS } from './request-context.ts';

/**
 * Yields what the source does, and authorizes the request again before a piece that comes long after. A client that reads
 * slowly could otherwise get rows for hours after its access has ended.
 * @param authorizedAt when the request was authorized, in milliseconds of `performance.now()`.
 * @throws what `reauthorize` throws, which ends the stream.
 */
export async function* reauthorizedPieces<T>(
  source: AsyncIterable<T>,
  authorizedAt: number,
  reauthorize: () => Promise<void>,
): AsyncGenerator<T, void, undefined> {
  let checkedAt = authorizedAt;
  for await (const piece of source) {
    if (performance.now() - checkedAt > AUTHORIZED_FOR_MS) {
      await reauthorize();
      checkedAt = performance.now();
    }
    yield piece;
  }
}
