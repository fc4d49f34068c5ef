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
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { publicPolicyRule } from './public-policy.ts';

const fnPublic = publicPolicyRule(
  {
    id: 'fn-public',
    title: 'Function may be called by everyone',
    severity: 'high',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'A role for allUsers or allAuthenticatedUsers lets anyone in the world call the function, at your cost and with the rights of its service account behind it.',
    remediation:
      'Name those who call it, and remove everyone: gcloud functions remove-iam-policy-binding FUNCTION --region=REGION --member=MEMBER --role=ROLE.',
    compliance: NO_REQUIREMENT,
  },
  'function',
);

const fnHttps = resourceRule(
  {
    id: 'fn-https',
    title: 'Function answers without TLS',
    severity: 'medium',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'A function of the first generation that requests call answers http:// too, unless its security level is SECURE_ALWAYS: tokens and data then travel in the clear. The second generation never does. Functions that events call are not meant.',
    remediation:
      'Deploy it with the level: gcloud functions deploy FUNCTION --security-level=secure-always.',
    compliance: NO_REQUIREMENT,
  },
  (fn, { type }) => {
    if (!isCalledByRequests(fn, type)) return NOT_APPLICABLE;
    if (insistsOnTls(fn, type)) return PASS;
    const { path, value } = securityLevelOf(fn);
    return fail({
      message: 'This function answers requests without TLS.',
      evidence: [cite(path, value)],
    });
  },
);

const fnIngressAll = resourceRule(
  {
    id: 'fn-ingress-all',
    title: 'Function takes requests from the internet',
    severity: 'medium',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'With the ingress setting ALLOW_ALL, which is the default, the address of the function answers the internet, and IAM alone keeps strangers out.',
    remediation:
      'Let requests in from inside, and by load balancers where needed: gcloud functions deploy FUNCTION --ingress-settings=internal-and-gclb.',
    compliance: NO_REQUIREMENT,
  },
  (fn) => {
    const { path, value } = functionSetting(fn, 'ingressSettings');
    if (!takesAllTraffic(value)) return PASS;
    return fail({
      message: 'This function takes requests from everywhere.',
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
      'The default accounts of App Engine and Compute Engine are made with the role of editor and shared by all that names no other: a flaw in one function opens nearly all of the project.',
    remediation:
      'Make an account with what the function needs, and run it as that: gcloud functions deploy FUNCTION --service-account=ACCOUNT.',
    compliance: NO_REQUIREMENT,
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
    title: 'Function has a secret among its environment variables',
    severity: 'high',
    category: 'serverless',
    assetTypes: FUNCTION_TYPES,
    description:
      'Whoever may look at a function sees its environment variables, and so do build logs and exports of the inventory. Secret Manager keeps a secret for those who need it, and tells who read it.',
    remediation:
      'Change the secret, as it has been seen, keep it in Secret Manager and refer to it: gcloud functions deploy FUNCTION --remove-env-vars=NAME --set-secrets=NAME=SECRET:latest.',
    compliance: cis({ v2: '1.18', v4: '1.17', v5: '1.18' }),
  },
  (fn) => {
    const [first, ...more] = environmentsOf(fn).flatMap(exposuresIn);
    return first === undefined ? PASS : fail(first, ...more);
  },
);

function exposuresIn({ path, variables }: Environment): readonly Violation[] {
  return Object.keys(variables)
    .filter((name) => embedsSecret(name, variables[name]))
    .map((name) => exposure(path, name));
}

/** Tells the name of a variable, and never its value. */
function exposure(path: string, name: string): Violation {
  return {
    subject: `${path} ${name}`,
    message: `The environment variable ${name} holds a secret in the clear.`,
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
