import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_TENANT } from '../ids.ts';
import { codeIn } from '../testing/identity-provider.ts';
import { SingleSignOn } from '../testing/single-sign-on.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
});
afterAll(() => server.close());

async function newCode(email = sso.address()): Promise<string> {
  return codeIn(await sso.signIn({ email }));
}

async function expectSpent(code: string) {
  const reply = await sso.exchange(code);
  expect({ status: reply.status, code: reply.json.code }).toEqual({
    status: 400,
    code: 'INVALID_TOKEN',
  });
  return reply;
}

it('a code is good once, also when it comes five times at once', async () => {
  const code = await newCode();
  const replies = await Promise.all(Array.from({ length: 5 }, () => sso.exchange(code)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  await expectSpent(code);
});

it('a code is good for 60 seconds', async () => {
  const [early, late] = [await newCode(), await newCode()];
  server.clock.advance({ seconds: 55 });
  expect((await sso.exchange(early)).status).toBe(200);
  server.clock.advance({ seconds: 6 });
  await expectSpent(late);
});

it('a code is kept as a hash, and no token of another kind stands in its place', async () => {
  const code = await newCode();
  const kept = await sso.sql('SELECT * FROM identity.one_time_values');
  expect(JSON.stringify(kept)).not.toContain(code);
  const { refreshToken } = await sso.enter({ email: sso.address() });
  await expectSpent(refreshToken);
  await expectSpent('x');
});

it('a code opens nothing for somebody who was disabled, or by a provider that was dropped, meanwhile', async () => {
  const email = sso.address();
  const { me } = await sso.enter({ email });
  const code = await newCode(email);
  await sso.setStatus(me.user, 'disabled');
  await expectSpent(code);
  const other = await newCode();
  await sso.trust();
  await expectSpent(other);
});

it('an exchange leaves a row in the trail, good or not', async () => {
  const code = await newCode();
  expect(await sso.trailOf(await sso.exchange(code))).toEqual([
    ['auth.exchange', 'success', undefined],
  ]);
  expect(await sso.trailOf(await expectSpent(code), NO_TENANT)).toEqual([
    ['auth.exchange', 'failure', undefined],
  ]);
});
