import type { AuthClient } from 'google-auth-library';
import { applicationDefault } from './application-default.ts';
import { optionsFor, SCOPE } from './auth-options.ts';
import type { GoogleCredential } from './credential.ts';
import type { GoogleEndpoints } from './endpoints.ts';
import { GoogleCloudError } from './google-cloud-error.ts';
import { refusedCredential } from './refused-credential.ts';
import { boundedRsaKey, RSA_BITS } from './rsa-private-key.ts';

/** Gets access tokens, and keeps one until shortly before it expires. */
export class TokenSource {
  readonly #credential: GoogleCredential;
  readonly #endpoints: GoogleEndpoints;
  #client: Promise<AuthClient> | null = null;

  constructor(credential: GoogleCredential, endpoints: GoogleEndpoints) {
    this.#credential = credential;
    this.#endpoints = endpoints;
  }

  /**
   * The headers that authorize a request: the token and, for the credentials of a user, the project that is charged.
   * @param parent charged if the credential needs such a project and names none
   * @throws {GoogleCloudError} | {NoResponse} | the reason of the signal
   */
  async headers(parent: string, signal: AbortSignal | undefined): Promise<Headers> {
    signal?.throwIfAborted();
    const getting = this.#headers(parent);
    if (signal === undefined) return getting;
    return abortable(getting, signal);
  }

  /** Drops the token: Google refused it before it expired. */
  renew(): void {
    this.#client = null;
  }

  async #headers(parent: string): Promise<Headers> {
    try {
      this.#client ??= clientOf(this.#credential, this.#endpoints);
      const client = await this.#client;
      const project = projectOf(parent);
      if (project !== null && (await isUser(client))) client.quotaProjectId ??= project;
      const headers = await client.getRequestHeaders();
      if (!headers.has('authorization')) throw new Error('no token');
      return headers;
    } catch (error) {
      this.#client = null;
      throw refusedCredential(error, this.#credential);
    }
  }
}

async function clientOf(
  credential: GoogleCredential,
  endpoints: GoogleEndpoints,
): Promise<AuthClient> {
  // Loading the library takes longer than starting the command line, and most commands need no token.
  const { Impersonated, JWT } = await import('google-auth-library');
  switch (credential.type) {
    case 'service_account_key':
      return new JWT({
        ...optionsFor(endpoints, 'given'),
        email: credential.key.clientEmail,
        key: usableKey(credential.key.privateKey),
        scopes: [SCOPE],
      });
    case 'impersonation':
      return new Impersonated({
        ...optionsFor(endpoints, 'trusted'),
        sourceClient: await ownIdentity(credential.environment, endpoints),
        targetPrincipal: credential.serviceAccount,
        targetScopes: [SCOPE],
        endpoint: endpoints.iamCredentialsUrl,
      });
    case 'application_default':
      return applicationDefault(credential.environment, endpoints);
  }
}

/** Keys that earlier releases stored were not checked as strictly. */
function usableKey(privateKey: string): string {
  const bounded = boundedRsaKey(privateKey);
  if (bounded !== null) return bounded;
  throw new GoogleCloudError(
    'credential_refused',
    `The private key is not an RSA key of ${RSA_BITS.least} to ${RSA_BITS.most} bits with valid numbers.`,
    'Create a new key of the service account, and set the source again.',
  );
}

/** The person who named the account to impersonate must not learn about the files of this machine. */
async function ownIdentity(
  environment: Parameters<typeof applicationDefault>[0],
  endpoints: GoogleEndpoints,
): Promise<AuthClient> {
  return applicationDefault(environment, endpoints).catch(() => {
    throw new GoogleCloudError(
      'no_credentials',
      'This service has no identity in Google Cloud that could impersonate the account.',
      'Use a key of the service account, or ask the operator to configure Application Default Credentials.',
    );
  });
}

async function isUser(client: AuthClient): Promise<boolean> {
  const { UserRefreshClient } = await import('google-auth-library');
  return client instanceof UserRefreshClient;
}

function projectOf(parent: string): string | null {
  return parent.startsWith('projects/') ? parent.slice('projects/'.length) : null;
}

/** The library takes no signal, so an abort only stops the waiting. Its requests have time limits. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
