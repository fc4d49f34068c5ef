import { child, type JsonObject, text } from '../json.ts';
import { isEnum } from './enumeration.ts';

const EVERYTHING = ['all', 'INGRESS_TRAFFIC_ALL', 'INGRESS_TRAFFIC_UNSPECIFIED'];

/**
 * From where a Cloud Run service takes requests, as it is written and where: exports hold the service as version 1 of
 * the API has it, with an annotation, or as version 2, with a member of its own. Null where it is not set.
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

/** Whether requests from the internet are taken, which they are by default. */
export function takesAllIngress(service: JsonObject): boolean {
  const { value } = ingressOf(service);
  return value === null || EVERYTHING.some((name) => isEnum(value, name));
}
