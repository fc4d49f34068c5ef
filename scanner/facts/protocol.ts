import type { JsonValue } from '../json.ts';

/** The protocols that firewall rules name, by number (IANA protocol numbers). */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'icmp'],
  [6, 'tcp'],
  [17, 'udp'],
  [50, 'esp'],
  [51, 'ah'],
  [58, 'icmpv6'],
  [94, 'ipip'],
  [132, 'sctp'],
]);

/** The lower-case name of a protocol given by name or number (`TCP`, `6`, `"6"`), `all` for every one; else null. */
export function protocolName(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return NAMES.get(value) ?? String(value);
  if (typeof value !== 'string' || value === '') return null;
  return (/^\d{1,3}$/.test(value) ? NAMES.get(Number(value)) : undefined) ?? value.toLowerCase();
}
