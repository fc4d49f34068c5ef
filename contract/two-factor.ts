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
        'Each good once in the place of a code. Shown this once; only their hashes are kept.',
      ),
  })
  .meta({
    id: 'RecoveryCodes',
    description: 'What opens the account when the authenticator is lost.',
  });

const currentPassword = secret
  .optional()
  .describe('Your password; may be left out in a session younger than 5 minutes.')
  .meta({ example: 'correct horse battery staple' });

export const twoFactor = routes({
  setup: {
    method: 'POST',
    path: '/auth/2fa/setup',
    summary: 'Begin to enrol an authenticator',
    description:
      'Answers with a new secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It is not in force until a code of it was sent to `POST /auth/2fa/enable`, and is never shown again.',
    body: z.strictObject({ password: currentPassword }),
    responses: {
      200: z
        .object({
          secret: z
            .string()
            .describe('Base32, for typing in.')
            .meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
          otpauthUri: z.string().describe('The same as an address, for a QR code.').meta({
            example:
              'otpauth://totp/CSPM:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=CSPM',
          }),
        })
        .meta({ id: 'TwoFactorSetup', description: 'A secret that waits to be confirmed.' }),
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
    summary: 'Put the authenticator in force',
    description: 'Confirms the secret by a first code. From then on signing in wants a code.',
    body: z.strictObject({ code: totpCode.describe('The code that the authenticator shows.') }),
    responses: { 200: RecoveryCodes },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.enabled',
      tx: 'none',
      body: 'json',
      problems: ['INVALID_CODE', 'CONFLICT'],
    }),
  },
  verify: {
    method: 'POST',
    path: '/auth/2fa/verify',
    summary: 'Pass the second factor in this session',
    description:
      'Keeps the session and raises it: the new tokens open what wants a second factor. The refresh token that the session had is spent.',
    body: z.strictObject({ code: secondFactorCode }),
    responses: { 200: Tokens },
    metadata: policy({
      auth: 'session',
      limit: '2fa',
      idempotency: 'none',
      audit: 'two_factor.verified',
      tx: 'none',
      body: 'json',
      problems: ['INVALID_CODE', 'CONFLICT'],
    }),
  },
  disable: {
    method: 'POST',
    path: '/auth/2fa/disable',
    summary: 'Remove the authenticator',
    description:
      'Voids the recovery codes too. No session counts as one that has passed a second factor from then on.',
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
    summary: 'Make new recovery codes',
    description: 'The ones made before are void.',
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
