import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { disablesInvokerCheck, ingressOf, takesAllIngress } from '../facts/run-service.ts';
import { fail, failAll, PASS, unknown } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { combinedRule, passByPolicy, resourceRule } from '../rule-kinds.ts';
import { publicGrantViolations, removePublicGrants } from './public-policy.ts';

/*
 * Fields: run v1, discovery revision 20261023.
 * Fields: run v2, discovery revision 20261023.
 */

const SERVICE = ['run.googleapis.com/Service'];

const UPDATE = 'run services update {name} --region={location} --project={project}';

const runPublic = combinedRule(
  {
    id: 'run-public',
    version: 2,
    title: 'Cloud Run service is public',
    severity: 'medium',
    category: 'serverless',
    assetTypes: SERVICE,
    description:
      'Cloud Run checks the caller before the container does. A role for allUsers or allAuthenticatedUsers, as public sites need it, removes that check, and so does disabling it: only the code can then reject callers.',
    remediation:
      'If the service is not meant to be public: `gcloud run services remove-iam-policy-binding SERVICE --region=REGION --member=MEMBER --role=ROLE`, and if the check is disabled: `gcloud run services update SERVICE --region=REGION --invoker-iam-check`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      removePublicGrants(repair);
      const unchecked = disablesInvokerCheck(repair.data);
      if (unchecked === null) return;
      if (unchecked === 'metadata.annotations') {
        repair.remove(['metadata', 'annotations', 'run.googleapis.com/invoker-iam-disabled']);
      } else {
        repair.set(unchecked, false);
      }
      repair.gcloud(`${UPDATE} --invoker-iam-check`);
      repair.terraform('google_cloud_run_v2_service', 'invoker_iam_disabled', false);
    },
  },
  (asset) => {
    const { data, iamPolicy } = asset;
    const [first, ...more] = iamPolicy === null ? [] : publicGrantViolations(iamPolicy, 'service');
    if (first !== undefined) return failAll(first, more);
    const unchecked = data === null ? null : disablesInvokerCheck(data);
    if (unchecked !== null) return fail(uncheckedCallers(unchecked));
    const outcome = passByPolicy(asset);
    return outcome.verdict === 'pass' && data === null ? unknown('RESOURCE') : outcome;
  },
);

function uncheckedCallers(path: string): Violation {
  return {
    subject: 'invoker check',
    message: 'Cloud Run does not check the callers of this service, regardless of its policy.',
    evidence: [cite(path, true)],
  };
}

const runIngressAll = resourceRule(
  {
    id: 'run-ingress-all',
    title: 'Cloud Run service can be reached without the load balancer',
    severity: 'low',
    category: 'serverless',
    assetTypes: SERVICE,
    description:
      'With ingress all, the default, the run.app URL of the service is reachable from the internet, bypassing the load balancer and its Cloud Armor rules.',
    remediation:
      'Restrict ingress to internal traffic and load balancers: `gcloud run services update SERVICE --region=REGION --ingress=internal-and-cloud-load-balancing`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      const isVersion2 = ingressOf(repair.data).path === 'ingress';
      const annotation = ['metadata', 'annotations', 'run.googleapis.com/ingress'];
      if (isVersion2) repair.set('ingress', 'INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER');
      else repair.set(annotation, 'internal-and-cloud-load-balancing');
      repair.gcloud(`${UPDATE} --ingress=internal-and-cloud-load-balancing`);
      const value = 'INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER';
      repair.terraform('google_cloud_run_v2_service', 'ingress', value);
      repair.caution('Requests to the run.app URL from the internet are refused.');
    },
  },
  (service) => {
    if (!takesAllIngress(service)) return PASS;
    const { path, value } = ingressOf(service);
    return fail({
      message: 'This service accepts requests from everywhere.',
      evidence: [cite(path, value)],
    });
  },
);

export const RUN_RULES: readonly Rule[] = [runIngressAll, runPublic];
