import type { Contract } from '@cspm/contract';
import { sessionOf } from '../identity/principal.ts';
import type { HandlersOf } from '../pipeline/handler.ts';

type Account = Extract<
  keyof Contract['auth'],
  | 'register'
  | 'verifyEmail'
  | 'resendVerification'
  | 'forgotPassword'
  | 'resetPassword'
  | 'acceptInvite'
  | 'changePassword'
>;

const MAIL_ON_ITS_WAY = 'If the address can be used for this, a mail is on its way to it.';

/** The part of `auth` that is about accounts and goes by mail. */
export const authAccounts: Pick<HandlersOf<'auth'>, Account> = {
  async register({ input, services, origin }) {
    await services.registration.register(input.body, origin);
    return { status: 202, body: { message: MAIL_ON_ITS_WAY } };
  },

  async verifyEmail({ input, services, origin }) {
    await services.registration.verify(input.body.token, origin);
    return { status: 204, body: undefined };
  },

  async resendVerification({ input, services, origin }) {
    await services.registration.remind(input.body.email, origin);
    return { status: 202, body: { message: MAIL_ON_ITS_WAY } };
  },

  async forgotPassword({ input, services, origin }) {
    await services.passwordChanges.askByMail(input.body.email, origin);
    return { status: 202, body: { message: MAIL_ON_ITS_WAY } };
  },

  async resetPassword({ input, services, origin }) {
    await services.passwordChanges.resetByMail(input.body, origin);
    return { status: 204, body: undefined };
  },

  async acceptInvite({ input, services, origin }) {
    await services.registration.acceptInvite(input.body.token, origin);
    return { status: 204, body: undefined };
  },

  async changePassword({ input, principal, services, origin }) {
    await services.passwordChanges.change(sessionOf(principal), input.body, origin);
    return { status: 204, body: undefined };
  },
};
