/** @typedef {{ chance(share: number): boolean, pick<T>(from: readonly T[]): T, hex(digits: number): string }} Rng */

/** Mulberry32: small, quick, and the same everywhere. @returns {Rng} */
export function createRng(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)],
    hex: (digits) => {
      let text = '';
      while (text.length < digits)
        text += Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}
