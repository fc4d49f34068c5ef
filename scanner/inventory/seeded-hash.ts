import { randomBytes } from 'node:crypto';

/** The secret of a hash: two 32-bit numbers. */
export type HashSeed = readonly [number, number];

export function randomSeed(): HashSeed {
  return seedFrom(randomBytes(8));
}

/** A seed for a part of what another seed partitions: the same for the same part, and as secret as the other. */
export function seedOfPart(seed: HashSeed, part: string): HashSeed {
  const hash = seededHash(seed);
  return [hash(`0 ${part}`) | 0, hash(`1 ${part}`) | 0];
}

/** Eight bytes for `seedFrom`. */
export function bytesOfSeed([k0, k1]: HashSeed): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(k0, 0);
  bytes.writeInt32LE(k1, 4);
  return bytes;
}

/** The seed that `bytesOfSeed` wrote. */
export function seedFrom({ buffer, byteOffset }: Uint8Array): HashSeed {
  const view = new DataView(buffer, byteOffset, 8);
  return [view.getInt32(0, true), view.getInt32(4, true)];
}

/**
 * A hash function without predictable collisions as long as the seed is secret: HalfSipHash-2-4 over UTF-16 code units.
 * With a known hash, an attacker could choose names that all fall into one partition.
 *
 * @returns a function to unsigned 32-bit integers
 */
export function seededHash([k0, k1]: HashSeed): (text: string) => number {
  return (text) => {
    let v0 = k0;
    let v1 = k1;
    let v2 = 0x6c796765 ^ k0;
    let v3 = 0x74656462 ^ k1;
    // Two code units make a word; the last word holds the rest and the length, followed by the finalisation.
    const last = text.length >>> 1;
    for (let at = 0; at <= last + 1; at += 1) {
      const word = at > last ? 0 : wordOf(text, at, last);
      const rounds = at > last ? 4 : 2;
      if (at > last) v2 ^= 0xff;
      v3 ^= word;
      for (let round = 0; round < rounds; round += 1) {
        v0 = (v0 + v1) | 0;
        v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
        v0 = (v0 << 16) | (v0 >>> 16);
        v2 = (v2 + v3) | 0;
        v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
        v0 = (v0 + v3) | 0;
        v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
        v2 = (v2 + v1) | 0;
        v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
        v2 = (v2 << 16) | (v2 >>> 16);
      }
      v0 ^= word;
    }
    return (v1 ^ v3) >>> 0;
  };
}

function wordOf(text: string, at: number, last: number): number {
  if (at < last) return text.charCodeAt(2 * at) | (text.charCodeAt(2 * at + 1) << 16);
  const odd = text.length % 2 === 1 ? text.charCodeAt(text.length - 1) : 0;
  return odd | (text.length << 24);
}
