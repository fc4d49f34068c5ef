import type { HandlersOf } from '../../../platform/handler.ts';
import { sessionOf } from '../../../platform/principal.ts';
import { answerWith, type SessionServices } from '../sessions/browser-session.ts';
import type { TwoFactor } from './two-factor.ts';

interface TwoFactorServices extends SessionServices {
  readonly twoFactor: TwoFactor;
}

export const twoFactor: HandlersOf<'twoFactor', TwoFactorServices> = {
  async setup({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    return { status: 200, body: await services.twoFactor.setup(asker, body.password) };
  },

  async enable({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    const recoveryCodes = await services.twoFactor.enable(asker, body.password, body.code);
    return { status: 200, body: { recoveryCodes } };
  },

  async verify(context) {
    const { input, principal, origin, services } = context;
    const asker = { principal: sessionOf(principal), origin };
    return answerWith(await services.twoFactor.verify(asker, input.body.code), context);
  },

  async disable({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    await services.twoFactor.disable(asker, body.password, body.code);
    return { status: 204, body: undefined };
  },

  async recoveryCodes({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    const { password, code } = body;
    const recoveryCodes = await services.twoFactor.replaceRecoveryCodes(asker, password, code);
    return { status: 200, body: { recoveryCodes } };
  },
};
