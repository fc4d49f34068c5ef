import { contract } from '@cspm/contract';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enrol } from '../../../../tests/kit/authenticator.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { RouteTable } from '../../../http/match.ts';
import { newId } from '../../../platform/ids.ts';

/** More rounds make the shortest times less noisy. */
const ROUNDS_MIN = 3;
const ROUNDS_MAX = 20;
/** Without the hash, the shortest time of a refusal is a fiftieth of the others, after any number of rounds. */
const FACTOR = 2.5;

const { login } = contract.auth;
/** Remove the per-address rate limit, which would apply before the throttle. */
const routes = new RouteTable({
  ...contract,
  auth: {
    ...contract.auth,
    login: { ...login, metadata: { ...login.metadata, limit: 'default' } },
  },
});

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ routes, passwordCost: 12 });
});

afterAll(() => server.close());

function signIn(body: { email: string; password: string; totp?: string }, ip?: string) {
  return server.call('/auth/login', { method: 'POST', body, ...(ip === undefined ? {} : { ip }) });
}

it('a refused sign-in takes the same time for every reason', { timeout: 300_000 }, async () => {
  const { people, clock, database } = server;
  const known = await people.user();
  const disabled = await people.user({ disabled: true });
  const enrolled = await people.user();
  await enrol(database, TEST_APP_SECRET, enrolled, { at: clock.now() });
  const throttledFrom = freshAddress();
  const { password } = known;
  const wrong = { password: 'not the password' };
  for (let count = 0; count < 10; count += 1) {
    await signIn({ ...wrong, email: known.email }, throttledFrom);
  }
  // The cost factor of production, as the server uses; test accounts are created with the lowest one.
  await database.owner.query('UPDATE identity.users SET password_hash = $2 WHERE id = ANY ($1)', [
    [known.id, disabled.id, enrolled.id],
    await bcrypt.hash(password, 12),
  ]);
  const reasons: Record<string, () => Promise<Reply>> = {
    'unknown address': () => signIn({ email: `${newId()}@example.com`, password }),
    'wrong password': () => signIn({ ...wrong, email: known.email }),
    'disabled user': () => signIn({ email: disabled.email, password }),
    'wrong code': () => signIn({ email: enrolled.email, password, totp: '000000' }),
    'wrong password with a code': () => signIn({ ...wrong, email: enrolled.email, totp: '000000' }),
    'too many attempts': () => signIn({ email: known.email, password }, throttledFrom),
  };
  const shortest = new Map(
    Object.keys(reasons).map((reason) => [reason, Number.POSITIVE_INFINITY]),
  );
  const factor = () => Math.max(...shortest.values()) / Math.min(...shortest.values());
  for (
    let round = 1;
    round <= ROUNDS_MIN || (factor() >= FACTOR && round <= ROUNDS_MAX);
    round += 1
  ) {
    for (const [reason, attempt] of Object.entries(reasons)) {
      const before = performance.now();
      const reply = await attempt();
      const taken = performance.now() - before;
      shortest.set(reason, Math.min(taken, shortest.get(reason) ?? taken));
      expect({ [reason]: reply.json.code }).toEqual({ [reason]: 'INVALID_CREDENTIALS' });
    }
  }
  expect(factor()).toBeLessThan(FACTOR);
});
