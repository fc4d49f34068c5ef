import type { Contract } from '@cspm/contract';
import type { HandlersOf } from '../../platform/handler.ts';
import { sessionOf } from '../../platform/principal.ts';
import type { PasswordChanges } from './password/password-changes.ts';
import type { Registration } from './password/registration.ts';
import { endSessionOf, type SessionServices, signedOut } from './sessions/browser-session.ts';

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

const MAIL_ON_ITS_WAY = 'If the address can be used for this, a mail is being sent to it.';

export interface AccountServices extends SessionServices {
  readonly registration: Registration;
  readonly passwordChanges: PasswordChanges;
}

/** Handlers for registration, invitations and password resets. */
export const authAccounts: Pick<HandlersOf<'auth', AccountServices>, Account> = {
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

  async changePassword(context) {
    const { input, principal, services, origin, cookieSession } = context;
    await services.passwordChanges.change(sessionOf(principal), input.body, origin);
    if (cookieSession) await endSessionOf(context);
    return signedOut(context);
  },
};
