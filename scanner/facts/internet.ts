import { isIP } from 'node:net';

/**
 * `significant`: the leading bits of an address that are counted. With the six bits of a prefix length they fit in an exact
 * number. Even a million IPv6 ranges narrower than /46 contain no measurable part of the addresses.
 */
const FAMILIES = [
  { version: 4, bits: 32, significant: 32 },
  { version: 6, bits: 128, significant: 46 },
] as const;

type Family = (typeof FAMILIES)[number];

/** The part of the addresses of a family from which on ranges cover it. */
const COVERING = 0.99;

/**
 * Whether the ranges together contain at least 99 % of the IPv4 or of the IPv6 addresses. `0.0.0.0/0` does; so do
 * `0.0.0.0/1` and `128.0.0.0/1`, and every finer split, a common way to evade reviews.
 * @param ranges in the notation of RFC 4632 §3.1 and RFC 4291 §2.3; a single address is a range of one; anything else
 * is empty
 */
export function coversInternet(ranges: readonly string[]): boolean {
  return FAMILIES.some((family) => {
    // Decides nearly every rule: ranges whose sizes add up to too little cannot cover it, even without overlap.
    if (shareOf(ranges, family) < COVERING) return false;
    const distinct = new Set(ranges);
    if (distinct.size < ranges.length && shareOf(distinct, family) < COVERING) return false;
    return unionSize(keysOf(distinct, family), family) >= COVERING * 2 ** family.significant;
  });
}

/** The part of the addresses of the family in these ranges, with overlaps counted several times. */
function shareOf(ranges: Iterable<string>, { version, bits }: Family): number {
  let share = 0;
  for (const range of ranges) {
    if (range.includes(':') === (version === 6)) share += 2 ** -(prefixLength(range) ?? bits);
  }
  return share;
}

/**
 * Which of these ranges to remove so that the others do not cover the internet: those that are wider than any private
 * network, or all if the others still cover it.
 */
export function excessOf(ranges: readonly string[]): (range: string) => boolean {
  return coversInternet(ranges.filter((range) => !isWide(range))) ? () => true : isWide;
}

/** 10.0.0.0/8 is the widest private network, and the widest IPv6 allocation to one network is a /19. */
function isWide(range: string): boolean {
  const length = prefixLength(range);
  return length !== null && length < (range.includes(':') ? 16 : 8);
}

function prefixLength(range: string): number | null {
  const slash = range.indexOf('/');
  return slash === -1 ? null : Number(range.slice(slash + 1));
}

/** How many prefix lengths a key can tell apart. */
const LENGTHS = 64;

/** The counted ranges of the family as numbers, ascending: first address × LENGTHS + prefix length. */
function keysOf(ranges: ReadonlySet<string>, family: Family): Float64Array {
  const keys = new Float64Array(ranges.size);
  let count = 0;
  for (const range of ranges) {
    const key = keyOf(range, family);
    if (key === null) continue;
    keys[count] = key;
    count += 1;
  }
  return keys.subarray(0, count).sort();
}

function keyOf(range: string, { version, bits, significant }: Family): number | null {
  const slash = range.indexOf('/');
  const address = slash === -1 ? range : range.slice(0, slash);
  const length = slash === -1 ? bits : lengthAt(range, slash + 1);
  if (length === null || length > significant) return null;
  if (isIP(address) !== version || address.includes('%')) return null;
  const size = 2 ** (significant - length);
  const number = version === 4 ? ipv4Number(address) : ipv6Number(address, significant);
  return (number - (number % size)) * LENGTHS + length;
}

const CODES = { zero: 0x30, nine: 0x39, colon: 0x3a, dot: 0x2e };

/** The number of one to three digits at the end of a range. */
function lengthAt(range: string, start: number): number | null {
  if (range.length === start || range.length > start + 3) return null;
  let length = 0;
  for (let at = start; at < range.length; at += 1) {
    const code = range.charCodeAt(at);
    if (code < CODES.zero || code > CODES.nine) return null;
    length = length * 10 + code - CODES.zero;
  }
  return length;
}

/** Parses an address that `isIP` has accepted. */
function ipv4Number(address: string): number {
  let [number, octet] = [0, 0];
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code === CODES.dot) [number, octet] = [number * 256 + octet, 0];
    else octet = octet * 10 + code - CODES.zero;
  }
  return number * 256 + octet;
}

/**
 * Parses the leading bits of an address that `isIP` has accepted. `::` stands for the missing groups, and an embedded
 * IPv4 address for the last two (RFC 4291 §2.2).
 */
function ipv6Number(address: string, significant: number): number {
  const groups: number[] = [];
  /** How many groups precede `::`; -1: there is no `::`. */
  let before = -1;
  /** The value of the group so far; -1: it has no digit yet. */
  let group = -1;
  const end = () => {
    if (group !== -1) groups.push(group);
    group = -1;
  };
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code === CODES.colon) {
      end();
      if (address.charCodeAt(at + 1) === CODES.colon) before = groups.length;
    } else if (code === CODES.dot) {
      // The first 64 bits cannot be in an IPv4 address, so its value does not matter.
      group = 0;
      groups.push(0);
      break;
    } else {
      group = (group === -1 ? 0 : group * 16) + hexDigit(code);
    }
  }
  end();
  const zeros = before === -1 ? 0 : 8 - groups.length;
  let number = 0;
  for (let at = 0; at < 3; at += 1) {
    const isZero = before !== -1 && at >= before && at < before + zeros;
    const value = isZero ? 0 : groups[before === -1 || at < before ? at : at - zeros];
    number = number * 65_536 + (value ?? 0);
  }
  return Math.floor(number / 2 ** (48 - significant));
}

function hexDigit(code: number): number {
  return code <= CODES.nine ? code - CODES.zero : (code | 0x20) - 0x57;
}

/** How many addresses the ranges contain together. */
function unionSize(keys: Float64Array, { significant }: Family): number {
  let size = 0;
  let reached = 0;
  for (const key of keys) {
    const length = key % LENGTHS;
    const first = (key - length) / LENGTHS;
    const end = first + 2 ** (significant - length);
    if (end <= reached) continue;
    size += end - Math.max(first, reached);
    reached = end;
  }
  return size;
}
