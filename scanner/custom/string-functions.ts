import { type CelFunc, CelScalar, celList, celMethod, listType } from '@bufbuild/cel';
import { ELEMENTS_MAX, TOO_LARGE } from './bounded-values.ts';

const { DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/**
 * The functions of CEL's string extension in which the library deviates from its definition, and the one that it lacks.
 * They replace those of the library. Positions count code points, as `size()` does. Time is linear in the strings.
 */
export const STRING_FUNCTIONS: CelFunc[] = [
  celMethod('charAt', STRING, [INT], STRING, charAt),
  celMethod('indexOf', STRING, [STRING], INT, indexOf),
  celMethod('indexOf', STRING, [STRING, INT], INT, indexOf),
  celMethod('lastIndexOf', STRING, [STRING], INT, lastIndexOf),
  celMethod('lastIndexOf', STRING, [STRING, INT], INT, lastIndexOf),
  celMethod('replace', STRING, [STRING, STRING], STRING, replace),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, replace),
  celMethod('reverse', STRING, [], STRING, reverse),
  celMethod('split', STRING, [STRING], LIST, split),
  celMethod('split', STRING, [STRING, INT], LIST, split),
  celMethod('substring', STRING, [INT], STRING, substring),
  celMethod('substring', STRING, [INT, INT], STRING, substring),
];

function charAt(this: string, position: bigint): string {
  const at = offsetOf(this, position);
  return this.slice(at, at + unitsAt(this, at));
}

function indexOf(this: string, part: string, from?: bigint): bigint {
  const start = from === undefined ? 0 : startOf(this, part, from);
  return positionOf(this, this.indexOf(part, start));
}

/** @param from the position where the last occurrence may begin */
function lastIndexOf(this: string, part: string, from?: bigint): bigint {
  const start = from === undefined ? this.length : startOf(this, part, from);
  return positionOf(this, this.lastIndexOf(part, start));
}

function substring(this: string, from: bigint, to?: bigint): string {
  const start = offsetOf(this, from);
  const end = to === undefined ? this.length : offsetOf(this, to);
  if (start > end) throw outOfRange();
  return this.slice(start, end);
}

/** @param limit of replacements; a negative one is none. An empty text occurs before each code point, and at the end. */
function replace(this: string, old: string, by: string, limit = -1n): string {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  return this.replaceAll(old === '' ? /(?:)/gu : old, (found) => {
    left -= 1;
    return left >= 0 ? by : found;
  });
}

/** @param limit of parts, the last of which is the rest of the string; a negative one is none */
function split(this: string, separator: string, limit = -1n) {
  if (limit === 0n || (this === '' && separator === '')) return celList([]);
  const parts: string[] = [];
  let start = 0;
  while (limit < 0n || parts.length + 1 < limit) {
    const end = separator === '' ? nextOf(this, start) : this.indexOf(separator, start);
    if (end === -1) break;
    parts.push(this.slice(start, end));
    if (parts.length >= ELEMENTS_MAX) throw new RangeError(TOO_LARGE);
    start = end + separator.length;
  }
  return celList([...parts, this.slice(start)]);
}

function reverse(this: string): string {
  return [...this].reverse().join('');
}

/** The offset after the code point at this one; -1 for the last. */
function nextOf(text: string, offset: number): number {
  const next = offset + unitsAt(text, offset);
  return next < text.length ? next : -1;
}

/** Length in UTF-16 units of the code point at this offset. */
function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * The offset in UTF-16 of a code point; the size of the string is the position of its end.
 * @throws for a position outside the string
 */
function offsetOf(text: string, position: bigint): number {
  let offset = 0;
  if (position < 0n || position > text.length) throw outOfRange();
  for (let left = Number(position); left > 0; left -= 1) {
    if (offset >= text.length) throw outOfRange();
    offset += unitsAt(text, offset);
  }
  return offset;
}

/** The offset where a search begins. Only the empty text is found at the end. */
function startOf(text: string, part: string, position: bigint): number {
  const offset = offsetOf(text, position);
  if (offset === text.length && part !== '') throw outOfRange();
  return offset;
}

/** The number of code points before this offset; -1 stays. */
function positionOf(text: string, offset: number): bigint {
  if (offset === -1) return -1n;
  let position = 0;
  for (let at = 0; at < offset; at += unitsAt(text, at)) position += 1;
  return BigInt(position);
}

/** `reasonOf` recognizes the text. */
function outOfRange(): Error {
  return new RangeError('index out of range');
}
