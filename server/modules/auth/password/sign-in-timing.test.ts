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

const ROUNDS = 3;
/** Without the hash a refusal takes a fiftieth of the time; noise of a busy machine stays below this factor. */
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
  const taken = new Map<string, number[]>(Object.keys(reasons).map((reason) => [reason, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [reason, attempt] of Object.entries(reasons)) {
      const before = performance.now();
      const reply = await attempt();
      taken.get(reason)?.push(performance.now() - before);
      expect({ [reason]: reply.json.code }).toEqual({ [reason]: 'INVALID_CREDENTIALS' });
    }
  }
  const medians = [...taken.values()].map(medianOf);
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(FACTOR);
});

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
