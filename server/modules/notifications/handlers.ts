import type { HandlersOf } from '../../platform/handler.ts';
import type { Principal } from '../../platform/principal.ts';
import { ProblemError } from '../../platform/problem.ts';
import { changeDigest, findDigest } from './queries.ts';

export const notifications: HandlersOf<'notifications'> = {
  async get({ principal, db }) {
    return { status: 200, body: { digest: await findDigest(db, personIn(principal)) } };
  },

  async update({ input: { body }, principal, db, origin, audit }) {
    const userId = personIn(principal);
    await changeDigest(db, userId, body.digest, origin.at);
    audit({ subject: userId, detail: { digest: body.digest } });
    return { status: 200, body };
  },
};

/** @throws {ProblemError} FORBIDDEN for a credential that does not belong to a person. */
function personIn({ user }: Principal): string {
  if (user !== null) return user.id;
  throw new ProblemError(
    'FORBIDDEN',
    'This credential does not belong to a person. Sign in or use an API key of your own.',
  );
}
