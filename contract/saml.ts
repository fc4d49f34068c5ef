import { z } from 'zod';
import { policy } from './policy.ts';
import { roleName } from './roles.ts';
import { noBody, routes, textResponse } from './route.ts';
import { email, emptyOrText, id, signInState, text, timestamp } from './text.ts';

/** In characters. SAML messages and metadata are about 10 kB; a much larger one is refused unread. */
export const SAML_XML_LENGTH_MAX = 256 * 1024;
const MAX_CERTIFICATE_LENGTH = 16 * 1024;

const emailDomains = z
  .array(
    z
      .string()
      .max(253)
      .regex(
        /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
        'must be a domain name',
      ),
  )
  .min(1)
  .max(50)
  .describe('The provider can sign in only people with addresses of these domains.')
  .meta({ example: ['example.com'] });
const defaultRole = roleName.describe(
  'The role of new members. It must not include an `admin.*` permission or a permission that you do not have.',
);
const entityId = text(1024).meta({ example: 'https://idp.example.com/saml' });
const ssoUrl = text(2048)
  .describe(
    'The endpoint of the provider for requests with the HTTP-Redirect binding: an https URL.',
  )
  .meta({ example: 'https://idp.example.com/saml/sso' });

/** Used in examples. */
const SERVICE = 'https://posture.example.com/auth/saml';
const TENANT = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';
/** A certificate of nobody, valid until 2126, so that the example is accepted as it stands. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDFzCCAf+gAwIBAgIUdGdT6pczY5iYXtiNA/YW3N72MzswDQYJKoZIhvcNAQEL
BQAwGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyMzA0MTkzNVoY
DzIxMjYxMDMwMDQxOTM1WjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wggEi
MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDVhExM2FpW+rFoD2uX3WxtbbgG
l28EJ1fmL18g/S3hG+sNZWQEb/TAuQp86r+R28ircLpjUPUKavuyqwf7uGT5X/8p
eWLPpJaTi6IGp4yX41dUw/kWQLRdNdKXUpSat0+p24oPTpCqEwjo83uWetafAFZe
aQ7vI7xvO0kQXr9YLFlDnad5t2AF9N4TCg6hjhE1Apih+e0AJNJDSfyXDPCvFVUv
x+73dcS3gHrf5C8idLflgfaOfvwupOJOXom/nyTSQpSqF/qKBooBAosbxwlxSMgc
CUa5GNIgeQVzZrqj/oyNDGUgQBjF/XjUHZIbYipCGvkUM6aePLIRwg9+zLabAgMB
AAGjUzBRMB0GA1UdDgQWBBRRrf/5Bd6+KgDyGXaBLiyBNUMBLTAfBgNVHSMEGDAW
gBRRrf/5Bd6+KgDyGXaBLiyBNUMBLTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3
DQEBCwUAA4IBAQBfhDD4hk107HFaFrWmJu5S8T14r2BG+yiPpUHG4ZHIB2SFTvuI
jA9SwZhC5QqH6McQCajaM3jzcRbqybTQpDYn77I4rz6CnqslWmr8ZtOhuWQEzc1t
hfiEZkX7vEokYP524Ah88KqceKFwLM8M6xs+pBQ6GEt0rGE5kmxhdujDkJoO4QnB
+uL739Mw4RyCzzVppa5zgCSaY/kY7fNkA9h4jxGHOw1Upch707NmAcAKS7ciWI6F
p9ifPO0KaiXjkp+AUP/miWIx4OeWI90Nb5+wh4hTXE6COo4ph+aUZm39lK71RlTc
W+mpbjtWT+uYMxwFzHXnHuVV4jZXq0umBFFz
-----END CERTIFICATE-----
`;

export const SamlSettings = z
  .object({
    id: id.describe('Changes with every update of the settings.'),
    entityId,
    ssoUrl,
    certificates: z
      .array(z.string())
      .describe('The signing certificates of the provider: X.509 as PEM (RFC 7468).')
      .meta({ example: [CERTIFICATE] }),
    emailDomains,
    defaultRole,
    createdAt: timestamp,
    serviceProvider: z
      .object({
        entityId: z.string().meta({ example: `${SERVICE}/metadata?tenant=${TENANT}` }),
        acsUrl: z.string().meta({ example: `${SERVICE}/acs` }),
        metadataUrl: z.string().meta({ example: `${SERVICE}/metadata?tenant=${TENANT}` }),
        loginUrl: z
          .string()
          .describe('The URL where members of the tenant start to sign in.')
          .meta({ example: `${SERVICE}/login?tenant=${TENANT}` }),
      })
      .describe('The values to configure at the identity provider.'),
  })
  .meta({ id: 'SamlSettings', description: 'The SAML identity provider of your tenant.' });

const administration = {
  auth: 'any',
  permission: 'admin.settings',
  feature: 'sso',
} as const;
const tenantQuery = z.strictObject({ tenant: id.describe('The tenant to sign in to.') });

export const saml = routes({
  getSettings: {
    method: 'GET',
    path: '/tenant/saml',
    summary: 'Get the SAML settings',
    description: 'Returns the identity provider of the tenant, or 404 if there is none.',
    responses: { 200: SamlSettings },
    metadata: policy({
      ...administration,
      idempotency: 'safe',
      tx: 'read',
      identity: true,
      problems: ['NOT_FOUND'],
    }),
  },
  putSettings: {
    method: 'PUT',
    path: '/tenant/saml',
    summary: 'Set the SAML settings',
    description:
      'Accepts the metadata of the identity provider, or its three essential parts. The server never fetches metadata. All account links are reset: at their next sign-in people are recognized by their address. If the entity ID or the address of the provider changes, or none of its certificates stays, the sessions that it opened end, and the API keys that were made in them are revoked. A new certificate beside one that stays ends nothing. You must have every permission of each member whose address is in `emailDomains`. All administrators are notified by mail. Members who have an `admin.*` permission, or more permissions than you, must confirm the new provider at their first sign-in. Until a domain is verified (`POST /tenant/domains`) the provider can sign in only accounts that it created in this tenant, and people whom it added leave the tenant when they prove their address by mail or with Google. Expired certificates in metadata are ignored if another one is valid.',
    body: z
      .strictObject({
        metadataXml: text(SAML_XML_LENGTH_MAX)
          .optional()
          .describe('Replaces `entityId`, `ssoUrl` and `certificates`.'),
        entityId: entityId.optional(),
        ssoUrl: ssoUrl.optional(),
        certificates: z
          .array(text(MAX_CERTIFICATE_LENGTH))
          .min(1)
          .max(10)
          .optional()
          .describe('X.509 certificates as PEM or as base64, with RSA keys of 2048 bits or more.'),
        emailDomains,
        defaultRole,
      })
      .meta({
        example: {
          entityId: 'https://idp.example.com/saml',
          ssoUrl: 'https://idp.example.com/saml/sso',
          certificates: [CERTIFICATE],
          emailDomains: ['example.com'],
          defaultRole: 'viewer',
        },
      }),
    responses: { 200: SamlSettings },
    metadata: policy({
      ...administration,
      permission: ['admin.settings', 'admin.users'],
      mfa: true,
      idempotency: 'natural',
      audit: 'saml.settings_changed',
      tx: 'write',
      identity: true,
      body: 'json',
    }),
  },
  deleteSettings: {
    method: 'DELETE',
    path: '/tenant/saml',
    summary: 'Delete the SAML settings',
    description:
      'Disables sign-in through the provider and ends the sessions that it opened, and revokes the API keys that were made in them. Accounts are kept but no longer linked to it. All administrators are notified by mail. Does not require the feature `sso`.',
    responses: { 204: noBody },
    // Without the feature: a tenant that has lost it can still end what its provider opened.
    metadata: policy({
      auth: 'any',
      permission: ['admin.settings', 'admin.users'],
      mfa: true,
      idempotency: 'natural',
      audit: 'saml.settings_deleted',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND'],
    }),
  },
  metadata: {
    method: 'GET',
    path: '/auth/saml/metadata',
    summary: 'Get the metadata of this service',
    description: 'Returns the SAML 2.0 metadata to configure at the identity provider of a tenant.',
    query: tenantQuery,
    responses: { 200: textResponse('application/samlmetadata+xml; charset=utf-8') },
    metadata: policy({
      auth: 'public',
      idempotency: 'safe',
      tx: 'none',
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
  login: {
    method: 'GET',
    path: '/auth/saml/login',
    summary: 'Start a sign-in with SAML',
    description:
      'For browsers: redirects to the identity provider of the tenant. The request is valid for one response within 10 minutes, from the same browser. The cookie `__Host-cspm_sign_in`, set here and shared by all tabs, identifies the browser. If the service is used over plain http from another host, the cookie is `cspm_sign_in` with `SameSite=Lax` and is required only at `POST /auth/exchange`.',
    query: tenantQuery.extend({ state: signInState }),
    responses: { 302: noBody },
    metadata: policy({
      auth: 'public',
      idempotency: 'safe',
      tx: 'none',
      navigation: true,
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
  discover: {
    method: 'POST',
    path: '/auth/saml/discover',
    summary: 'Find the identity provider of an e-mail address',
    description:
      'Returns where people with an address of this domain start to sign in with SAML, if a tenant has verified the domain and set up a provider for it. The response depends on the domain alone, so it does not show whether an account exists.',
    body: z.strictObject({ email }),
    responses: {
      200: z
        .object({
          loginUrl: z
            .string()
            .nullable()
            .describe('Null if there is no identity provider for the domain.')
            .meta({ example: `${SERVICE}/login?tenant=${TENANT}` }),
        })
        .meta({ id: 'SamlDiscovery', description: 'Where a sign-in with SAML starts.' }),
    },
    metadata: policy({
      auth: 'public',
      limit: 'saml-discover',
      idempotency: 'safe',
      tx: 'none',
      body: 'json',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  acs: {
    method: 'POST',
    path: '/auth/saml/acs',
    summary: 'Receive the response of an identity provider',
    description:
      'For browsers that return from the identity provider: redirects to `/auth/callback` of the web application with a `code` for `POST /auth/exchange`. A response is accepted once, only for a request of this service, and only from the browser that started the sign-in. Limits: 600 elements, 32 levels and 192 KiB. The form must not have a `Content-Encoding`; other fields are ignored.',
    // Providers may post more fields (SAML 2.0 Bindings §3.5.4).
    body: z.object({
      SAMLResponse: text(SAML_XML_LENGTH_MAX)
        .describe('Encoded as base64.')
        .meta({ example: 'PHNhbWxwOlJlc3BvbnNlLz4=' }),
      RelayState: emptyOrText(2048).optional().describe('Ignored.').meta({ example: 'console' }),
    }),
    responses: { 303: noBody },
    metadata: policy({
      auth: 'public',
      limit: 'saml-acs',
      idempotency: 'none',
      audit: 'auth.saml',
      tx: 'none',
      body: 'form',
      navigation: true,
      problems: ['INVALID_CREDENTIALS', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
