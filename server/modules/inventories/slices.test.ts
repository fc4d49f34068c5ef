import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { slicesOf } from './slices.ts';

describe('slicesOf', () => {
  it.each([1, 7, 64, 65, 1_000])(
    'slices of a body have one size and the same bytes when it arrives in pieces of %i bytes',
    async (pieceBytes) => {
      const body = randomBytes(1_000);
      const slices: Uint8Array[] = [];
      // All pieces share one buffer, so a slice that kept a piece would change later.
      const piece = Buffer.alloc(pieceBytes);
      async function* pieces() {
        for (let at = 0; at < body.length; at += pieceBytes) {
          yield piece.subarray(0, body.copy(piece, 0, at, at + pieceBytes));
        }
      }
      for await (const slice of slicesOf(pieces(), 64)) slices.push(slice);
      expect(slices.map(({ length }) => length)).toEqual([...Array(15).fill(64), 40]);
      expect(Buffer.concat(slices)).toEqual(body);
    },
  );

  it('a body without any bytes has no slices', async () => {
    for await (const _ of slicesOf([new Uint8Array()], 64)) expect.unreachable();
  });
});
