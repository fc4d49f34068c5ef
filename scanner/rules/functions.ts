import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import {
  type Environment,
  environmentsOf,
  FUNCTION_TYPES,
  functionSetting,
  insistsOnTls,
  isCalledByRequests,
  isDefaultAccount,
  securityLevelOf,
  takesAllTraffic,
} from '../facts/cloud-function.ts';
import { embedsSecret } from '../facts/embedded-secret.ts';
import type { Repair } from '../fixes/repair.ts';
import { child } from '../json.ts';
import { fail, failAll, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { publicPolicyRule } from './public-policy.ts';

/*
 * Fields: cloudfunctions v1, discovery revision 20260424.
 * Fields: cloudfunctions v2, discovery revision 20260424.
 */

const fnPublic = publicPolicyRule(
  {
    id: 'fn-public',
    title: 'Function is public',
    severity: 'high',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'A role for allUsers or allAuthenticatedUsers lets anyone call the function, at your cost and with the permissions of its service account.',
    remediation:
      'Grant the role to specific callers and remove the public member: `gcloud functions remove-iam-policy-binding FUNCTION --region=REGION --member=MEMBER --role=ROLE`.',
    compliance: NO_REQUIREMENT,
  },
  'function',
);

/** Without `--source`, gcloud deploys the files of the current folder, whatever they are. FOLDER stops a command that is pasted unread. */
const DEPLOY = 'functions deploy {name} --region={location} --project={project} --source=FOLDER';
const DEPLOYED = 'The function is deployed again from its source: replace FOLDER.';

/** The Terraform resource of a function, and the prefix of its settings. */
function terraformOf({ asset, data }: Repair): readonly [resource: string, prefix: string] {
  const isSecond = asset.type === FUNCTION_TYPES[1] || child(data, 'serviceConfig') !== null;
  return isSecond
    ? ['google_cloudfunctions2_function', 'service_config.']
    : ['google_cloudfunctions_function', ''];
}

const fnHttps = resourceRule(
  {
    id: 'fn-https',
    title: 'Function accepts requests without TLS',
    severity: 'medium',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'A first-generation HTTP function also accepts http:// requests unless its security level is SECURE_ALWAYS, which exposes tokens and data on the network. Second-generation and event-triggered functions are not affected.',
    remediation:
      'Set the security level: `gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --security-level=secure-always`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      repair.set(securityLevelOf(repair.data).path, 'SECURE_ALWAYS');
      repair.gcloud(`${DEPLOY} --security-level=secure-always`);
      const attribute = 'https_trigger_security_level';
      repair.terraform('google_cloudfunctions_function', attribute, 'SECURE_ALWAYS');
      repair.caution(DEPLOYED);
    },
  },
  (fn, { type }) => {
    if (!isCalledByRequests(fn, type)) return NOT_APPLICABLE;
    if (insistsOnTls(fn, type)) return PASS;
    const { path, value } = securityLevelOf(fn);
    return fail({
      message: 'This function accepts requests without TLS.',
      evidence: [cite(path, value)],
    });
  },
);

const fnIngressAll = resourceRule(
  {
    id: 'fn-ingress-all',
    title: 'Function accepts requests from the internet',
    severity: 'medium',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'With the ingress setting ALLOW_ALL, the default, the URL of the function is reachable from the internet and protected only by IAM.',
    remediation:
      'Restrict ingress to internal traffic and, if needed, load balancers: `gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --ingress-settings=internal-and-gclb`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      const value = 'ALLOW_INTERNAL_AND_GCLB';
      repair.set(functionSetting(repair.data, 'ingressSettings').path, value);
      repair.gcloud(`${DEPLOY} --ingress-settings=internal-and-gclb`);
      const [resource, prefix] = terraformOf(repair);
      repair.terraform(resource, `${prefix}ingress_settings`, value);
      repair.caution(
        `Requests to the URL of the function from the internet are refused. ${DEPLOYED}`,
      );
    },
  },
  (fn) => {
    const { path, value } = functionSetting(fn, 'ingressSettings');
    if (!takesAllTraffic(value)) return PASS;
    return fail({
      message: 'This function accepts requests from everywhere.',
      evidence: [cite(path, value)],
    });
  },
);

const fnDefaultSa = resourceRule(
  {
    id: 'fn-default-sa',
    title: 'Function runs as a default service account',
    severity: 'medium',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'The default accounts of App Engine and Compute Engine are created with the Editor role and shared by all workloads without their own account: a flaw in one function exposes nearly the whole project.',
    remediation:
      'Create an account with the required permissions and use it: `gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --service-account=ACCOUNT`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs the service account of the function',
  },
  (fn) => {
    const { path, value } = functionSetting(fn, 'serviceAccountEmail');
    if (!isDefaultAccount(value)) return PASS;
    return fail({
      message: 'This function runs as a default service account.',
      evidence: [cite(path, value)],
    });
  },
);

const fnEnvSecrets = resourceRule(
  {
    id: 'fn-env-secrets',
    title: 'Function has a secret in its environment variables',
    severity: 'high',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'Environment variables are visible to everyone who can view the function, in build logs and in exports of the inventory. Secret Manager restricts access to a secret and records who read it.',
    remediation:
      'Replace the secret, because it was exposed, store it in Secret Manager and refer to it: `gcloud functions deploy FUNCTION --region=REGION --source=FOLDER --remove-env-vars=NAME --update-secrets=NAME=SECRET:latest`.',
    compliance: cis({ v2: '1.18', v4: '1.17', v5: '1.18' }),
    fix: removeExposures,
  },
  (fn) => {
    const [first, ...more] = environmentsOf(fn).flatMap(exposuresIn);
    return first === undefined ? PASS : failAll(first, more);
  },
);

function removeExposures(repair: Repair): void {
  const [resource, prefix] = terraformOf(repair);
  for (const { path, variables } of environmentsOf(repair.data)) {
    const names = Object.keys(variables).filter((name) => embedsSecret(name, variables[name]));
    if (names.length === 0) continue;
    for (const name of names) repair.remove([...path.split('.'), name]);
    const isOfBuild = path.startsWith('build');
    repair.gcloud(`${DEPLOY} --remove-${isOfBuild ? 'build-' : ''}env-vars={names}`, { names });
    const attribute = isOfBuild
      ? `${prefix === '' ? 'build_' : 'build_config.'}environment_variables`
      : `${prefix}environment_variables`;
    for (const name of names) repair.terraform(resource, attribute, null, { name });
  }
  repair.caution(
    `Store the values in Secret Manager first and refer to them with --update-secrets; replace them, because they were exposed. ${DEPLOYED}`,
  );
}

function exposuresIn({ path, variables }: Environment): readonly Violation[] {
  return Object.keys(variables)
    .filter((name) => embedsSecret(name, variables[name]))
    .map((name) => exposure(path, name));
}

/** Names the variable, and never quotes its value. */
function exposure(path: string, name: string): Violation {
  return {
    subject: `${path} ${name}`,
    message: `The environment variable ${name} contains a plaintext secret.`,
    evidence: [cite(path, name)],
  };
}

export const FUNCTION_RULES: readonly Rule[] = [
  fnDefaultSa,
  fnEnvSecrets,
  fnHttps,
  fnIngressAll,
  fnPublic,
];
