import { Readable } from 'node:stream';
import { GzipError, gunzipped } from '@cspm/scanner';
import { InputError } from './usage-error.ts';

/** The first bytes of a gzip file (RFC 1952, 2.3.1). */
const MAGIC = [0x1f, 0x8b] as const;

/**
 * Decompresses a file that begins like gzip, whatever its name. Other files are passed on unchanged.
 * @param mustBeGzip whether to refuse others, because of the name of the file
 * @param place the file, as messages name it
 * @throws {InputError} for gzip that is not complete
 */
export async function* decompressed(
  source: AsyncIterable<Uint8Array>,
  { mustBeGzip, place }: { readonly mustBeGzip: boolean; readonly place: string },
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  const ahead: Uint8Array[] = [];
  const head: number[] = [];
  while (head.length < MAGIC.length) {
    const next = await pieces.next();
    if (next.done === true) break;
    ahead.push(next.value);
    head.push(...next.value.subarray(0, MAGIC.length));
  }
  const whole = startingWith(ahead, pieces);
  if (!mustBeGzip && !MAGIC.every((byte, at) => head[at] === byte)) {
    yield* whole;
    return;
  }
  const packed = Readable.from(whole, { objectMode: false });
  try {
    yield* gunzipped(packed);
  } catch (error) {
    throw error instanceof GzipError ? new InputError(`${place} ${error.message}.`) : error;
  } finally {
    packed.destroy();
  }
}

/** The pieces that were read ahead, and then the rest. Ends the source when the iteration ends. */
export async function* startingWith<T>(ahead: T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* ahead.splice(0);
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
