import { GoogleCloudError } from './google-cloud-error.ts';
import { boundedRsaKey, RSA_BITS } from './rsa-private-key.ts';

/** What is used of a key file. Every address in the file is dropped. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  /** An RSA key in PEM, as PKCS #1 or PKCS #8. */
  readonly privateKey: string;
}

export type GoogleCredential =
  | { readonly type: 'service_account_key'; readonly key: ServiceAccountKey }
  /** The Application Default Credentials of this process impersonate a service account. */
  | {
      readonly type: 'impersonation';
      readonly serviceAccount: string;
      readonly environment: Environment;
    }
  | { readonly type: 'application_default'; readonly environment: Environment };

/** The variables of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

const EMAIL_MAX = 254;

const CREATE_KEY =
  'Create a JSON key of the service account: gcloud iam service-accounts keys create key.json --iam-account <account>.';

/**
 * Reads the JSON of a service account's key file. Only the e-mail address and the private key are kept: a `token_uri` or
 * `universe_domain` chosen by the author of the file would receive signed assertions.
 * @throws {GoogleCloudError} `invalid_input`, for any other kind of credential too
 */
export function parseServiceAccountKey(json: unknown): ServiceAccountKey {
  const file = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  const type = file['type'];
  if (type !== 'service_account') throw refusedType(type);
  const clientEmail = file['client_email'];
  const privateKey = file['private_key'];
  if (typeof clientEmail !== 'string' || !isServiceAccount(clientEmail)) {
    throw invalid('The key file has no client_email of a service account.', CREATE_KEY);
  }
  if (typeof privateKey !== 'string') {
    throw invalid('The key file has no private_key.', CREATE_KEY);
  }
  const bounded = boundedRsaKey(privateKey);
  if (bounded === null) {
    throw invalid(
      `The private_key is not an RSA key of ${RSA_BITS.least} to ${RSA_BITS.most} bits in PEM.`,
      CREATE_KEY,
    );
  }
  return { clientEmail, privateKey: bounded };
}

function refusedType(type: unknown): GoogleCloudError {
  if (typeof type === 'string' && type.startsWith('external_account')) {
    return invalid(
      'Workload identity federation files are not accepted: they can name files, addresses and executables.',
      `Use impersonation of a service account, or its key. ${CREATE_KEY}`,
    );
  }
  return invalid(
    'The file is not a key of a service account: "type" must be "service_account".',
    CREATE_KEY,
  );
}

function isServiceAccount(email: string): boolean {
  return (
    email.length <= EMAIL_MAX &&
    /^[a-z0-9][a-z0-9._:-]*@[a-z0-9.:-]+\.gserviceaccount\.com$/.test(email)
  );
}

/**
 * A service account that is to be impersonated. The address becomes part of a URL.
 * @throws {GoogleCloudError} `invalid_input`
 */
export function parseServiceAccountEmail(email: string): string {
  if (isServiceAccount(email)) return email;
  throw invalid(
    'This is not the e-mail address of a service account.',
    'Use the form name@project.iam.gserviceaccount.com.',
  );
}

/**
 * The project, folder or organization whose assets are pulled.
 * @throws {GoogleCloudError} `invalid_input`
 */
export function parseParent(parent: string): string {
  const isProject = /^projects\/(\d{1,20}|([a-z][a-z0-9.-]{1,60}:)?[a-z][a-z0-9-]{4,28}[a-z0-9])$/;
  if (isProject.test(parent) || /^(folders|organizations)\/\d{1,20}$/.test(parent)) return parent;
  throw invalid(
    `"${parent.slice(0, 100)}" is not a parent in Google Cloud.`,
    parent.startsWith('projects/')
      ? 'Use projects/<id or number>. An id has 6 to 30 lower-case letters, digits and hyphens, and begins with a letter. It is not the name that the Google Cloud console shows.'
      : 'Use projects/<id or number>, folders/<number> or organizations/<number>.',
  );
}

function invalid(message: string, remedy: string): GoogleCloudError {
  return new GoogleCloudError('invalid_input', message, remedy);
}
