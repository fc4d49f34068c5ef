import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { ingressOf, takesAllIngress } from '../facts/run-service.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { publicPolicyRule } from './public-policy.ts';

const SERVICE = ['run.googleapis.com/Service'];

const runPublic = publicPolicyRule(
  {
    id: 'run-public',
    title: 'Service may be called by everyone',
    severity: 'medium',
    category: 'serverless',
    assetTypes: SERVICE,
    description:
      'Cloud Run checks who calls before the container does. With a role for allUsers or allAuthenticatedUsers, as public sites need it, that check is gone, and the code alone has to tell friend from foe.',
    remediation:
      'Where the service is not meant for the public: gcloud run services remove-iam-policy-binding SERVICE --region=REGION --member=MEMBER --role=ROLE.',
    compliance: NO_REQUIREMENT,
  },
  'service',
);

const runIngressAll = resourceRule(
  {
    id: 'run-ingress-all',
    title: 'Service is reached past the load balancer',
    severity: 'low',
    category: 'serverless',
    assetTypes: SERVICE,
    description:
      'With ingress all, which is the default, the run.app address of the service answers the internet, past the load balancer and the Cloud Armor rules in front of it.',
    remediation:
      'Let requests in from inside and by load balancers only: gcloud run services update SERVICE --region=REGION --ingress=internal-and-cloud-load-balancing.',
    compliance: NO_REQUIREMENT,
  },
  (service) => {
    if (!takesAllIngress(service)) return PASS;
    const { path, value } = ingressOf(service);
    return fail({
      message: 'This service takes requests from everywhere.',
      evidence: [cite(path, value)],
    });
  },
);

export const RUN_RULES: readonly Rule[] = [runIngressAll, runPublic];
