import { SCOPE, SCOPE_REMEDY } from './auth-options.ts';
import type { GoogleCredential } from './credential.ts';
import { type GoogleAnswer, googleAnswerOf, onOneLine } from './google-answer.ts';
import { GoogleCloudError } from './google-cloud-error.ts';
import { NoResponse } from './http.ts';

/**
 * Why there is no token, without the request: errors of the authentication library carry the signed assertion.
 */
export function refusedCredential(error: unknown, credential: GoogleCredential): Error {
  if (error instanceof GoogleCloudError || error instanceof NoResponse) return error;
  const response = responseOf(error);
  if (response === null) return noAnswer(error);
  const { status, data } = response;
  if (status >= 500 || status === 429) return new NoResponse(`HTTP ${status} for a token`);
  const answer = googleAnswerOf(status, data);
  if (answer.status !== null) return refusedByIam(answer, credential);
  return refusedByTokenEndpoint(status, data, credential);
}

interface TokenResponse {
  readonly status: number;
  readonly data: unknown;
}

function responseOf(error: unknown): TokenResponse | null {
  if (!(error instanceof Error) || !('response' in error)) return null;
  const response = error.response as Partial<TokenResponse> | null | undefined;
  return typeof response?.status === 'number'
    ? { status: response.status, data: response.data }
    : null;
}

/** The library wraps what our `fetch` throws. Anything else is a fault of the credential, such as a malformed key. */
function noAnswer(error: unknown): Error {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NoResponse || cause.name === 'NoResponse') return cause;
    if (cause instanceof GoogleCloudError) return cause;
  }
  return new GoogleCloudError(
    'credential_refused',
    'No access token could be obtained with the credential.',
    'Check that the credential is complete and of a kind that Google documents.',
  );
}

/** OAuth's own form (RFC 6749): `error` and `error_description`. */
function refusedByTokenEndpoint(
  status: number,
  data: unknown,
  credential: GoogleCredential,
): GoogleCloudError {
  const body = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const [code, description] = [body['error'], body['error_description']].map((text) =>
    typeof text === 'string' ? onOneLine(text) : '',
  );
  const told = [code, description].filter((text) => text !== '').join(': ');
  return new GoogleCloudError(
    'credential_refused',
    `Google refused the credential (${told === '' ? `HTTP ${status}` : told}).`,
    REMEDIES[credential.type],
  );
}

const REMEDIES = {
  service_account_key:
    'Check that the key was not deleted, that the service account is enabled and that the clock of this machine is right. Otherwise create a new key.',
  impersonation: 'The operator of the service must renew its Application Default Credentials.',
  application_default:
    'Run: gcloud auth application-default login. If you use a key file, check that the key was not deleted.',
} as const satisfies Record<GoogleCredential['type'], string>;

/** IAM Credentials refuses in the form of Google's APIs. */
function refusedByIam(answer: GoogleAnswer, credential: GoogleCredential): GoogleCloudError {
  const account = credential.type === 'impersonation' ? credential.serviceAccount : '<account>';
  if (answer.reason === 'SERVICE_DISABLED') {
    const project = answer.consumer?.replace(/^projects\//, '') ?? '<project>';
    return new GoogleCloudError(
      'service_disabled',
      `The API ${answer.service ?? 'iamcredentials.googleapis.com'} is not enabled in project ${project}.`,
      `Run: gcloud services enable ${answer.service ?? 'iamcredentials.googleapis.com'} --project ${project}`,
    );
  }
  if (answer.reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT') {
    return new GoogleCloudError(
      'impersonation_refused',
      `The access token of the identity that impersonates ${account} does not have the scope ${SCOPE}.`,
      SCOPE_REMEDY,
    );
  }
  return new GoogleCloudError(
    'impersonation_refused',
    `The service account ${account} does not exist or may not be impersonated: ${answer.message}`,
    `Grant roles/iam.serviceAccountTokenCreator on the account to the identity that impersonates it: gcloud iam service-accounts add-iam-policy-binding ${account} --role roles/iam.serviceAccountTokenCreator --member serviceAccount:<e-mail> (or user:<e-mail>)`,
  );
}
