import { expect, it } from 'vitest';
import { ingressOf, takesAllIngress } from './run-service.ts';

const annotated = (ingress: string) => ({
  metadata: { annotations: { 'run.googleapis.com/ingress': ingress } },
});

it.each([
  [annotated('all'), true],
  [annotated('ALL'), true],
  [annotated('internal'), false],
  [annotated('internal-and-cloud-load-balancing'), false],
  [{ ingress: 'INGRESS_TRAFFIC_ALL' }, true],
  [{ ingress: 'INGRESS_TRAFFIC_UNSPECIFIED' }, true],
  [{ ingress: 'INGRESS_TRAFFIC_INTERNAL_ONLY' }, false],
  [{ ingress: 'INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER' }, false],
  [{ metadata: { annotations: {} } }, true],
  [{ metadata: { annotations: { 'run.googleapis.com/ingress-status': 'internal' } } }, true],
  [{}, true],
])('a Cloud Run service written as %j accepts requests from everywhere: %s', (service, all) => {
  expect(takesAllIngress(service)).toBe(all);
});

it('the ingress of a Cloud Run service is the same in both versions of the API', () => {
  const path = 'metadata.annotations';
  expect(ingressOf(annotated('internal'))).toEqual({ path, value: 'internal' });
  expect(ingressOf({ metadata: { annotations: {} } })).toEqual({ path, value: null });
  expect(ingressOf({ ingress: 'INGRESS_TRAFFIC_ALL' })).toEqual({
    path: 'ingress',
    value: 'INGRESS_TRAFFIC_ALL',
  });
});
