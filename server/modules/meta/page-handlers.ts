import { prefersHtml } from '../../platform/browser-request.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound } from '../../platform/problem.ts';
import {
  acceptInvitePage,
  authCallbackPage,
  PAGES_CSP,
  pagesScript,
  pagesStyle,
  resetPasswordPage,
  verifyEmailPage,
} from './mail-pages.ts';

const headers = { 'Content-Security-Policy': PAGES_CSP };

export const pages: HandlersOf<'pages'> = {
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
