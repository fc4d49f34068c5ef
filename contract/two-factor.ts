import { z } from 'zod';
import { secondFactorCode, totpCode } from './one-time-code.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { secret } from './text.ts';
import { Tokens } from './tokens.ts';

/** Ten codes of 120 bits, in groups of six characters. */
const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string().meta({ example: '7k2m9x-0qv4ht-n3c8zr-5wd1je' }))
      .describe(
        'Each replaces one TOTP code and is valid once. Shown only once; the server stores only their hashes.',
      ),
  })
  .meta({
    id: 'RecoveryCodes',
    description: 'Recovery codes, for use if the authenticator is lost.',
  });

const currentPassword = secret
  .optional()
  .describe(
    'Your password. Optional if the session is younger than 5 minutes and was not opened by an identity provider.',
  )
  .meta({ example: 'correct horse battery staple' });

export const twoFactor = routes({
  setup: {
    method: 'POST',
    path: '/auth/2fa/setup',
    summary: 'Start the enrolment of an authenticator',
    description:
      'Returns a new secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The secret takes effect after one of its codes is sent to `POST /auth/2fa/enable`. It is shown only once.',
    body: z.strictObject({ password: currentPassword }),
    responses: {
      200: z
        .object({
          secret: z
            .string()
            .describe('Base32, for manual entry.')
            .meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
          otpauthUri: z.string().describe('The secret as a URI, for a QR code.').meta({
            example:
              'otpauth://totp/CSPM:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=CSPM',
          }),
        })
        .meta({ id: 'TwoFactorSetup', description: 'A secret that is not confirmed yet.' }),
    },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.setup',
      tx: 'none',
      body: 'json',
      problems: ['REAUTH_REQUIRED', 'CONFLICT'],
    }),
  },
  enable: {
    method: 'POST',
    path: '/auth/2fa/enable',
    summary: 'Enable the authenticator',
    description:
      'Confirms the secret with its first code, in the session that started the enrolment and within 10 minutes. From then on sign-in requires a code. If the response is lost, get recovery codes with `POST /auth/2fa/recovery-codes` and the next code.',
    body: z.strictObject({
      password: secret
        .optional()
        .describe('Your password. Required if an identity provider opened the session.')
        .meta({ example: 'correct horse battery staple' }),
      code: totpCode.describe('The code shown by the authenticator.'),
    }),
    responses: { 200: RecoveryCodes },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.enabled',
      tx: 'none',
      body: 'json',
      problems: ['REAUTH_REQUIRED', 'INVALID_CODE', 'CONFLICT'],
    }),
  },
  verify: {
    method: 'POST',
    path: '/auth/2fa/verify',
    summary: 'Pass the second factor in this session',
    description:
      'Keeps the session and marks it as having passed a second factor; the new tokens can use endpoints that require one. The previous refresh token is no longer valid.',
    body: z.strictObject({ code: secondFactorCode }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.verified',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['INVALID_CODE', 'CONFLICT'],
    }),
  },
  disable: {
    method: 'POST',
    path: '/auth/2fa/disable',
    summary: 'Remove the authenticator',
    description:
      'Also invalidates the recovery codes. All sessions lose their second-factor status.',
    body: z.strictObject({ password: currentPassword, code: secondFactorCode }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.disabled',
      tx: 'none',
      body: 'json',
      problems: ['REAUTH_REQUIRED', 'INVALID_CODE', 'CONFLICT'],
    }),
  },
  recoveryCodes: {
    method: 'POST',
    path: '/auth/2fa/recovery-codes',
    summary: 'Replace the recovery codes',
    description:
      'The previous recovery codes are no longer valid. If the response is lost, repeat the request with the next code of the authenticator. Without an authenticator, remove it with `POST /auth/2fa/disable` instead: a lost response would leave you without any code.',
    body: z.strictObject({ password: currentPassword, code: secondFactorCode }),
    responses: { 200: RecoveryCodes },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.recovery_codes_replaced',
      tx: 'none',
      body: 'json',
      problems: ['REAUTH_REQUIRED', 'INVALID_CODE', 'CONFLICT'],
    }),
  },
});
