import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isExternal } from '../facts/load-balancing.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const BACKEND_SERVICE = [
  'compute.googleapis.com/BackendService',
  'compute.googleapis.com/RegionBackendService',
];

const lbLogging = resourceRule(
  {
    id: 'lb-logging',
    title: 'External load balancer is not logged',
    severity: 'medium',
    category: 'logging',
    assetTypes: BACKEND_SERVICE,
    description:
      'The log of a load balancer has every request from the internet, with its source and its answer; without it an attack on what lies behind leaves no trace at the door. Internal load balancers are not meant.',
    remediation:
      'Switch logging on for the backend service: gcloud compute backend-services update SERVICE --global --enable-logging --logging-sample-rate=1.',
    compliance: cis({ v4: '2.16', v5: '2.17' }),
  },
  (service) => {
    if (!isExternal(service)) return NOT_APPLICABLE;
    const settings = child(service, 'logConfig');
    if (isTrue(settings, 'enable')) return PASS;
    return fail({
      message: 'The requests to this backend service from the internet are not logged.',
      evidence: [
        cite('logConfig.enable', settings?.enable),
        cite('loadBalancingScheme', service.loadBalancingScheme),
      ],
    });
  },
);

const lbNoArmor = resourceRule(
  {
    id: 'lb-no-armor',
    title: 'External load balancer has no security policy',
    severity: 'low',
    category: 'network',
    assetTypes: BACKEND_SERVICE,
    description:
      'A Cloud Armor security policy turns away known attacks, floods and unwanted countries before they reach the backends. An external backend service without one takes whatever comes.',
    remediation:
      'Attach a security policy: gcloud compute backend-services update SERVICE --global --security-policy=POLICY.',
    compliance: NO_REQUIREMENT,
  },
  (service) => {
    if (!isExternal(service)) return NOT_APPLICABLE;
    if (text(service, 'securityPolicy') !== null) return PASS;
    return fail({
      message: 'No Cloud Armor policy protects this backend service from the internet.',
      evidence: [
        cite('securityPolicy', null),
        cite('loadBalancingScheme', service.loadBalancingScheme),
      ],
    });
  },
);

export const BACKEND_SERVICE_RULES: readonly Rule[] = [lbLogging, lbNoArmor];
