import { finished, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The bytes are not one complete gzip file (RFC 1952), or something follows it. */
export class GzipError extends Error {
  override readonly name = 'GzipError';

  constructor(options?: ErrorOptions) {
    super('is truncated, goes on after its end, or is not gzip', options);
  }
}

/**
 * Decompresses gzip of one or several members. Ending the iteration leaves the source open.
 * @throws {GzipError}; the error of a source that breaks off
 */
export function gunzipped(source: Readable): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // The iteration throws the error too, but one before its first read would end the process.
  gunzip.on('error', () => undefined);
  let broken: Error | null = null;
  finished(source, { writable: false }, (error) => {
    if (!error) return;
    broken = error;
    gunzip.destroy(error);
  });
  let received = 0;
  source.on('data', (piece: Uint8Array) => {
    received += piece.length;
  });
  source.pipe(gunzip);
  return (async function* () {
    try {
      yield* gunzip;
    } catch (cause) {
      throw broken ?? new GzipError({ cause });
    }
    // Node ends at the first zero byte after a member, without an error, and ignores what follows.
    if (!source.readableEnded || gunzip.bytesWritten < received) throw new GzipError();
  })();
}
