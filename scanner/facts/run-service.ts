import { child, isTrue, type JsonObject, text } from '../json.ts';
import { isEnum } from './enumeration.ts';

/*
 * Fields: run v1, discovery revision 20261023.
 * Fields: run v2, discovery revision 20261023.
 */

/** The settings that block requests from the internet, in API versions 1 and 2. */
const RESTRICTED = [
  'internal',
  'internal-and-cloud-load-balancing',
  'INGRESS_TRAFFIC_INTERNAL_ONLY',
  'INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER',
  'INGRESS_TRAFFIC_NONE',
];

/**
 * The ingress setting of a Cloud Run service, with its path: exports contain version 1 of the API, with an annotation,
 * or version 2, with a member. Null if it is not set.
 */
export function ingressOf(service: JsonObject): {
  readonly path: string;
  readonly value: string | null;
} {
  const member = text(service, 'ingress');
  if (member !== null) return { path: 'ingress', value: member };
  const annotations = child(child(service, 'metadata'), 'annotations');
  return { path: 'metadata.annotations', value: text(annotations, 'run.googleapis.com/ingress') };
}

/** Whether requests from the internet are accepted: true by default, and for an unknown setting. */
export function takesAllIngress(service: JsonObject): boolean {
  const { value } = ingressOf(service);
  return value === null || !RESTRICTED.some((name) => isEnum(value, name));
}

/**
 * The setting of a service that lets every caller in without an IAM check: a member in version 2 of the API, an
 * annotation in version 1. Null if it is not set.
 */
export function disablesInvokerCheck(service: JsonObject): string | null {
  if (isTrue(service, 'invokerIamDisabled')) return 'invokerIamDisabled';
  const annotations = child(child(service, 'metadata'), 'annotations');
  const annotation = text(annotations, 'run.googleapis.com/invoker-iam-disabled');
  return annotation?.toLowerCase() === 'true' ? 'metadata.annotations' : null;
}
