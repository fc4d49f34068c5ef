import { child, isTrue, type JsonObject } from '../json.ts';
import { enumAt } from './enumeration.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/** Subnetworks for load balancer proxies or published services, which have no flow logs. */
const WITHOUT_FLOW_LOGS: ReadonlySet<string> = new Set([
  'INTERNALHTTPSLOADBALANCER',
  'REGIONALMANAGEDPROXY',
  'GLOBALMANAGEDPROXY',
  'PRIVATESERVICECONNECT',
]);

/** Whether VPC flow logs are enabled, in `logConfig` or in the older field that it replaces. */
export function keepsFlowLogs(subnetwork: JsonObject): boolean {
  return isTrue(child(subnetwork, 'logConfig'), 'enable') || isTrue(subnetwork, 'enableFlowLogs');
}

export function canKeepFlowLogs(subnetwork: JsonObject): boolean {
  return !WITHOUT_FLOW_LOGS.has(enumAt(subnetwork, 'purpose') ?? '');
}
