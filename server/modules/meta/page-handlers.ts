import { prefersHtml } from '../../platform/browser-request.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound } from '../../platform/problem.ts';
import type { Unsubscribe } from '../notifications/index.ts';
import {
  acceptInvitePage,
  authCallbackPage,
  FORM_PAGES_CSP,
  PAGES_CSP,
  pagesScript,
  pagesStyle,
  resetPasswordPage,
  unsubscribedPage,
  unsubscribePage,
  verifyEmailPage,
} from './mail-pages.ts';

const headers = { 'Content-Security-Policy': PAGES_CSP };

export const pages: HandlersOf<'pages', { readonly unsubscribe: Unsubscribe }> = {
  async home({ upload }) {
    if (!prefersHtml(upload)) throw notFound();
    return {
      status: 303,
      body: undefined,
      headers: { Location: '/console/', Vary: 'Accept' },
    };
  },

  async verifyEmail() {
    return { status: 200, body: verifyEmailPage, headers };
  },

  async resetPassword() {
    return { status: 200, body: resetPasswordPage, headers };
  },

  async acceptInvite() {
    return { status: 200, body: acceptInvitePage, headers };
  },

  async unsubscribe() {
    return {
      status: 200,
      body: unsubscribePage,
      headers: { 'Content-Security-Policy': FORM_PAGES_CSP },
    };
  },

  async confirmUnsubscribe({ input, services, origin }) {
    await services.unsubscribe.confirm(input.query.token ?? '', origin);
    return { status: 200, body: unsubscribedPage, headers };
  },

  async authCallback() {
    return { status: 200, body: authCallbackPage, headers };
  },

  async script() {
    return { status: 200, body: pagesScript() };
  },

  async style() {
    return { status: 200, body: pagesStyle() };
  },
};
