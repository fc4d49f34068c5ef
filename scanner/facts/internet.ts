import { isIP } from 'node:net';

/** Inclusive bounds, as numeric addresses. */
interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

const FAMILIES = [
  { version: 4, bits: 32 },
  { version: 6, bits: 128 },
] as const;

/**
 * Whether the ranges together contain at least 99 % of the IPv4 or of the IPv6 addresses. `0.0.0.0/0` does; so do
 * `0.0.0.0/1` and `128.0.0.0/1`, and every finer split, a common way to evade reviews.
 * @param ranges in the notation of RFC 4632 §3.1 and RFC 4291 §2.3; a single address is a range of one; anything else
 * is empty
 */
export function coversInternet(ranges: readonly string[]): boolean {
  return FAMILIES.some(({ version, bits }) => {
    // Decides nearly every rule: ranges whose sizes add up to too little cannot cover it, even without overlap.
    let share = 0;
    for (const range of ranges) {
      if (range.includes(':') === (version === 6)) share += 2 ** -(prefixLength(range) ?? bits);
    }
    if (share < 0.99) return false;
    const parsed = ranges.map((range) => parseRange(range, version, bits));
    return unionSize(parsed.filter((range) => range !== null)) * 100n >= (1n << BigInt(bits)) * 99n;
  });
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

function parseRange(range: string, version: 4 | 6, bits: 32 | 128): AddressRange | null {
  const parts = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range);
  const address = parts?.[1] ?? '';
  const length = Number(parts?.[2] ?? bits);
  if (isIP(address) !== version || length > bits) return null;
  const size = 1n << BigInt(bits - length);
  const number = version === 4 ? ipv4Number(address) : ipv6Number(address);
  const first = number - (number % size);
  return { first, last: first + size - 1n };
}

/** Parses an address that `isIP` has accepted. */
function ipv4Number(address: string): bigint {
  return address.split('.').reduce((number, octet) => number * 256n + BigInt(octet), 0n);
}

/** Parses an address that `isIP` has accepted: `::` stands for the missing groups (RFC 4291 §2.2). */
function ipv6Number(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = new Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((number, group) => number * 65_536n + group, 0n);
}

function groups(part: string): bigint[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const embedded = ipv4Number(group);
    return [embedded / 65_536n, embedded % 65_536n];
  });
}

function unionSize(ranges: readonly AddressRange[]): bigint {
  let size = 0n;
  let reached = -1n;
  for (const { first, last } of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    if (last <= reached) continue;
    size += last - (first > reached ? first - 1n : reached);
    reached = last;
  }
  return size;
}
