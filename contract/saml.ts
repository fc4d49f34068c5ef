import { z } from 'zod';
import { policy } from './policy.ts';
import { roleName } from './roles.ts';
import { noBody, routes, textResponse } from './route.ts';
import { id, text, timestamp } from './text.ts';

/** SAML messages and metadata are some ten kB; what is much larger is not read. */
const MAX_XML_LENGTH = 256 * 1024;
const MAX_CERTIFICATE_LENGTH = 16 * 1024;

const emailDomains = z
  .array(
    z
      .string()
      .max(253)
      .regex(
        /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
        'must be the name of a domain',
      ),
  )
  .min(1)
  .max(50)
  .describe('The provider may sign in people with addresses of these domains alone.')
  .meta({ example: ['example.com'] });
const defaultRole = roleName.describe(
  'What newcomers become. It holds no `admin.*` permission, and none that you do not hold yourself.',
);
const entityId = text(1024).meta({ example: 'https://idp.example.com/saml' });
const ssoUrl = text(2048)
  .describe('Where the provider takes requests by the HTTP-Redirect binding: an https address.')
  .meta({ example: 'https://idp.example.com/saml/sso' });

/** Of examples. */
const SERVICE = 'https://posture.example.com/auth/saml';
const TENANT = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----\n';

export const SamlSettings = z
  .object({
    id: id.describe('Changes whenever the settings are put.'),
    entityId,
    ssoUrl,
    certificates: z
      .array(z.string())
      .describe('What the provider signs with: X.509 certificates as PEM (RFC 7468).')
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
          .describe('Where people of the tenant begin to sign in.')
          .meta({ example: `${SERVICE}/login?tenant=${TENANT}` }),
      })
      .describe('What the provider has to know of this service.'),
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
    description: 'The identity provider of the tenant; 404 when there is none.',
    responses: { 200: SamlSettings },
    metadata: policy({
      ...administration,
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  putSettings: {
    method: 'PUT',
    path: '/tenant/saml',
    summary: 'Put the SAML settings',
    description:
      'Takes the metadata of the identity provider as it is pasted, or its three essential parts. Metadata is never fetched from anywhere. Accounts are linked anew to whoever the provider says they are: people are recognised by their address at their next sign-in.',
    body: z
      .strictObject({
        metadataXml: text(MAX_XML_LENGTH)
          .optional()
          .describe('In the place of `entityId`, `ssoUrl` and `certificates`.'),
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
      mfa: true,
      idempotency: 'natural',
      audit: 'saml.settings_changed',
      tx: 'write',
      body: 'json',
    }),
  },
  deleteSettings: {
    method: 'DELETE',
    path: '/tenant/saml',
    summary: 'Delete the SAML settings',
    description:
      'Nobody can sign in by the provider any more. Accounts stay, and are linked to it no longer.',
    responses: { 204: noBody },
    metadata: policy({
      ...administration,
      mfa: true,
      idempotency: 'natural',
      audit: 'saml.settings_deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  metadata: {
    method: 'GET',
    path: '/auth/saml/metadata',
    summary: 'Get the metadata of this service',
    description: 'What the identity provider of a tenant wants to be told, as SAML 2.0 metadata.',
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
    summary: 'Begin to sign in with SAML',
    description:
      'For a browser: sends it to the identity provider of the tenant, with a request that is good for one answer within 10 minutes.',
    query: tenantQuery,
    responses: { 302: noBody },
    metadata: policy({
      auth: 'public',
      idempotency: 'safe',
      tx: 'none',
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
  acs: {
    method: 'POST',
    path: '/auth/saml/acs',
    summary: 'Take the answer of an identity provider',
    description:
      'For a browser that comes from the identity provider: sends it on to `/auth/callback` of the web application with a `code` for `POST /auth/exchange`. An answer is taken once, and for a request of ours alone.',
    body: z.strictObject({
      SAMLResponse: z
        .string()
        .min(1)
        .max(MAX_XML_LENGTH)
        .describe('In base64.')
        .meta({ example: 'PHNhbWxwOlJlc3BvbnNlLz4=' }),
      RelayState: z
        .string()
        .max(2048)
        .optional()
        .describe('Not looked at.')
        .meta({ example: 'console' }),
    }),
    responses: { 303: noBody },
    metadata: policy({
      auth: 'public',
      limit: 'saml-acs',
      idempotency: 'none',
      audit: 'auth.saml',
      tx: 'none',
      body: 'form',
      problems: ['INVALID_CREDENTIALS', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
