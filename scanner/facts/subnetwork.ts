import { child, isTrue, type JsonObject } from '../json.ts';
import { enumAt } from './enumeration.ts';

/** Subnetworks that hold proxies of load balancers or published services, for which there are no flow logs to keep. */
const WITHOUT_FLOW_LOGS: ReadonlySet<string> = new Set([
  'INTERNALHTTPSLOADBALANCER',
  'REGIONALMANAGEDPROXY',
  'GLOBALMANAGEDPROXY',
  'PRIVATESERVICECONNECT',
]);

/** Whether VPC flow logs are on, by `logConfig` or by the older field that it replaces. */
export function keepsFlowLogs(subnetwork: JsonObject): boolean {
  return isTrue(child(subnetwork, 'logConfig'), 'enable') || isTrue(subnetwork, 'enableFlowLogs');
}

export function canKeepFlowLogs(subnetwork: JsonObject): boolean {
  return !WITHOUT_FLOW_LOGS.has(enumAt(subnetwork, 'purpose') ?? '');
}
