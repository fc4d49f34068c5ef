import { z } from 'zod';
import { policy } from './policy.ts';
import { noBody, routes, textResponse } from './route.ts';
import { emptyOrText } from './text.ts';

const metadata = policy({ auth: 'public', idempotency: 'safe', tx: 'none' });
const html = textResponse('text/html; charset=utf-8');

/** Only the script of the page reads the query string: a GET never consumes a token. */
const unread = emptyOrText(2048).optional();

/**
 * The root, which leads browsers to the console, and the pages that links in mails open. They redirect to the console
 * if it is built. Only browsers use them, so they are neither in the OpenAPI document nor in the SDK.
 */
export const pages = routes({
  home: {
    method: 'GET',
    path: '/',
    summary: 'Redirects clients that prefer HTML to the console',
    responses: { 303: noBody },
    metadata: policy({ auth: 'public', idempotency: 'safe', tx: 'none', problems: ['NOT_FOUND'] }),
  },
  verifyEmail: {
    method: 'GET',
    path: '/verify-email',
    summary: 'Page to confirm an e-mail address',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  resetPassword: {
    method: 'GET',
    path: '/reset-password',
    summary: 'Page to set a password',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  acceptInvite: {
    method: 'GET',
    path: '/accept-invite',
    summary: 'Page to accept an invitation',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  unsubscribe: {
    method: 'GET',
    path: '/unsubscribe',
    summary: 'Page to unsubscribe from e-mails',
    query: z.strictObject({ token: unread }),
    responses: { 200: html },
    metadata,
  },
  /**
   * Requests come from the page's form, and from mail programs with a body of their own (RFC 8058), which is ignored.
   */
  confirmUnsubscribe: {
    method: 'POST',
    path: '/unsubscribe',
    summary: 'Unsubscribes from e-mails',
    query: z.strictObject({ token: unread }),
    body: noBody,
    responses: { 200: html },
    metadata: policy({
      auth: 'public',
      idempotency: 'natural',
      audit: 'notifications.unsubscribed',
      tx: 'none',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  authCallback: {
    method: 'GET',
    path: '/auth/callback',
    summary: 'Page that a sign-in at an identity provider returns to',
    query: z.strictObject({
      code: unread,
      state: unread,
      returnTo: unread,
      error: unread,
      correlationId: unread,
    }),
    responses: { 200: html },
    metadata,
  },
  script: {
    method: 'GET',
    path: '/pages/script.js',
    summary: 'Script of the mail-link pages',
    responses: { 200: textResponse('text/javascript; charset=utf-8') },
    metadata,
  },
  style: {
    method: 'GET',
    path: '/pages/style.css',
    summary: 'Style sheet of the mail-link pages',
    responses: { 200: textResponse('text/css; charset=utf-8') },
    metadata,
  },
});
