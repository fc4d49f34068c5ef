import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isExternal } from '../facts/load-balancing.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

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
      'The log of a load balancer contains every request from the internet with its source and response. Without it an attack on the backends leaves no trace at the load balancer. With a sampling rate of 0 nothing is logged. Internal load balancers are not checked.',
    remediation:
      'Enable logging for the backend service: `gcloud compute backend-services update SERVICE --global --enable-logging --logging-sample-rate=1`, or for a regional one `gcloud compute backend-services update SERVICE --region=REGION --enable-logging --logging-sample-rate=1`.',
    compliance: cis({ v4: '2.16', v5: '2.17' }),
    fix: (repair) => {
      const region = repair.part('region');
      const [scope, resource] =
        region === undefined
          ? ['--global', 'google_compute_backend_service']
          : ['--region={region}', 'google_compute_region_backend_service'];
      repair.set('logConfig.enable', true);
      if (child(repair.data, 'logConfig')?.sampleRate === 0) repair.set('logConfig.sampleRate', 1);
      repair.gcloud(
        `compute backend-services update {name} ${scope} --project={project} --enable-logging --logging-sample-rate=1`,
      );
      repair.terraform(resource, 'log_config.enable', true);
      repair.terraform(resource, 'log_config.sample_rate', 1);
      repair.caution('Logs of requests are billed by their volume, which can be large.');
    },
  },
  (service) => {
    if (!isExternal(service)) return NOT_APPLICABLE;
    const settings = child(service, 'logConfig');
    if (isTrue(settings, 'enable')) {
      if (settings?.sampleRate !== 0) return PASS;
      return fail({
        message: 'The log of this backend service has a sampling rate of 0, so nothing is logged.',
        evidence: [cite('logConfig.sampleRate', 0)],
      });
    }
    return fail({
      message: 'Requests from the internet to this backend service are not logged.',
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
      'A Cloud Armor security policy blocks known attacks, floods and unwanted countries before they reach the backends. Without one an external backend service accepts all traffic.',
    remediation:
      'Attach a security policy: `gcloud compute backend-services update SERVICE --global --security-policy=POLICY`, or for a regional one, with a policy of its region, `gcloud compute backend-services update SERVICE --region=REGION --security-policy=POLICY`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs the name of a security policy',
  },
  (service) => {
    if (!isExternal(service)) return NOT_APPLICABLE;
    if (text(service, 'securityPolicy') !== null) return PASS;
    return fail({
      message: 'This external backend service has no Cloud Armor policy.',
      evidence: [
        cite('securityPolicy', null),
        cite('loadBalancingScheme', service.loadBalancingScheme),
      ],
    });
  },
);

export const BACKEND_SERVICE_RULES: readonly Rule[] = [lbLogging, lbNoArmor];
