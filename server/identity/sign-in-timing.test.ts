import { contract } from '@cspm/contract';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { RouteTable } from '../pipeline/match.ts';
import { enrol } from '../testing/authenticator.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../testing/test-server.ts';

const ROUNDS = 3;
/** A branch without the hashing takes a fiftieth; other work on the machine takes a little more or less. */
const FACTOR = 2.5;

const { login } = contract.auth;
/** Without the limit of its address, which would be met before the throttle is. */
const routes = new RouteTable({
  ...contract,
  auth: {
    ...contract.auth,
    login: { ...login, metadata: { ...login.metadata, limit: 'default' } },
  },
});

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ routes });
});

afterAll(() => server.close());

function signIn(body: { email: string; password: string; totp?: string }, ip?: string) {
  return server.call('/auth/login', { method: 'POST', body, ...(ip === undefined ? {} : { ip }) });
}

it('a refused sign-in takes the same time, whatever the reason', { timeout: 90_000 }, async () => {
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
  // The cost of real accounts; those of other tests have the least one.
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
