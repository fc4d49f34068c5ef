import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { followOwnClock } from '../../../../tests/kit/database-clock.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';

// Two servers share a database, whose clock is its own as in production.

let issuer: TokenIssuer;
let right: TestServer;
/** Its clock differs from that of the other one. */
let wrong: TestServer;
let skew = 0;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  right = await startTestServer({ issuer });
  wrong = await startTestServer({ issuer, database: right.database });
  await followOwnClock(right.database.ownerUrl);
});

afterEach(() => differBy(0));

afterAll(async () => {
  await Promise.all([wrong.close(), issuer.close()]);
  await right.close();
});

function differBy(seconds: number): void {
  wrong.clock.advance({ seconds: seconds - skew });
  skew = seconds;
}

async function signIn(at: TestServer, { email, password }: TestUser): Promise<Reply> {
  const reply = await at.call('/auth/login', { method: 'POST', body: { email, password } });
  expect(reply.status).toBe(200);
  return reply;
}

const refresh = (at: TestServer, { json }: Reply) =>
  at.call('/auth/refresh', { method: 'POST', body: { refreshToken: json.refreshToken } });

const statusAt = async (at: TestServer, { json }: Reply) =>
  (await at.call('/auth/me', { headers: { authorization: `Bearer ${json.accessToken}` } })).status;

/** Makes the rotations of a person older, as time does. */
const age = (user: TestUser, seconds: number) =>
  right.database.owner.query(
    `UPDATE identity.refresh_tokens r
     SET issued_at = issued_at - make_interval(secs => $2), spent_at = spent_at - make_interval(secs => $2)
     FROM identity.sessions s WHERE s.id = r.session_id AND s.user_id = $1`,
    [user.id, seconds],
  );

const SKEWS = [-59, -12, -4, 4, 12, 59];

it.each(SKEWS)(
  'a session of a server whose clock differs by %i seconds is accepted by the other servers at once',
  async (seconds) => {
    differBy(seconds);
    const user = await right.people.user();
    const opened = await signIn(wrong, user);
    expect(await statusAt(right, opened)).toBe(200);
    const renewed = await refresh(right, opened);
    expect(renewed.status).toBe(200);
    expect(await statusAt(wrong, renewed)).toBe(200);
  },
);

it.each(SKEWS)(
  'two refreshes at once at servers whose clocks differ by %i seconds leave the session open',
  async (seconds) => {
    differBy(seconds);
    const user = await right.people.user();
    for (const [signedInAt, first, second] of [
      [right, right, wrong],
      [right, wrong, right],
      [wrong, right, right],
      [wrong, wrong, wrong],
    ] as const) {
      const opened = await signIn(signedInAt, user);
      const renewed = await refresh(first, opened);
      expect(renewed.status).toBe(200);
      expect((await refresh(second, opened)).status).toBe(401);
      expect(await statusAt(right, renewed)).toBe(200);
      expect((await refresh(second, renewed)).status).toBe(200);
    }
  },
);

it('a refresh token that is reused more than 10 seconds after it was spent ends the session at a server whose clock is behind', async () => {
  differBy(-59);
  const user = await right.people.user();
  const opened = await signIn(right, user);
  const renewed = await refresh(right, opened);
  await age(user, 9);
  expect((await refresh(wrong, opened)).status).toBe(401);
  expect(await statusAt(right, renewed)).toBe(200);
  await age(user, 2);
  expect((await refresh(wrong, opened)).status).toBe(401);
  expect(await statusAt(right, renewed)).toBe(401);
});

it.each([-59, 59])(
  'a sign-in with Google succeeds at a server whose clock differs by %i seconds',
  async (seconds) => {
    differBy(seconds);
    const person = { sub: `skew${seconds}`, email: `skew${seconds}@example.com` };
    const token = await issuer.token(right.clock.now(), person);
    const body = { credential: token };
    const reply = await wrong.call('/auth/google', { method: 'POST', body });
    expect(reply.status).toBe(200);
  },
);
