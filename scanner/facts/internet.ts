import { isIP } from 'node:net';

/** Both ends included, as the numbers that the addresses are. */
interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

const FAMILIES = [
  { version: 4, bits: 32 },
  { version: 6, bits: 128 },
] as const;

/**
 * Whether the ranges together hold at least 99 % of the IPv4 or of the IPv6 addresses. `0.0.0.0/0` does; so do
 * `0.0.0.0/1` and `128.0.0.0/1`, and every finer way of writing the same, which is how a reviewer is got around.
 *
 * @param ranges in the notation of RFC 4632 §3.1 and RFC 4291 §2.3; an address alone is a range of one; what is
 *   neither holds nothing
 */
export function coversInternet(ranges: readonly string[]): boolean {
  return FAMILIES.some(({ version, bits }) => {
    // Nearly every rule is settled here: ranges whose sizes add up to too little cannot cover it, however they lie.
    let share = 0;
    for (const range of ranges) {
      if (range.includes(':') === (version === 6)) share += 2 ** -(prefixLength(range) ?? bits);
    }
    if (share < 0.99) return false;
    const parsed = ranges.map((range) => parseRange(range, version, bits));
    return unionSize(parsed.filter((range) => range !== null)) * 100n >= (1n << BigInt(bits)) * 99n;
  });
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

/** Of an address that `isIP` has found to be one. */
function ipv4Number(address: string): bigint {
  return address.split('.').reduce((number, octet) => number * 256n + BigInt(octet), 0n);
}

/** Of an address that `isIP` has found to be one: `::` stands for the groups that are missing (RFC 4291 §2.2). */
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
