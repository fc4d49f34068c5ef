import { z } from 'zod';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { secret } from './text.ts';
import { Tokens } from './tokens.ts';

/** An ID token is 1 kB or so; one that is much larger is not read. */
const MAX_ID_TOKEN_LENGTH = 8 * 1024;

/** The part of `auth` that opens sessions on somebody else's word. */
export const authFederation = routes({
  google: {
    method: 'POST',
    path: '/auth/google',
    summary: 'Sign in with Google',
    description:
      'Takes an ID token that Google issued to this service. Whoever signs in for the first time is recognised by the address that Google has verified, or gets an account and a tenant of their own where registration is open. The session has passed no second factor of ours.',
    body: z.strictObject({
      credential: z
        .string()
        .min(1)
        .max(MAX_ID_TOKEN_LENGTH)
        .describe('The ID token.')
        .meta({ example: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDc2OSJ9.c2lnbmF0dXJl' }),
    }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'google',
      idempotency: 'none',
      audit: 'auth.google',
      tx: 'none',
      body: 'json',
      problems: ['INVALID_CREDENTIALS', 'REGISTRATION_CLOSED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  exchange: {
    method: 'POST',
    path: '/auth/exchange',
    summary: 'Exchange a code for tokens',
    description:
      'The code that a sign-in at an identity provider left in the address of `/auth/callback`. Good once, for 60 seconds.',
    body: z.strictObject({
      code: secret.meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' }),
    }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      idempotency: 'none',
      audit: 'auth.exchange',
      tx: 'none',
      body: 'json',
      problems: ['INVALID_TOKEN', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
