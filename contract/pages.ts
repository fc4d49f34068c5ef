import { z } from 'zod';
import { policy } from './policy.ts';
import { routes, textResponse } from './route.ts';

const metadata = policy({ auth: 'public', idempotency: 'safe', tx: 'none' });
const html = textResponse('text/html; charset=utf-8');

/** What is in the query string is read by the script of the page and by nothing else: no GET spends a token. */
const unread = z.string().max(2048).optional();

/**
 * The small pages that the links in our mails lead to, until a console is there. They are made for browsers: neither the
 * OpenAPI document nor the SDK knows them.
 */
export const pages = routes({
  verifyEmail: {
    method: 'GET',
    path: '/verify-email',
    summary: 'The page to confirm an e-mail address on',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  resetPassword: {
    method: 'GET',
    path: '/reset-password',
    summary: 'The page to set a password on',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  acceptInvite: {
    method: 'GET',
    path: '/accept-invite',
    summary: 'The page to accept an invitation on',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  authCallback: {
    method: 'GET',
    path: '/auth/callback',
    summary: 'The page that a sign-in at an identity provider comes back to',
    query: z.strictObject({ code: unread, returnTo: unread }),
    responses: { 200: html },
    metadata,
  },
  script: {
    method: 'GET',
    path: '/pages/script.js',
    summary: 'The script of these pages',
    responses: { 200: textResponse('text/javascript; charset=utf-8') },
    metadata,
  },
  style: {
    method: 'GET',
    path: '/pages/style.css',
    summary: 'The style sheet of these pages',
    responses: { 200: textResponse('text/css; charset=utf-8') },
    metadata,
  },
});
