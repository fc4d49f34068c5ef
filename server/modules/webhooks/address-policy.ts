import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Addresses of metadata services of clouds: refused even in ranges that the operator allows. */
const NEVER: readonly Range[] = [
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
].map((range) => ipaddr.parseCIDR(range));

const LOOPBACK: readonly Range[] = ['127.0.0.0/8', '::1/128'].map((range) =>
  ipaddr.parseCIDR(range),
);

/** All that IANA has assigned as global unicast so far (RFC 4291 §2.4). */
const GLOBAL_V6: Range = ipaddr.parseCIDR('2000::/3');

/** Prefixes that contain an IPv4 address: how many bits precede it. */
const EMBEDDED: readonly (readonly [range: Range, bits: number])[] = [
  [ipaddr.parseCIDR('::/96'), 96],
  [ipaddr.parseCIDR('::ffff:0:0/96'), 96],
  [ipaddr.parseCIDR('::ffff:0:0:0/96'), 96],
  [ipaddr.parseCIDR('64:ff9b::/96'), 96],
  [ipaddr.parseCIDR('2002::/16'), 16],
];

export interface AddressPolicyOptions {
  /** Ranges that the operator allows besides public addresses, as CIDR. */
  readonly allow: readonly string[];
  /** Whether addresses of this machine are allowed, which is so in development. */
  readonly loopback: boolean;
}

/** Decides which addresses webhooks may connect to: public ones, and those that the operator allows. */
export class AddressPolicy {
  readonly loopback: boolean;
  readonly #allowed: readonly Range[];

  constructor({ allow, loopback }: AddressPolicyOptions) {
    this.loopback = loopback;
    this.#allowed = [
      ...allow.map((range) => ipaddr.parseCIDR(range)),
      ...(loopback ? LOOPBACK : []),
    ];
  }

  /** @param text an IPv4 or IPv6 address; everything else is refused. */
  allows(text: string): boolean {
    // The library also parses spellings such as `0x7f.1`, which a connection would read differently.
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = ipaddr.parse(text);
    if ([address, ...embeddedIn(address)].some((each) => isIn(each, NEVER))) return false;
    return isIn(address, this.#allowed) || isGlobalUnicast(address);
  }
}

/** Whether an address belongs to this machine. */
export function isLoopback(text: string): boolean {
  return isIP(text) !== 0 && isIn(ipaddr.parse(text), LOOPBACK);
}

/** Whether a text is a range such as `10.0.0.0/8`, without bits after its prefix. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) && isIP(text.slice(0, text.indexOf('/'))) !== 0;
}

/** The special-purpose registries of IANA (RFC 6890), as `ipaddr.js` knows them. */
function isGlobalUnicast(address: Address): boolean {
  if (address.kind() === 'ipv6' && !isIn(address, [GLOBAL_V6])) return false;
  return address.range() === 'unicast';
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(
    ([base, bits]) => base.kind() === address.kind() && address.match([base, bits]),
  );
}

/** IPv4 addresses that a translator would reach by an IPv6 address. */
function embeddedIn(address: Address): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  return EMBEDDED.filter(([range]) => isIn(address, [range])).map(
    ([, bits]) => new ipaddr.IPv4(bytes.slice(bits / 8, bits / 8 + 4)),
  );
}
