import type { JsonObject, JsonValue } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const v1 = resourceCases('cloudfunctions.googleapis.com/CloudFunction');
const v2 = resourceCases('cloudfunctions.googleapis.com/Function');

const OWN = 'thumbnailer@shop-prod.iam.gserviceaccount.com';
const APP_ENGINE = 'shop-prod@appspot.gserviceaccount.com';
const COMPUTE = '482915036174-compute@developer.gserviceaccount.com';

const requests = (securityLevel?: string): JsonObject => ({
  httpsTrigger: {
    url: 'https://europe-west1-shop-prod.cloudfunctions.net/f',
    ...(securityLevel === undefined ? {} : { securityLevel }),
  },
});
const events = { eventTrigger: { eventType: 'google.storage.object.finalize' } };

const gen2 = (serviceConfig: JsonObject): JsonObject => ({ environment: 'GEN_2', serviceConfig });
const variables = (environmentVariables: JsonValue): JsonObject => ({ environmentVariables });

// Concatenated, so secret scanners report nothing in this file.
const AWS_KEY_ID = `${'AKIA'}IOSFODNN7EXAMPLE`;
const PEM = `-----BEGIN ${'PRIVATE'} KEY-----\nMIIE`;

export const FUNCTION_CASES: readonly RuleCases[] = [
  {
    rule: 'fn-https',
    pass: [
      v1.case('SECURE_ALWAYS', requests('SECURE_ALWAYS')),
      v2.case('the second generation, which never does', gen2({})),
      v2.case('the second generation that says so', gen2({ securityLevel: 'SECURE_ALWAYS' })),
      v2.case('SECURE_ALWAYS of the first generation in version 2', {
        environment: 'GEN_1',
        serviceConfig: { securityLevel: 'SECURE_ALWAYS' },
      }),
    ],
    fail: [
      v1.case('SECURE_OPTIONAL', requests('SECURE_OPTIONAL')),
      v1.case('no level, as it is optional by default', requests()),
      v1.case('an unspecified level', requests('SECURITY_LEVEL_UNSPECIFIED')),
      v1.case('an empty trigger', { httpsTrigger: {} }),
      v2.case('the first generation in version 2', { environment: 'GEN_1', serviceConfig: {} }),
      v2.case('an unknown generation', { environment: 'GEN_9', serviceConfig: {} }),
      v2.case('SECURE_OPTIONAL in version 2', {
        environment: 'GEN_1',
        serviceConfig: { securityLevel: 'SECURE_OPTIONAL' },
      }),
    ],
    na: [
      v1.case('a function that events call', events),
      v2.case('one of the second generation that events call', { ...gen2({}), ...events }),
    ],
    unknown: [...v1.unknown, ...v2.unknown],
  },
  {
    rule: 'fn-ingress-all',
    pass: [
      v1.case('from inside', { ingressSettings: 'ALLOW_INTERNAL_ONLY' }),
      v1.case('from inside and by load balancers', { ingressSettings: 'ALLOW_INTERNAL_AND_GCLB' }),
      v2.case('from inside in version 2', gen2({ ingressSettings: 'ALLOW_INTERNAL_ONLY' })),
    ],
    fail: [
      v1.case('an unknown setting', { ingressSettings: 'ALLOW_PARTNERS' }),
      v1.case('ALLOW_ALL', { ingressSettings: 'ALLOW_ALL' }),
      v1.case('no setting, as all is the default', requests()),
      v1.case('an unspecified setting', { ingressSettings: 'INGRESS_SETTINGS_UNSPECIFIED' }),
      v2.case('ALLOW_ALL in version 2', gen2({ ingressSettings: 'ALLOW_ALL' })),
      v2.case('no setting in version 2', gen2({})),
      v2.case('a setting of version 1 in version 2', {
        ...gen2({}),
        ingressSettings: 'ALLOW_INTERNAL_ONLY',
      }),
    ],
    na: 'never',
    unknown: [...v1.unknown, ...v2.unknown],
  },
  {
    rule: 'fn-default-sa',
    pass: [
      v1.case('an account of its own', { serviceAccountEmail: OWN }),
      v2.case('an account of its own in version 2', gen2({ serviceAccountEmail: OWN })),
    ],
    fail: [
      v1.case("App Engine's default", { serviceAccountEmail: APP_ENGINE }),
      v1.case("Compute Engine's default", { serviceAccountEmail: COMPUTE }),
      v1.case('no account', {}),
      v1.case('an empty account', { serviceAccountEmail: '' }),
      v2.case('the default in version 2', gen2({ serviceAccountEmail: COMPUTE })),
      v2.case('no account in version 2', gen2({})),
      v2.case('an account for the build alone', {
        ...gen2({}),
        buildConfig: { serviceAccount: `projects/shop-prod/serviceAccounts/${OWN}` },
      }),
    ],
    na: 'never',
    unknown: [...v1.unknown, ...v2.unknown],
  },
  {
    rule: 'fn-env-secrets',
    pass: [
      v1.case('no variables', {}),
      v1.case('variables that are no secrets', variables({ LOG_LEVEL: 'debug', REGION: 'eu' })),
      v1.case('a variable that Secret Manager fills', {
        secretEnvironmentVariables: [
          { key: 'DB_PASSWORD', projectId: 'shop-prod', secret: 'db', version: 'latest' },
        ],
      }),
      v1.case('a reference to Secret Manager', {
        environmentVariables: { DB_PASSWORD: 'projects/shop-prod/secrets/db/versions/latest' },
      }),
      v1.case('an empty value', variables({ API_KEY: '' })),
      v1.case('variables that are not an object', variables(['DB_PASSWORD=hunter2'])),
      v2.case('a reference in version 2', {
        ...gen2({ environmentVariables: { API_KEY: 'projects/1/secrets/key' } }),
        buildConfig: { environmentVariables: { NODE_ENV: 'production' } },
      }),
    ],
    fail: [
      {
        ...v1.case(
          'one finding for each variable',
          variables({ DB_PASSWORD: 'hunter2', LOG_LEVEL: 'debug', apiKey: 'x', SETTINGS: PEM }),
        ),
        findings: [
          { subject: 'environmentVariables DB_PASSWORD' },
          { subject: 'environmentVariables apiKey' },
          { subject: 'environmentVariables SETTINGS' },
        ],
      },
      v1.case('an AWS key id of any name', variables({ ACCOUNT: AWS_KEY_ID })),
      v1.case('a variable of the build', { buildEnvironmentVariables: { NPM_TOKEN: 'x' } }),
      v2.case('a variable in version 2', gen2({ environmentVariables: { CLIENT_SECRET: 'x' } })),
      {
        ...v2.case('the same name at run time and in the build', {
          ...gen2({ environmentVariables: { NPM_TOKEN: 'x' } }),
          buildConfig: { environmentVariables: { NPM_TOKEN: 'x' } },
        }),
        findings: [
          { subject: 'serviceConfig.environmentVariables NPM_TOKEN' },
          { subject: 'buildConfig.environmentVariables NPM_TOKEN' },
        ],
      },
    ],
    na: 'never',
    unknown: [...v1.unknown, ...v2.unknown],
  },
];
