import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GzipError, gunzipped } from './gunzip.ts';

const [first, second] = [gzipSync('first,'), gzipSync('second')];

const textOf = (...pieces: Buffer[]) => textFrom(Readable.from(pieces, { objectMode: false }));

async function textFrom(source: Readable): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of gunzipped(source)) read.push(piece);
  return Buffer.concat(read).toString();
}

describe('decompressing gzip', () => {
  it('decompressing gzip gives all members, wherever the pieces end', async () => {
    const whole = Buffer.concat([first, second]);
    expect(await textOf(whole)).toBe('first,second');
    expect(await textOf(...Array.from(whole, (byte) => Buffer.of(byte)))).toBe('first,second');
  });

  it.each([
    ['a zero byte and another member follow', [first, Buffer.alloc(1), second]],
    [
      'a zero byte and another member follow in one piece',
      [Buffer.concat([first, Buffer.alloc(1), second])],
    ],
    ['zeros follow', [first, Buffer.alloc(100_000)]],
    ['other bytes follow', [first, Buffer.from('rest')]],
    ['it is cut off', [first.subarray(0, -4)]],
    ['it is empty', [Buffer.alloc(0)]],
    ['it is something else', [Buffer.from('{"name":"a"}')]],
  ])('decompressing gzip fails when %s', async (_, pieces) => {
    await expect(textOf(...pieces)).rejects.toThrow(GzipError);
  });

  it('decompressing gzip fails with the error of its source, also if that came before', async () => {
    const cause = new Error('disk failed');
    const source = new Readable({ read: () => undefined });
    source.push(first);
    const reading = textFrom(source);
    source.destroy(cause);
    await expect(reading).rejects.toBe(cause);
    await expect(textFrom(source)).rejects.toBe(cause);
  });

  it('decompressing gzip leaves the source open when it is ended early', async () => {
    const source = new Readable({ read: () => undefined });
    source.push(first);
    for await (const _ of gunzipped(source)) break;
    expect(source.destroyed).toBe(false);
  });
});
