import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Clock } from '../../clock.ts';
import { CLOCK_SKEW_MS, identityIn, MAX_ASSERTION_AGE_MS, type SamlIdentity } from './assertion.ts';
import type { Connection, ServiceProvider } from './connection.ts';
import type { UnverifiedResponse } from './response.ts';

// Loads node-saml, and is itself loaded when SAML is first used.

/** The metadata of this service for the identity provider of a tenant (SAML 2.0 Metadata §2.4.4). */
export function serviceProviderMetadata(provider: ServiceProvider, tenantId: string): string {
  const saml = new SAML({
    ...ours(provider),
    // Not used for metadata, but wanted.
    idpCert: 'none',
    generateUniqueId: () => `_${tenantId}`,
  });
  return saml.generateServiceProviderMetadata(null);
}

/** The address at the identity provider that a browser is sent to with a request (SAML 2.0 Bindings §3.4). */
export async function loginAddress(
  connection: Connection,
  provider: ServiceProvider,
  requestId: string,
): Promise<string> {
  const saml = new SAML({
    ...ours(provider),
    ...theirs(connection),
    generateUniqueId: () => requestId,
  });
  return saml.getAuthorizeUrlAsync('', undefined, {});
}

/**
 * Verifies a response to one of our requests: node-saml checks the signature and the conditions, by our clock; what it
 * leaves out is checked on what was signed.
 * @throws {Error} of whatever kind for a response that is not to be believed.
 */
export async function verifyResponse(
  response: UnverifiedResponse,
  connection: Connection,
  provider: ServiceProvider,
  clock: Clock,
): Promise<SamlIdentity> {
  if (response.destination !== provider.acsUrl) throw new Error('The response is for another');
  if (response.issuer !== null && response.issuer !== connection.entityId) {
    throw new Error('The response is from another');
  }
  const saml = new ClockedSaml(clock, {
    ...ours(provider),
    ...theirs(connection),
    // An assertion must be signed; a response that is signed besides must be signed well.
    wantAuthnResponseSigned: response.signed,
    validateInResponseTo: ValidateInResponseTo.always,
    // Requests are kept in the database and spent there, in one statement with the assertion.
    cacheProvider: onlyRequest(response.requestId),
  });
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response.encoded });
  return identityIn(profile?.getAssertion?.(), {
    issuer: connection.entityId,
    recipient: provider.acsUrl,
    requestId: response.requestId,
    now: clock.now(),
  });
}

/** node-saml asks the system for the time; times are judged by the server's one clock. */
class ClockedSaml extends SAML {
  readonly #clock: Clock;

  constructor(clock: Clock, options: ConstructorParameters<typeof SAML>[0]) {
    super(options);
    this.#clock = clock;
  }

  protected override checkTimestampsValidityError(
    _nowMs: number,
    notBefore: string,
    notOnOrAfter: string,
    maxTimeLimitMs?: number,
  ): Error | null {
    const nowMs = this.#clock.now().getTime();
    return super.checkTimestampsValidityError(nowMs, notBefore, notOnOrAfter, maxTimeLimitMs);
  }
}

function ours(provider: ServiceProvider) {
  return {
    issuer: provider.entityId,
    audience: provider.entityId,
    callbackUrl: provider.acsUrl,
    wantAssertionsSigned: true,
    // The provider knows best how it names and authenticates its people.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
  };
}

function theirs(connection: Connection) {
  return {
    entryPoint: connection.ssoUrl,
    idpCert: [...connection.certificates],
    idpIssuer: connection.entityId,
  };
}

/** Knows of one request, just made: whether it still waits was asked of the database, by our clock. */
function onlyRequest(requestId: string) {
  return {
    saveAsync: async () => null,
    getAsync: async (id: string) => (id === requestId ? new Date().toISOString() : null),
    removeAsync: async () => null,
  };
}
