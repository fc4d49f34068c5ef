import { placeIn } from './json-fault.ts';

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const SMALL_E = 0x65;
/** Upper and lower case differ in this bit. */
const CASE_BIT = 0x20;

/** A number without an exponent that has at most as many characters is finite. */
const FINITE_CHARACTERS = 308;

/**
 * Describes the first number that is out of range, such as 1e999: `JSON.parse` returns Infinity for it, which JSON cannot
 * represent. Linear.
 * @param bytes well-formed JSON
 * @param line the physical line on which it begins
 * @returns null if all numbers are finite
 */
export function describeInfiniteNumber(bytes: Buffer, line: number): string | null {
  const at = findInfiniteNumber(bytes);
  if (at === -1) return null;
  const place = placeIn(bytes.toString('utf8'), bytes.toString('utf8', 0, at).length, line);
  return `The number at ${place} is out of range: it must be between -1.79e308 and 1.79e308.`;
}

/** The index of its first character; -1 if there is none. */
function findInfiniteNumber(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at] === BACKSLASH) at += 1;
      }
    } else if (byte === MINUS || isDigit(byte)) {
      const start = at;
      let hasExponent = false;
      for (let next = byte; isInNumber(next); next = bytes[at] ?? 0) {
        if ((next | CASE_BIT) === SMALL_E) hasExponent = true;
        at += 1;
      }
      if (!hasExponent && at - start <= FINITE_CHARACTERS) continue;
      if (!Number.isFinite(Number(bytes.toString('latin1', start, at)))) return start;
    }
  }
  return -1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isInNumber(byte: number): boolean {
  return (
    isDigit(byte) ||
    byte === POINT ||
    byte === PLUS ||
    byte === MINUS ||
    (byte | CASE_BIT) === SMALL_E
  );
}
