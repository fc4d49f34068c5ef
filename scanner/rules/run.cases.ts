import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const service = resourceCases('run.googleapis.com/Service');

function annotated(ingress: string): JsonObject {
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { annotations: { 'run.googleapis.com/ingress': ingress } },
  };
}

export const RUN_CASES: readonly RuleCases[] = [
  {
    rule: 'run-ingress-all',
    pass: [
      service.case('internal', annotated('internal')),
      service.case('load balancers too', annotated('internal-and-cloud-load-balancing')),
      service.case('nothing in version 2', { ingress: 'INGRESS_TRAFFIC_NONE' }),
      service.case('internal in version 2', { ingress: 'INGRESS_TRAFFIC_INTERNAL_ONLY' }),
    ],
    fail: [
      service.case('all', annotated('all')),
      service.case('no annotation, as all is the default', { metadata: { annotations: {} } }),
      service.case('no metadata', {}),
      service.case('an unknown setting', annotated('partners')),
      service.case('an unknown setting in version 2', { ingress: 'INGRESS_TRAFFIC_PARTNERS' }),
      service.case('all in version 2', { ingress: 'INGRESS_TRAFFIC_ALL' }),
    ],
    na: 'never',
    unknown: service.unknown,
  },
];
