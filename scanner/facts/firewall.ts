import { isObject, items, type JsonObject, strings } from '../json.ts';
import { isEnum } from './enumeration.ts';
import { coversInternet } from './internet.ts';
import { type Ports, parsePorts } from './ports.ts';
import { protocolName } from './protocol.ts';

/** One entry of a rule's `allowed`. */
export interface Allowance {
  /** Its index in `allowed`. */
  readonly index: number;
  /** In lower case; `all` for every protocol, '' where the entry names none. */
  readonly protocol: string;
  readonly ports: Ports;
}

/** A VPC firewall rule without a direction is one for incoming traffic. */
export function isIngress(firewall: JsonObject): boolean {
  return !isEnum(firewall.direction, 'EGRESS');
}

/** What an allow rule admits; empty for a deny rule. Exports spell `IPProtocol` and `ports` in two ways each. */
export function allowancesOf(firewall: JsonObject): readonly Allowance[] {
  const allowances: Allowance[] = [];
  items(firewall, 'allowed').forEach((entry, index) => {
    if (!isObject(entry)) return;
    const protocol = protocolName(entry.IPProtocol) ?? protocolName(entry.ipProtocol) ?? '';
    allowances.push({ index, protocol, ports: parsePorts(items(entry, 'ports', 'port')) });
  });
  return allowances;
}

export function sourceRangesOf(firewall: JsonObject): readonly string[] {
  return strings(firewall, 'sourceRanges', 'sourceRange');
}

/** The network tags of the instances that the rule is for; empty: it is for all of its network, or for accounts. */
export function targetTagsOf(firewall: JsonObject): readonly string[] {
  return strings(firewall, 'targetTags', 'targetTag');
}

/**
 * Whether the internet is a source of this ingress rule. A rule that names no source at all takes 0.0.0.0/0; one that
 * names tags or service accounts only takes traffic from inside its network.
 */
export function isOpenToInternet(firewall: JsonObject): boolean {
  const ranges = sourceRangesOf(firewall);
  if (ranges.length > 0) return coversInternet(ranges);
  const tags = items(firewall, 'sourceTags', 'sourceTag');
  const accounts = items(firewall, 'sourceServiceAccounts', 'sourceServiceAccount');
  return tags.length === 0 && accounts.length === 0;
}
