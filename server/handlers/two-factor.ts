import { sessionOf } from '../identity/principal.ts';
import type { HandlersOf } from '../pipeline/handler.ts';

export const twoFactor: HandlersOf<'twoFactor'> = {
  async setup({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    return { status: 200, body: await services.twoFactor.setup(asker, body.password) };
  },

  async enable({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    const recoveryCodes = await services.twoFactor.enable(asker, body.code);
    return { status: 200, body: { recoveryCodes } };
  },

  async verify({ input: { body }, principal, origin, services }) {
    const asker = { principal: sessionOf(principal), origin };
    return { status: 200, body: await services.twoFactor.verify(asker, body.code) };
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
