import {
  acceptInvitePage,
  authCallbackPage,
  PAGES_CSP,
  pagesScript,
  pagesStyle,
  resetPasswordPage,
  verifyEmailPage,
} from '../pages/mail-pages.ts';
import type { HandlersOf } from '../pipeline/handler.ts';

const headers = { 'Content-Security-Policy': PAGES_CSP };

export const pages: HandlersOf<'pages'> = {
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
