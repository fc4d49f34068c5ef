import * as samlify from 'samlify';
import { newCertificate, type TestCertificate } from './certificate.ts';
import { type CookieJar, sharedBrowser } from './cookie-jar.ts';
import type { TestTenant } from './people.ts';
import type { Call, Reply, TestServer } from './test-server.ts';

// The receiver validates responses; the library requires a validator.
samlify.setSchemaValidator({ validate: async () => 'not checked here' });

export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** The contents of a response; omitted fields get valid values. */
export interface Said {
  readonly email?: string;
  readonly nameId?: string;
  readonly nameIdFormat?: string;
  readonly name?: string;
  readonly issuer?: string;
  /** The issuer of the response, if it differs from that of the signed part. */
  readonly responseIssuer?: string;
  readonly audience?: string;
  readonly recipient?: string;
  readonly destination?: string;
  readonly inResponseTo?: string;
  /** The one in the signed part, if it differs; null: none. */
  readonly confirmedRequest?: string | null;
  readonly issuedAt?: Date;
  readonly notBefore?: Date;
  readonly notOnOrAfter?: Date;
  readonly conditions?: boolean;
  /** XML of a condition beside those of time and audience. */
  readonly condition?: string;
  readonly sessionNotOnOrAfter?: Date;
  readonly assertionId?: string;
  readonly status?: string;
  /** Which parts are signed. */
  readonly signed?: 'assertion' | 'response' | 'both' | 'none';
  readonly algorithm?: string;
  readonly key?: TestCertificate;
}

/** A request as the provider received it, and its return address. */
export interface TestRequest {
  readonly id: string;
  readonly acsUrl: string;
  readonly audience: string;
  readonly serviceProviderXml: string;
}

/** A real identity provider: samlify parses the requests and signs the responses. */
export class TestIdentityProvider {
  readonly entityId: string;
  readonly ssoUrl = 'https://idp.example.com/saml/sso?realm=a%26b';
  readonly certificate: TestCertificate;
  readonly domain = 'corp.example.com';

  constructor(entityId = 'https://idp.example.com/saml', certificate = newCertificate()) {
    this.entityId = entityId;
    this.certificate = certificate;
  }

  get metadataXml(): string {
    return this.#idp({}).getMetadata();
  }

  /** The connection settings with which a tenant trusts this provider. */
  get settings() {
    return {
      entityId: this.entityId,
      ssoUrl: this.ssoUrl,
      certificates: [this.certificate.certificate],
      emailDomains: [this.domain],
      defaultRole: 'viewer',
    };
  }

  /** Starts a sign-in at the service in that browser, and receives its request. */
  async request(
    server: TestServer,
    tenant: TestTenant,
    call: Call = {},
    browser: CookieJar = sharedBrowser,
  ): Promise<TestRequest> {
    const headers = { ...browser.headers, ...call.headers };
    const begun = await server.call(`/auth/saml/login?tenant=${tenant.id}`, { ...call, headers });
    browser.take(begun.headers);
    return this.requestIn(begun.headers.get('location') ?? '', server, tenant);
  }

  /** @param address of this provider, to which a browser is redirected with a request. */
  async requestIn(address: string, server: TestServer, tenant: TestTenant): Promise<TestRequest> {
    const location = new URL(address);
    const metadata = await server.call(`/auth/saml/metadata?tenant=${tenant.id}`);
    const sp = samlify.ServiceProvider({ metadata: metadata.text });
    const query = Object.fromEntries(location.searchParams);
    const { extract } = await this.#idp({}).parseLoginRequest(sp, 'redirect', { query });
    return {
      id: String(extract.request?.['id']),
      acsUrl: String(extract.request?.['assertionConsumerServiceUrl']),
      audience: String(extract.issuer),
      serviceProviderXml: metadata.text,
    };
  }

  /** @returns a response in base64. */
  async respond(request: TestRequest, said: Said, now: Date): Promise<string> {
    const signed = said.signed ?? 'assertion';
    const xml = this.#responseXml(request, said, now);
    if (signed === 'none') return Buffer.from(xml).toString('base64');
    const sp = samlify.ServiceProvider({
      metadata: request.serviceProviderXml.replace(
        'WantAssertionsSigned="true"',
        `WantAssertionsSigned="${signed === 'response' ? 'false' : 'true'}"`,
      ),
      wantMessageSigned: signed !== 'assertion',
    });
    const { context } = await this.#idp(said).createLoginResponse(
      sp,
      { extract: {} },
      'post',
      {},
      { customTagReplacement: () => ({ id: 'unused', context: xml }) },
    );
    return context;
  }

  /** The whole sign-in up to the service's answer: request, response, form. */
  async signIn(server: TestServer, tenant: TestTenant, said: Said = {}): Promise<Reply> {
    const request = await this.request(server, tenant);
    return postResponse(server, await this.respond(request, said, server.clock.now()));
  }

  #idp(said: Said) {
    const key = said.key ?? this.certificate;
    return samlify.IdentityProvider({
      entityID: this.entityId,
      privateKey: key.privateKey,
      signingCert: key.certificate,
      requestSignatureAlgorithm: said.algorithm ?? RSA_SHA256,
      singleSignOnService: [redirectTo(this.ssoUrl)],
      singleLogoutService: [redirectTo(this.ssoUrl)],
    });
  }

  #responseXml(request: TestRequest, said: Said, now: Date): string {
    const issuedAt = said.issuedAt ?? now;
    const ends = (said.notOnOrAfter ?? new Date(now.getTime() + 300_000)).toISOString();
    const begins = (said.notBefore ?? issuedAt).toISOString();
    const email = said.email ?? `ada@${this.domain}`;
    const issuer = escaped(said.issuer ?? this.entityId);
    const answered = said.inResponseTo ?? request.id;
    const confirmed = said.confirmedRequest === undefined ? answered : said.confirmedRequest;
    const inResponseTo = confirmed === null ? '' : ` InResponseTo="${escaped(confirmed)}"`;
    const instant = issuedAt.toISOString();
    const conditions = `<saml:Conditions NotBefore="${begins}" NotOnOrAfter="${ends}"><saml:AudienceRestriction><saml:Audience>${escaped(said.audience ?? request.audience)}</saml:Audience></saml:AudienceRestriction>${said.condition ?? ''}</saml:Conditions>`;
    const sessionEnds =
      said.sessionNotOnOrAfter === undefined
        ? ''
        : ` SessionNotOnOrAfter="${said.sessionNotOnOrAfter.toISOString()}"`;
    const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId ?? freshId()}" Version="2.0" IssueInstant="${instant}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.nameIdFormat ?? (said.nameId === undefined ? EMAIL_FORMAT : PERSISTENT)}">${escaped(said.nameId ?? email)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${ends}" Recipient="${escaped(said.recipient ?? request.acsUrl)}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject>${said.conditions === false ? '' : conditions}<saml:AuthnStatement AuthnInstant="${instant}"${sessionEnds}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attribute('mail', email)}${attribute('displayName', said.name ?? 'Ada Lovelace')}${attribute('role', 'admin')}</saml:AttributeStatement></saml:Assertion>`;
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${freshId()}" Version="2.0" IssueInstant="${instant}" Destination="${escaped(said.destination ?? request.acsUrl)}" InResponseTo="${escaped(answered)}"><saml:Issuer>${said.responseIssuer ?? issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status ?? 'Success'}"/></samlp:Status>${assertion}</samlp:Response>`;
  }
}

/** Posts a response as a browser does. */
export function postResponse(
  server: TestServer,
  SAMLResponse: string,
  more: Record<string, string> = {},
  browser: CookieJar = sharedBrowser,
): Promise<Reply> {
  return server.call('/auth/saml/acs', {
    method: 'POST',
    headers: { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse, ...more }).toString(),
  });
}

/** The code in the URL to which a browser was redirected. */
export function codeIn(reply: Reply): string {
  return new URL(reply.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

function redirectTo(url: string) {
  const Binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
  return { Binding, Location: url };
}

function attribute(name: string, value: string): string {
  return `<saml:Attribute Name="${name}"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${escaped(value)}</saml:AttributeValue></saml:Attribute>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

let lastId = 0;

function freshId(): string {
  lastId += 1;
  return `_test-${process.pid}-${Date.now()}-${lastId}`;
}
