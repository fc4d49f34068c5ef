import { z } from 'zod';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { displayName, email, secret, text } from './text.ts';

/**
 * A new password. The server enforces a minimum length and refuses the most common passwords and the owner's name or
 * address. It requires no particular character classes.
 */
const newPassword = text(72)
  .min(12)
  .describe(
    'At least 12 characters, at most 72 bytes in UTF-8. Must not be a common password, your name or your e-mail address.',
  )
  .meta({ example: 'correct horse battery staple' });

const token = secret
  .describe('The token from the link in the mail. Valid for one use.')
  .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' });

export const Accepted = z
  .object({ message: z.string().meta({ example: 'Follow the link in the mail.' }) })
  .meta({
    id: 'Accepted',
    description: 'The next step. The response is the same for every caller.',
  });

const open = { auth: 'public', idempotency: 'none', tx: 'none', body: 'json' } as const;

/** Operations that create or recover an account by e-mail. */
export const authAccounts = routes({
  register: {
    method: 'POST',
    path: '/auth/register',
    summary: 'Register an account',
    description:
      'Creates a tenant with you as its administrator after you follow the link in the mail. The response is the same if the address already has an account; the owner of that account is notified by mail.',
    body: z.strictObject({
      email,
      password: newPassword,
      name: displayName(100).optional().meta({ example: 'Ada Lovelace' }),
      tenantName: displayName(100).meta({ example: 'Example Ltd' }),
    }),
    responses: { 202: Accepted },
    metadata: policy({
      ...open,
      limit: 'register',
      audit: 'auth.register',
      problems: ['REGISTRATION_CLOSED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  verifyEmail: {
    method: 'POST',
    path: '/auth/verify-email',
    summary: 'Confirm an e-mail address',
    description: 'Consumes the token from the mail. The account can sign in afterwards.',
    body: z.strictObject({ token }),
    responses: { 204: noBody },
    metadata: policy({
      ...open,
      limit: 'verify-email',
      audit: 'auth.verify_email',
      problems: ['INVALID_TOKEN', 'SERVICE_UNAVAILABLE'],
    }),
  },
  resendVerification: {
    method: 'POST',
    path: '/auth/resend-verification',
    summary: 'Request another confirmation mail',
    description: 'The response is the same whether or not an unconfirmed account exists.',
    body: z.strictObject({ email }),
    responses: { 202: Accepted },
    metadata: policy({
      ...open,
      limit: 'resend-verification',
      audit: 'auth.resend_verification',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Request a password reset',
    description:
      'Sends a reset link if the account exists. The response is the same if it does not.',
    body: z.strictObject({ email }),
    responses: { 202: Accepted },
    metadata: policy({
      ...open,
      limit: 'forgot-password',
      audit: 'auth.forgot_password',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Reset a password',
    description:
      'Consumes the token and ends every session of the account. The e-mail address counts as confirmed; sign-in still requires the second factor. An invited person without an account sets the first password this way and thereby accepts the invitation.',
    body: z.strictObject({ token, password: newPassword }),
    responses: { 204: noBody },
    metadata: policy({
      ...open,
      limit: 'reset-password',
      audit: 'auth.reset_password',
      problems: ['INVALID_TOKEN', 'SERVICE_UNAVAILABLE'],
    }),
  },
  acceptInvite: {
    method: 'POST',
    path: '/auth/accept-invite',
    summary: 'Accept an invitation to another tenant',
    description:
      'For people who already have an account. The membership is active immediately and the password does not change.',
    body: z.strictObject({ token }),
    responses: { 204: noBody },
    metadata: policy({
      ...open,
      audit: 'auth.accept_invite',
      problems: ['INVALID_TOKEN', 'SERVICE_UNAVAILABLE'],
    }),
  },
  changePassword: {
    method: 'POST',
    path: '/auth/change-password',
    summary: 'Change your password',
    description:
      'Ends all your other sessions and keeps this one. Wrong passwords count toward the same limit as failed sign-ins. With `X-Session-Transport: cookie` this session ends too and its cookie is deleted: sign in with the new password.',
    body: z.strictObject({
      currentPassword: secret.meta({ example: 'the one before' }),
      newPassword,
    }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      idempotency: 'none',
      audit: 'auth.change_password',
      tx: 'none',
      body: 'json',
      sessionTransport: true,
      problems: ['INVALID_CREDENTIALS'],
    }),
  },
});
