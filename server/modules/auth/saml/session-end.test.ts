import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { codeIn } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
});

beforeEach(async () => {
  sso = await SingleSignOn.start(server);
});

afterAll(() => server.close());

/** How far the clock of the test is ahead. */
let ahead = 0;

function wait(minutes: number): void {
  server.clock.advance({ minutes });
  ahead += minutes;
}

afterEach(() => wait(-ahead));

const inMinutes = (minutes: number) => new Date(server.clock.now().getTime() + minutes * 60_000);

const refresh = (refreshToken: string) =>
  server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });

const statusOf = async (session: Record<string, string>) =>
  (await server.call('/auth/me', { headers: session })).status;

async function expectEnd(tokens: Reply): Promise<void> {
  expect(tokens.status).toBe(200);
  wait(10);
  const renewed = await refresh(tokens.json.refreshToken);
  expect(renewed.status).toBe(200);
  const session = { authorization: `Bearer ${renewed.json.accessToken}` };
  wait(9);
  expect(await statusOf(session)).toBe(200);
  // The end was in 20 minutes, and the clocks may differ by one.
  wait(2.1);
  expect(await statusOf(session)).toBe(401);
  expect((await refresh(renewed.json.refreshToken)).status).toBe(401);
}

it('a session ends when its identity provider says, even if it is refreshed', async () => {
  const said = { email: sso.address(), sessionNotOnOrAfter: inMinutes(20) };
  await expectEnd(await sso.exchange(codeIn(await sso.signIn(said))));
});

it('a session whose sign-in was confirmed ends when its identity provider says', async () => {
  const admin = await sso.person({ tenant: sso.tenant });
  const said = { email: admin.email, sessionNotOnOrAfter: inMinutes(20) };
  const { token } = (await sso.exchange(codeIn(await sso.signIn(said)))).json.confirmation;
  await expectEnd(await sso.confirm({ token, password: admin.password }));
});

it('a sign-in is not confirmed after its session has ended at the identity provider', async () => {
  const admin = await sso.person({ tenant: sso.tenant });
  const said = { email: admin.email, sessionNotOnOrAfter: inMinutes(2) };
  const { token } = (await sso.exchange(codeIn(await sso.signIn(said)))).json.confirmation;
  wait(4);
  const reply = await sso.confirm({ token, password: admin.password });
  expect(reply).toMatchObject({ status: 400, json: { code: 'INVALID_TOKEN' } });
});

it.each([
  ['gives it no end', {}],
  ['gives it an end in a year', { sessionNotOnOrAfter: inMinutesFromNow(365 * 24 * 60) }],
])('a session lasts 30 days if its identity provider %s', async (_how, said) => {
  const { refreshToken, me } = await sso.enter({ email: sso.address(), ...said });
  expect((await refresh(refreshToken)).status).toBe(200);
  const [row] = await sso.sql(
    'SELECT EXTRACT(epoch FROM expires_at - created_at)::int AS life FROM identity.sessions WHERE user_id = $1',
    [me.user.id],
  );
  expect(row?.['life']).toBe(30 * 24 * 3600);
});

function inMinutesFromNow(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000);
}
