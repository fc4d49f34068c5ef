import { child, isTrue, type JsonObject } from '../json.ts';
import { enumAt } from './enumeration.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/** The purposes of subnetworks for load balancer proxies or published services. */
const WITHOUT_INSTANCES: ReadonlySet<string> = new Set([
  'INTERNALHTTPSLOADBALANCER',
  'REGIONALMANAGEDPROXY',
  'GLOBALMANAGEDPROXY',
  'PRIVATESERVICECONNECT',
]);

/** Whether VPC flow logs are enabled, in `logConfig` or in the older field that it replaces. */
export function keepsFlowLogs(subnetwork: JsonObject): boolean {
  return isTrue(child(subnetwork, 'logConfig'), 'enable') || isTrue(subnetwork, 'enableFlowLogs');
}

/** Whether a subnetwork is for instances. Others have neither flow logs nor Private Google Access. */
export function isForInstances(subnetwork: JsonObject): boolean {
  return !WITHOUT_INSTANCES.has(enumAt(subnetwork, 'purpose') ?? '');
}
