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

const refreshToken = secret.meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' });

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
    description: 'Who the credential stands for, where, and what it may do.',
  });

export const auth = routes({
  login: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with e-mail and password',
    description:
      'Opens a session. Every refusal has the same answer and takes the same time, whatever its reason; only whoever has the right password learns that a second factor is missing.',
    body: z
      .strictObject({
        email,
        password: secret.meta({ example: 'correct horse battery staple' }),
        totp: totpCode
          .optional()
          .describe('The code of the authenticator, where one is enrolled; good once.'),
        recoveryCode: secret
          .optional()
          .describe('In the place of `totp`, when the authenticator is lost; good once.'),
        tenantId: id
          .optional()
          .describe(
            'The tenant to enter; left out: the one used last, else the oldest membership.',
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
      problems: ['INVALID_CREDENTIALS', 'TOTP_REQUIRED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Renew a session',
    description:
      'Spends the refresh token and answers with a new pair. A token that is used again after it was spent ends the whole session, unless it is the one before and the repetition comes within 10 seconds.',
    body: z.strictObject({ refreshToken }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'refresh',
      idempotency: 'none',
      audit: 'auth.refresh',
      tx: 'none',
      body: 'json',
      problems: ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End a session',
    description:
      'Ends the session that the refresh token belongs to; its access tokens are refused from then on. An unknown token is answered alike.',
    body: z.strictObject({ refreshToken }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'public',
      idempotency: 'natural',
      audit: 'auth.logout',
      tx: 'none',
      body: 'json',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  logoutAll: {
    method: 'POST',
    path: '/auth/logout-all',
    summary: 'End all your sessions',
    description:
      'In every tenant, this one included. Their tokens are refused from the next request on.',
    body: noBody,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      idempotency: 'natural',
      audit: 'auth.logout_all',
      tx: 'write',
    }),
  },
  ...authAccounts,
  ...authFederation,
  me: {
    method: 'GET',
    path: '/auth/me',
    summary: 'Who am I?',
    description:
      'The identity, the tenant and the permissions that the credential carries right now.',
    responses: { 200: Identity },
    metadata: policy({ auth: 'any', idempotency: 'safe', tx: 'none' }),
  },
});
