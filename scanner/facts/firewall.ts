import { isObject, items, type JsonObject, strings } from '../json.ts';
import { isEnum } from './enumeration.ts';
import { coversInternet } from './internet.ts';
import { type Ports, parsePorts } from './ports.ts';
import { protocolName } from './protocol.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/** One entry of a rule's `allowed`. */
export interface Allowance {
  /** Its index in `allowed`. */
  readonly index: number;
  /** In lower case; `all` for every protocol, '' if the entry names none. */
  readonly protocol: string;
  readonly ports: Ports;
}

/** A VPC firewall rule without a direction is an ingress rule. */
export function isIngress(firewall: JsonObject): boolean {
  return !isEnum(firewall.direction, 'EGRESS');
}

/**
 * The protocols and ports that an allow rule accepts; empty for a deny rule. Exports spell `IPProtocol` and `ports` in
 * two ways each.
 */
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

/**
 * The network tags of the instances that the rule applies to; empty: it applies to the whole network, or to service
 * accounts.
 */
export function targetTagsOf(firewall: JsonObject): readonly string[] {
  return strings(firewall, 'targetTags', 'targetTag');
}

/**
 * Whether the internet is a source of this ingress rule. A rule without a source accepts 0.0.0.0/0; one with only tags
 * or service accounts accepts only traffic from inside its network.
 */
export function isOpenToInternet(firewall: JsonObject): boolean {
  const ranges = sourceRangesOf(firewall);
  return ranges.length > 0 ? coversInternet(ranges) : !hasOtherSources(firewall);
}

/** Whether the rule accepts traffic from network tags or service accounts, beside its ranges. */
export function hasOtherSources(firewall: JsonObject): boolean {
  const tags = items(firewall, 'sourceTags', 'sourceTag');
  const accounts = items(firewall, 'sourceServiceAccounts', 'sourceServiceAccount');
  return tags.length > 0 || accounts.length > 0;
}
