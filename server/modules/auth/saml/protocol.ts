import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Clock } from '../../../platform/clock.ts';
import { CLOCK_SKEW_MS, identityIn, MAX_ASSERTION_AGE_MS, type SamlIdentity } from './assertion.ts';
import type { Connection, ServiceProvider } from './connection.ts';
import type { UnverifiedResponse } from './response.ts';

// Loads node-saml, so import this file only when SAML is first used. Input from outside is verified in the XML thread
// only.

/** SAML metadata of this service for one tenant's identity provider (SAML 2.0 Metadata §2.4.4). */
export function serviceProviderMetadata(provider: ServiceProvider, tenantId: string): string {
  const saml = new SAML({
    ...ours(provider),
    // Required by node-saml, though metadata does not contain it.
    idpCert: 'none',
    generateUniqueId: () => `_${tenantId}`,
  });
  return saml.generateServiceProviderMetadata(null);
}

/** The provider's address to redirect a browser to, including the request (SAML 2.0 Bindings §3.4). */
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
 * Verifies a response to one of our requests. node-saml checks the signature and the conditions by our clock;
 * `identityIn` then checks the rest on the signed assertion.
 * @throws {Error} of any kind when the response must not be trusted.
 */
export async function verifyResponse(
  response: UnverifiedResponse,
  connection: Connection,
  provider: ServiceProvider,
  clock: Clock,
): Promise<SamlIdentity> {
  if (response.destination !== provider.acsUrl)
    throw new Error('The response has another destination');
  if (response.issuer !== null && response.issuer !== connection.entityId) {
    throw new Error('The response has another issuer');
  }
  const saml = new ClockedSaml(clock, {
    ...ours(provider),
    ...theirs(connection),
    // The assertion must be signed. If the response is signed too, that signature must be valid as well.
    wantAuthnResponseSigned: response.signed,
    validateInResponseTo: ValidateInResponseTo.always,
    // Requests are stored in the database and spent there, in one statement with the assertion.
    cacheProvider: onlyRequest(response.requestId),
  });
  const SAMLResponse = Buffer.from(response.xml).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
  return identityIn(profile?.getAssertion?.(), {
    issuer: connection.entityId,
    recipient: provider.acsUrl,
    requestId: response.requestId,
    now: clock.now(),
  });
}

/** node-saml reads the system clock; this makes it use the server's clock. */
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
    // Let the provider choose its name format and authentication method.
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

/** A cache that holds exactly one request. The database has already confirmed that the request is pending. */
function onlyRequest(requestId: string) {
  return {
    saveAsync: async () => null,
    getAsync: async (id: string) => (id === requestId ? new Date().toISOString() : null),
    removeAsync: async () => null,
  };
}
