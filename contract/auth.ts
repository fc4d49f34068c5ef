import { z } from 'zod';
import { authAccounts } from './auth-accounts.ts';
import { authFederation } from './auth-federation.ts';
import { FEATURES } from './features.ts';
import { totpCode } from './one-time-code.ts';
import { PERMISSIONS } from './permissions.ts';
import { CREDENTIAL_KINDS, policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { email, id, secret, timestamp } from './text.ts';
import { Tokens } from './tokens.ts';

const refreshToken = secret
  .optional()
  .describe('Required without `X-Session-Transport: cookie`, and not allowed with it.')
  .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' });

export const Identity = z
  .object({
    user: z
      .object({
        id,
        email: z.string().meta({ example: 'ada@example.com' }),
        name: z.string().nullable().meta({ example: 'Ada Lovelace' }),
        emailVerified: z.boolean(),
        twoFactorEnabled: z.boolean(),
      })
      .nullable(),
    tenant: z.object({
      id,
      name: z.string().meta({ example: 'Example Ltd' }),
      features: z.array(z.enum(FEATURES)),
    }),
    role: z.string().meta({ example: 'admin' }),
    permissions: z.array(z.enum(PERMISSIONS)),
    credential: z.object({
      kind: z.enum(CREDENTIAL_KINDS),
      mfa: z.boolean().describe('Whether the session has passed a second factor.'),
      expiresAt: timestamp.nullable(),
    }),
    memberships: z.array(
      z.object({
        tenantId: id,
        tenantName: z.string().meta({ example: 'Example Ltd' }),
        role: z.string().meta({ example: 'admin' }),
      }),
    ),
  })
  .meta({
    id: 'Identity',
    description: 'The user, tenant and permissions of the credential.',
  });

export const auth = routes({
  login: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with e-mail and password',
    description:
      'Opens a session. Every refusal has the same response and takes the same time, whatever its reason. Only a caller with the right password learns that a second factor is missing.',
    body: z
      .strictObject({
        email,
        password: secret.meta({ example: 'correct horse battery staple' }),
        totp: totpCode
          .optional()
          .describe('The code of the authenticator, if one is enrolled. Valid once.'),
        recoveryCode: secret
          .optional()
          .describe('A recovery code instead of `totp`, if the authenticator is lost. Valid once.'),
        tenantId: id
          .optional()
          .describe(
            'The tenant to sign in to. If omitted: the last one used, otherwise the oldest membership.',
          ),
      })
      .meta({
        example: {
          email: 'ada@example.com',
          password: 'correct horse battery staple',
          totp: '287082',
        },
      }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'login',
      idempotency: 'none',
      audit: 'auth.login',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Renew a session',
    description:
      'Consumes the refresh token and returns a new pair of tokens. Reusing a consumed token ends the whole session, unless it is the most recent one and the repetition arrives within 10 seconds; such a repetition is refused without effect. With `X-Session-Transport: cookie` the refusal then has `Retry-After`: another page of the browser has renewed the session, and a new request uses its cookie. Every other refusal deletes the cookie.',
    body: z.strictObject({ refreshToken }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'refresh',
      idempotency: 'none',
      audit: 'auth.refresh',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End a session',
    description:
      'Ends the session of the refresh token; its access tokens are refused from then on. An unknown token gets the same response. With `X-Session-Transport: cookie` the cookie names the session and is deleted.',
    body: z.strictObject({ refreshToken }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'public',
      idempotency: 'natural',
      audit: 'auth.logout',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  logoutAll: {
    method: 'POST',
    path: '/auth/logout-all',
    summary: 'End all your sessions',
    description:
      'Ends your sessions in every tenant, including this one. Their tokens are refused from the next request on. With `X-Session-Transport: cookie` the session cookie is deleted.',
    body: noBody,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      idempotency: 'natural',
      audit: 'auth.logout_all',
      tx: 'write',
      identity: true,
      sessionTransport: true,
    }),
  },
  ...authAccounts,
  ...authFederation,
  methods: {
    method: 'GET',
    path: '/auth/methods',
    summary: 'List the ways to sign in',
    description:
      'What a sign-in page offers. `saml` says that the server has identity providers; `POST /auth/saml/discover` finds the one for an address.',
    responses: {
      200: z
        .object({
          password: z.literal(true),
          registration: z.boolean().describe('Whether anyone can register an account.'),
          google: z.boolean().describe('Whether `GET /auth/google/login` is configured.'),
          saml: z.boolean().describe('Whether a tenant has a SAML identity provider.'),
        })
        .meta({ id: 'SignInMethods', description: 'The ways to sign in to this server.' }),
    },
    metadata: policy({
      auth: 'public',
      idempotency: 'safe',
      tx: 'none',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  me: {
    method: 'GET',
    path: '/auth/me',
    summary: 'Get the current identity',
    description: 'The user, the tenant and the current permissions of the credential.',
    responses: { 200: Identity },
    metadata: policy({ auth: 'any', idempotency: 'safe', tx: 'none' }),
  },
});
