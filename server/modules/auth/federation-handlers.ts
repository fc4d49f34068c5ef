import { isFromBrowser } from '../../platform/browser-request.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import type { GoogleRedirect } from './google/google-redirect.ts';
import type { GoogleSignIn } from './google/google-sign-in.ts';
import type { SamlConfirmation } from './saml/confirmation.ts';
import { type SessionServices, signedIn } from './sessions/browser-session.ts';
import type { ExchangeCodes } from './sessions/exchange-code.ts';

export interface FederationServices extends SessionServices {
  readonly google: GoogleSignIn;
  readonly googleRedirect: GoogleRedirect;
  readonly exchangeCodes: ExchangeCodes;
  readonly samlConfirmation: SamlConfirmation;
}

/** Handlers for sign-in through Google and through SAML identity providers. */
export const authFederation: Pick<
  HandlersOf<'auth', FederationServices>,
  'google' | 'googleLogin' | 'googleCallback' | 'exchange' | 'confirm' | 'confirmMail'
> = {
  async google(context) {
    const { input, services, origin, upload } = context;
    const isBrowser = isFromBrowser(upload.headers);
    return signedIn(await services.google.signIn(input.body, isBrowser, origin), context);
  },

  async googleLogin({ input: { query }, services, cookies }) {
    const { address, setCookie } = await services.googleRedirect.begin(cookies, query.state);
    return {
      status: 302,
      body: undefined,
      headers: { Location: address, 'Set-Cookie': setCookie },
    };
  },

  async googleCallback({ input: { body }, services, origin, cookies }) {
    const Location = await services.googleRedirect.finish(body, cookies, origin);
    return { status: 303, body: undefined, headers: { Location } };
  },

  async exchange(context) {
    const { input, services, origin, cookies } = context;
    const tokens = await services.exchangeCodes.redeem(input.body.code, cookies, origin);
    return signedIn(tokens, context);
  },

  async confirm(context) {
    const { input, services, origin } = context;
    const { token, ...proof } = input.body;
    return signedIn(await services.samlConfirmation.confirm(token, proof, origin), context);
  },

  async confirmMail({ input, services, origin }) {
    await services.samlConfirmation.sendMail(input.body.token, origin);
    return { status: 202, body: { message: 'Use the token from the mail within 10 minutes.' } };
  },
};
