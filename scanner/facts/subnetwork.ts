import { child, isTrue, type JsonObject } from '../json.ts';
import { enumAt } from './enumeration.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/** The purposes of subnetworks for load balancer proxies, published services, Private NAT and migrations. */
const WITHOUT_INSTANCES: ReadonlySet<string> = new Set([
  'INTERNALHTTPSLOADBALANCER',
  'REGIONALMANAGEDPROXY',
  'GLOBALMANAGEDPROXY',
  'PRIVATESERVICECONNECT',
  'PRIVATENAT',
  'PEERMIGRATION',
]);

/**
 * Whether VPC flow logs are enabled, in `logConfig` or in the older field that it replaces, and are not dropped by a
 * sampling rate of 0.
 */
export function keepsFlowLogs(subnetwork: JsonObject): boolean {
  const isOn =
    isTrue(child(subnetwork, 'logConfig'), 'enable') || isTrue(subnetwork, 'enableFlowLogs');
  return isOn && !samplesNoFlow(subnetwork);
}

/** Whether the sampling rate of flow logs is 0. Without one the API applies its default, which is not 0. */
export function samplesNoFlow(subnetwork: JsonObject): boolean {
  return child(subnetwork, 'logConfig')?.flowSampling === 0;
}

/** Whether a subnetwork is for instances. Others have no flow logs, and Private Google Access has no effect on them. */
export function isForInstances(subnetwork: JsonObject): boolean {
  return !WITHOUT_INSTANCES.has(enumAt(subnetwork, 'purpose') ?? '');
}
