import { z } from 'zod';
import { Accepted } from './auth-accounts.ts';
import { exactlyOneOf } from './exactly-one.ts';
import { secondFactorCode } from './one-time-code.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { secret, signInState, text } from './text.ts';
import { Tokens } from './tokens.ts';

/** An ID token is about 1 kB; a much larger one is refused unread. */
const MAX_ID_TOKEN_LENGTH = 8 * 1024;

const idToken = text(MAX_ID_TOKEN_LENGTH).meta({
  example: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDc2OSJ9.c2lnbmF0dXJl',
});

const confirmationToken = secret
  .describe('The value of `confirmation.token` in the refusal.')
  .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' });

/** Operations that open sessions through an external identity provider. */
export const authFederation = routes({
  google: {
    method: 'POST',
    path: '/auth/google',
    summary: 'Sign in with Google',
    description:
      'Accepts an ID token that Google issued to this service. On the first sign-in the account is found by the address that Google verified; if there is none and registration is open, an account and a tenant are created. The session has not passed a second factor of this service. Browsers must use a `nonce`: create a random value before the request to Google, keep it, pass it to Google and send it here. A token planted in the page by somebody else then has a different nonce. Other clients need no nonce. Tokens of a sign-in that `GET /auth/google/login` started are refused here. Each token signs in once: if the response is lost, request a new token from Google instead of repeating the request.',
    body: z.strictObject({
      credential: idToken.describe('The ID token.'),
      nonce: z
        .string()
        .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 visible ASCII characters')
        .optional()
        .describe(
          'The nonce that the sign-in started with. It must equal the nonce in the token. Required from a browser, and whenever the token has a nonce.',
        )
        .meta({ example: 'kX3v9Qm1Tz7Rb5Lw2Nc8Yd' }),
    }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'google',
      idempotency: 'none',
      audit: 'auth.google',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['INVALID_CREDENTIALS', 'REGISTRATION_CLOSED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  googleLogin: {
    method: 'GET',
    path: '/auth/google/login',
    summary: 'Start a sign-in with Google',
    description:
      'For browsers: redirects to Google, which makes the browser post an ID token to `/auth/google/callback`. The sign-in is valid for one response within 10 minutes, from the same browser. The cookie `__Host-cspm_sign_in`, set here and shared by all tabs, identifies the browser. If the service is used over plain http from another host, the cookie is `cspm_sign_in` with `SameSite=Lax` and is required only at `POST /auth/exchange`.',
    query: z.strictObject({ state: signInState }),
    responses: { 302: noBody },
    metadata: policy({
      auth: 'public',
      idempotency: 'safe',
      tx: 'none',
      navigation: true,
      problems: ['INVALID_CREDENTIALS', 'SERVICE_UNAVAILABLE'],
    }),
  },
  googleCallback: {
    method: 'POST',
    path: '/auth/google/callback',
    summary: 'Receive the response of Google',
    description:
      'For browsers that return from Google: redirects to `/auth/callback` of the web application with a `code` for `POST /auth/exchange`. The ID token must have the nonce of the sign-in. Register this URL as a redirect URI of the OAuth client. The form must not have a `Content-Encoding`.',
    // Google adds fields such as `authuser` and `prompt`; clients must ignore unknown ones (RFC 6749 §4.2.2).
    body: z
      .object({
        state: secret.meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' }),
        id_token: idToken.optional().describe('The ID token.'),
        error: text(256)
          .optional()
          .describe('Set instead of `id_token` when the sign-in failed at Google.')
          .meta({ example: 'access_denied' }),
      })
      .refine(...exactlyOneOf('id_token', 'error'))
      .meta({
        example: {
          state: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT',
          id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDc2OSJ9.c2lnbmF0dXJl',
        },
      }),
    responses: { 303: noBody },
    metadata: policy({
      auth: 'public',
      limit: 'google',
      idempotency: 'none',
      audit: 'auth.google',
      tx: 'none',
      body: 'form',
      navigation: true,
      problems: [
        'INVALID_TOKEN',
        'INVALID_CREDENTIALS',
        'REGISTRATION_CLOSED',
        'SIGN_IN_CANCELLED',
        'SERVICE_UNAVAILABLE',
      ],
    }),
  },
  exchange: {
    method: 'POST',
    path: '/auth/exchange',
    summary: 'Exchange a code for tokens',
    description:
      'Exchanges the code that a sign-in at an identity provider adds to the URL of `/auth/callback`. The code is valid once, for 60 seconds, in the browser that started the sign-in. The request must carry the cookie that `GET /auth/saml/login` or `GET /auth/google/login` set, so the page that sends it must be served from the same host as `/auth/saml/acs`. If the account has more permissions than the provider may vouch for, the response is 403 `CONFIRMATION_REQUIRED` until the person confirms the provider once with `POST /auth/confirm`.',
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
      sessionTransport: true,
      problems: ['INVALID_TOKEN', 'CONFIRMATION_REQUIRED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  confirm: {
    method: 'POST',
    path: '/auth/confirm',
    summary: 'Confirm a sign-in through an identity provider',
    description:
      'Opens the session of a sign-in that was answered with `CONFIRMATION_REQUIRED`. Send exactly one of `password`, `code` and `mailToken`. After that the provider can sign in to the account without confirmation until its settings change. A wrong password or code does not end the confirmation; it expires after 10 minutes.',
    body: z
      .strictObject({
        token: confirmationToken,
        password: secret.optional().meta({ example: 'correct horse battery staple' }),
        code: secondFactorCode.optional(),
        mailToken: secret
          .optional()
          .describe('The token from the mail that `POST /auth/confirm/mail` sends.')
          .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' }),
      })
      .refine(...exactlyOneOf('password', 'code', 'mailToken'))
      .meta({
        example: {
          token: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT',
          password: 'correct horse battery staple',
        },
      }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'public',
      limit: 'confirm',
      idempotency: 'none',
      audit: 'auth.confirm',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['INVALID_TOKEN', 'INVALID_CREDENTIALS', 'INVALID_CODE', 'SERVICE_UNAVAILABLE'],
    }),
  },
  confirmMail: {
    method: 'POST',
    path: '/auth/confirm/mail',
    summary: 'Request a mail that confirms a sign-in',
    description:
      'Sends a token to the e-mail address of the account. `POST /auth/confirm` requires it together with the token of the sign-in, so the mail alone opens no session. A newer mail invalidates the previous one.',
    body: z.strictObject({ token: confirmationToken }),
    responses: { 202: Accepted },
    metadata: policy({
      auth: 'public',
      limit: 'confirm',
      idempotency: 'none',
      audit: 'auth.confirm_mail',
      tx: 'none',
      body: 'json',
      problems: ['INVALID_TOKEN', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
