import { z } from 'zod';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { email, secret, text } from './text.ts';

/**
 * A password to be set. Beyond its length, the server refuses the most common ones and the names of its owner; nothing
 * is asked of its characters.
 */
const newPassword = text(72)
  .min(12)
  .describe(
    '12 characters or more, at most 72 bytes in UTF-8, none of the most common passwords, not your own name or address.',
  )
  .meta({ example: 'correct horse battery staple' });

const token = secret
  .describe('Out of the link in the mail: good for one use.')
  .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' });

const Accepted = z
  .object({ message: z.string().meta({ example: 'Follow the link in the mail.' }) })
  .meta({ id: 'Accepted', description: 'What happens next, whoever asks.' });

const open = { auth: 'public', idempotency: 'none', tx: 'none', body: 'json' } as const;

/** How people get an account and keep hold of it, by way of their mailbox. */
export const authAccounts = routes({
  register: {
    method: 'POST',
    path: '/auth/register',
    summary: 'Register an account',
    description:
      'Makes a tenant with you as its administrator, once you have followed the link in the mail. The answer is the same when the address has an account already; its owner is then told by mail.',
    body: z.strictObject({
      email,
      password: newPassword,
      name: text(100).optional().meta({ example: 'Ada Lovelace' }),
      tenantName: text(100).meta({ example: 'Example Ltd' }),
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
    description: 'Spends the token of the mail. From then on the account can sign in.',
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
    summary: 'Ask for another confirmation mail',
    description: 'The answer is the same whether or not there is an account that waits for one.',
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
    summary: 'Ask for a new password',
    description: 'Sends a link if there is such an account. The answer is the same if not.',
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
    summary: 'Set a password by the link of a mail',
    description:
      'Spends the token and ends every session of the account. The mailbox counts as proven; a second factor is still asked for at sign-in. Somebody invited who is new here sets the first password so, and thereby accepts.',
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
      'For people who have an account: the membership counts from now on, and the password stays.',
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
      'Ends all your other sessions and keeps this one. Wrong guesses count with those at sign-in.',
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
      problems: ['INVALID_CREDENTIALS'],
    }),
  },
});
