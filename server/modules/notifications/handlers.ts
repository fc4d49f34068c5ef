import type { HandlersOf } from '../../platform/handler.ts';
import { userOf } from '../../platform/principal.ts';
import { changeDigest, findDigest } from './queries.ts';

export const notifications: HandlersOf<'notifications'> = {
  async get({ principal, db }) {
    return { status: 200, body: { digest: await findDigest(db, userOf(principal).id) } };
  },

  async update({ input: { body }, principal, db, origin, audit }) {
    const userId = userOf(principal).id;
    await changeDigest(db, userId, body.digest, origin.at);
    audit({ subject: userId, detail: { digest: body.digest } });
    return { status: 200, body };
  },
};
