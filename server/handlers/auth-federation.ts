import type { HandlersOf } from '../pipeline/handler.ts';

/** The part of `auth` that opens sessions on somebody else's word. */
export const authFederation: Pick<HandlersOf<'auth'>, 'google' | 'exchange'> = {
  async google({ input, services, origin }) {
    return { status: 200, body: await services.google.signIn(input.body.credential, origin) };
  },

  async exchange({ input, services, origin }) {
    return { status: 200, body: await services.exchangeCodes.redeem(input.body.code, origin) };
  },
};
