import { isIP } from 'node:net';

/** Inclusive bounds, as numeric addresses. */
interface AddressRange {
  readonly first: number;
  readonly last: number;
}

/**
 * `significant`: the leading bits of an address that are counted, few enough for exact numbers. Even a million IPv6
 * ranges narrower than /48 contain no measurable part of the addresses.
 */
const FAMILIES = [
  { version: 4, bits: 32, significant: 32 },
  { version: 6, bits: 128, significant: 48 },
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
    const parsed: AddressRange[] = [];
    for (const text of distinct) {
      const range = parseRange(text, family);
      if (range !== null) parsed.push(range);
    }
    return unionSize(parsed) >= COVERING * 2 ** family.significant;
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

function parseRange(range: string, { version, bits, significant }: Family): AddressRange | null {
  const parts = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range);
  const address = parts?.[1] ?? '';
  const length = Number(parts?.[2] ?? bits);
  if (length > significant || isIP(address) !== version) return null;
  const size = 2 ** (significant - length);
  const number = version === 4 ? ipv4Number(address) : ipv6Number(address);
  const first = number - (number % size);
  return { first, last: first + size - 1 };
}

/** Parses an address that `isIP` has accepted. */
function ipv4Number(address: string): number {
  return address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

/**
 * Parses the first 48 bits of an address that `isIP` has accepted. `::` stands for the missing groups, and an embedded
 * IPv4 address for the last two (RFC 4291 §2.2).
 */
function ipv6Number(address: string): number {
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = 8 - before.length - after.length - (address.includes('.') ? 1 : 0);
  let number = 0;
  for (let at = 0; at < 3; at += 1) {
    const group = before[at] ?? after[at - before.length - zeros] ?? '0';
    number = number * 65_536 + Number.parseInt(group, 16);
  }
  return number;
}

function unionSize(ranges: AddressRange[]): number {
  let size = 0;
  let reached = -1;
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    if (last <= reached) continue;
    size += last - (first > reached ? first - 1 : reached);
    reached = last;
  }
  return size;
}
