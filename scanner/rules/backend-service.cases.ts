import { assetOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const service = resourceCases('compute.googleapis.com/BackendService');

/** Backend services that both rules skip, regardless of their settings. */
const INTERNAL: readonly [RuleCase, ...RuleCase[]] = [
  service.case('an internal load balancer', { loadBalancingScheme: 'INTERNAL' }),
  service.case('an internal application load balancer', {
    loadBalancingScheme: 'INTERNAL_MANAGED',
  }),
  service.case('a service of Traffic Director', { loadBalancingScheme: 'INTERNAL_SELF_MANAGED' }),
  {
    name: 'a regional internal load balancer',
    asset: assetOf({
      type: 'compute.googleapis.com/RegionBackendService',
      data: { loadBalancingScheme: 'INTERNAL' },
    }),
  },
];

const regional: RuleCase = {
  name: 'a regional external load balancer',
  asset: assetOf({
    type: 'compute.googleapis.com/RegionBackendService',
    data: { loadBalancingScheme: 'EXTERNAL_MANAGED' },
  }),
};

export const BACKEND_SERVICE_CASES: readonly RuleCases[] = [
  {
    rule: 'lb-logging',
    pass: [
      service.case('a logged load balancer', {
        loadBalancingScheme: 'EXTERNAL',
        logConfig: { enable: true, sampleRate: 1 },
      }),
      service.case('a logged load balancer of the newer kind', {
        loadBalancingScheme: 'EXTERNAL_MANAGED',
        logConfig: { enable: true },
      }),
      service.case('a load balancer that logs some requests', {
        loadBalancingScheme: 'EXTERNAL',
        logConfig: { enable: true, sampleRate: 0.01 },
      }),
    ],
    fail: [
      service.case('no logging under an unknown scheme', { loadBalancingScheme: 'GLOBAL_EDGE' }),
      service.case('logging switched off', {
        loadBalancingScheme: 'EXTERNAL',
        logConfig: { enable: false },
      }),
      service.case('logging of no request', {
        loadBalancingScheme: 'EXTERNAL_MANAGED',
        logConfig: { enable: true, sampleRate: 0 },
      }),
      service.case('logging never mentioned', { loadBalancingScheme: 'EXTERNAL_MANAGED' }),
      service.case('a service that does not tell its scheme, which is external', {}),
      regional,
    ],
    na: INTERNAL,
    unknown: service.unknown,
  },
  {
    rule: 'lb-no-armor',
    pass: [
      service.case('a security policy', {
        loadBalancingScheme: 'EXTERNAL',
        securityPolicy:
          'https://www.googleapis.com/compute/v1/projects/p/global/securityPolicies/s',
      }),
    ],
    fail: [
      service.case('no security policy under an unknown scheme', {
        loadBalancingScheme: 'GLOBAL_EDGE',
      }),
      service.case('no security policy', { loadBalancingScheme: 'EXTERNAL' }),
      service.case('an empty one', { loadBalancingScheme: 'EXTERNAL', securityPolicy: '' }),
      service.case('one at the edge only', {
        loadBalancingScheme: 'EXTERNAL_MANAGED',
        edgeSecurityPolicy: 'projects/p/global/securityPolicies/e',
      }),
      service.case('a service that does not tell its scheme, which is external', {}),
      regional,
    ],
    na: INTERNAL,
    unknown: service.unknown,
  },
];
