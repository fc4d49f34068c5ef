import { contract } from '@cspm/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../../../../tests/kit/authenticator.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { RouteTable } from '../../../http/match.ts';
import { newId } from '../../../platform/ids.ts';

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
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer({ routes });
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

interface Attempt {
  readonly email?: string;
  readonly password?: string;
  readonly totp?: string;
  readonly recoveryCode?: string;
}

const signIn = (attempt: Attempt, ip?: string) =>
  server.call('/auth/login', {
    method: 'POST',
    body: { email: user.email, password: user.password, ...attempt },
    ...(ip === undefined ? {} : { ip }),
  });

const wrong = { password: 'not the password' };

async function times<T>(count: number, attempt: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, attempt));
}

/** Status, header names and body of a response, without values that differ per request. */
function wordsOf({ status, text, headers }: Reply): string {
  const id = headers.get('x-correlation-id') ?? '';
  const names = [...headers.keys()].filter((name) => name !== 'content-length');
  return [status, ...names, text.replaceAll(id, '<correlation>')].join('\n');
}

function isRefusal(reply: Reply): boolean {
  return reply.status === 401 && reply.json.code === 'INVALID_CREDENTIALS';
}

describe('after ten failed sign-ins to an account from one address,', () => {
  it('after ten failed sign-ins to an account, the correct password is rejected from that address and accepted from another', async () => {
    const ip = freshAddress();
    const refusals = await times(10, () => signIn(wrong, ip));
    const locked = await signIn({}, ip);
    expect(isRefusal(locked)).toBe(true);
    expect(wordsOf(locked)).toBe(wordsOf(refusals[0] ?? locked));
    expect((await signIn({})).status).toBe(200);
    server.clock.advance({ minutes: 15 });
    expect((await signIn({}, ip)).status).toBe(200);
  });

  it('failed sign-ins to one account do not block other accounts from the same address', async () => {
    const ip = freshAddress();
    await times(10, () => signIn(wrong, ip));
    const other = await server.people.user();
    expect((await signIn({ email: other.email }, ip)).status).toBe(200);
  });

  it('failed sign-ins count for the same account in any letter case of its e-mail address', async () => {
    const ip = freshAddress();
    await times(5, () => signIn(wrong, ip));
    await times(5, () => signIn({ ...wrong, email: user.email.toUpperCase() }, ip));
    expect(isRefusal(await signIn({}, ip))).toBe(true);
  });

  it('failed sign-ins from one IPv6 network count as one address', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, host) => signIn(wrong, `2001:db8:1:2::${host + 1}`)),
    );
    expect(isRefusal(await signIn({}, '2001:db8:1:2:ffff::1'))).toBe(true);
    expect((await signIn({}, '2001:db8:1:3::1')).status).toBe(200);
  });

  it('fifty concurrent sign-ins check at most ten passwords', async () => {
    const ip = freshAddress();
    const replies = await times(50, () => signIn(wrong, ip));
    // The hashing queue takes 16 passwords of one address; the rest get 503 with Retry-After.
    const looked = replies.filter(({ status }) => status !== 503);
    expect(looked.every(isRefusal)).toBe(true);
    expect(looked.length).toBeGreaterThanOrEqual(16);
    const { rows } = await server.database.owner.query<{ attempts: number }>(
      'SELECT attempts FROM identity.throttles ORDER BY attempts DESC LIMIT 1',
    );
    expect(rows[0]?.attempts).toBeGreaterThan(0);
    expect(rows[0]?.attempts).toBeLessThanOrEqual(10);
  });

  it('successful sign-ins neither count as failed nor reset the count', async () => {
    const ip = freshAddress();
    for (let round = 0; round < 10; round += 1) {
      expect((await signIn({}, ip)).status).toBe(200);
      await signIn(wrong, ip);
    }
    expect(isRefusal(await signIn({}, ip))).toBe(true);
  });

  it('a sign-in of a disabled user with the correct password counts as failed', async () => {
    const ip = freshAddress();
    const disable = (at: string) =>
      server.database.owner.query(`UPDATE identity.users SET disabled_at = ${at} WHERE id = $1`, [
        user.id,
      ]);
    await disable('now()');
    await times(10, () => signIn({}, ip));
    await disable('NULL');
    expect(isRefusal(await signIn({}, ip))).toBe(true);
    expect((await signIn({})).status).toBe(200);
  });
});

describe('an account after a hundred failed sign-ins from a hundred addresses', () => {
  it('an account rejects sign-ins from everywhere for 15 minutes after a hundred failed ones from a hundred addresses', async () => {
    // In batches, because the hashing queue would refuse more.
    for (let part = 0; part < 5; part += 1) await times(20, () => signIn(wrong));
    const locked = await signIn({});
    expect(isRefusal(locked)).toBe(true);
    server.clock.advance({ minutes: 15 });
    expect((await signIn({})).status).toBe(200);
  });

  it('failed sign-ins must come from ten addresses to block an account, because one address counts at most ten times', async () => {
    const ip = freshAddress();
    for (let part = 0; part < 6; part += 1) await times(20, () => signIn(wrong, ip));
    expect((await signIn({})).status).toBe(200);
  });
});

describe('an unknown e-mail address', () => {
  it('an unknown e-mail address is throttled like a known one', async () => {
    const email = `${newId()}@example.com`;
    const ip = freshAddress();
    // Two at a time: on a busy machine, more could exceed the hashing queue's limit of 10 s.
    const replies: Reply[] = [];
    for (let pair = 0; pair < 6; pair += 1) {
      replies.push(...(await times(2, () => signIn({ email }, ip))));
    }
    for (const reply of replies) expect(wordsOf(reply)).toBe(wordsOf(replies[0] ?? reply));
    const { rows } = await server.database.owner.query(
      'SELECT max(attempts) AS most, count(*)::int AS windows FROM identity.throttles',
    );
    expect(rows[0].most).toBe(10);
    expect(rows[0].windows).toBeGreaterThan(0);
  });

  it('failed sign-ins to unknown e-mail addresses leave no permanent rows: later attempts delete expired windows', async () => {
    await server.database.owner.query('DELETE FROM identity.throttles');
    await times(6, () => signIn({ email: `${newId()}@example.com` }));
    server.clock.advance({ minutes: 16 });
    for (let count = 0; count < 4; count += 1) await signIn(wrong);
    const { rows } = await server.database.owner.query(
      'SELECT count(*)::int AS over FROM identity.throttles WHERE ends_at <= $1',
      [server.clock.now()],
    );
    expect(rows).toEqual([{ over: 0 }]);
  });
});

describe('a sign-in with a second factor', () => {
  const enrolled = () => enrol(server.database, TEST_APP_SECRET, user, { at: server.clock.now() });
  const code = (secret: string) => codeAt(secret, server.clock.now());

  it('a sign-in without a code gets TOTP_REQUIRED only with the correct password', async () => {
    await enrolled();
    const reply = await signIn({});
    expect(reply).toMatchObject({ status: 401, json: { code: 'TOTP_REQUIRED' } });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(isRefusal(await signIn(wrong))).toBe(true);
  });

  it('a sign-in without a required code opens no session and does not count as failed', async () => {
    await enrolled();
    const ip = freshAddress();
    for (let count = 0; count < 12; count += 1) {
      expect((await signIn({}, ip)).json.code).toBe('TOTP_REQUIRED');
    }
    const { rows } = await server.database.owner.query(
      'SELECT count(*)::int AS sessions FROM identity.sessions WHERE user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ sessions: 1 }]);
  });

  it('a sign-in with a code opens a session that has passed the second factor', async () => {
    const { secret } = await enrolled();
    const { status, json } = await signIn({ totp: code(secret) });
    expect(status).toBe(200);
    expect(decodeJwt(json.accessToken)['amr']).toEqual(['pwd', 'otp']);
  });

  it('a sign-in with a second factor gets the same response for a wrong code, a used code, and a wrong password with a correct code', async () => {
    const { secret } = await enrolled();
    const right = code(secret);
    const guess = right === '000000' ? '111111' : '000000';
    const refusals = [
      await signIn(wrong),
      await signIn({ totp: guess }),
      await signIn({ ...wrong, totp: right }),
      await signIn({ recoveryCode: 'no such code' }),
    ];
    expect((await signIn({ totp: right })).status).toBe(200);
    refusals.push(await signIn({ totp: right }));
    for (const reply of refusals) expect(wordsOf(reply)).toBe(wordsOf(refusals[0] ?? reply));
  });

  it('wrong codes without the password cannot lock a second factor', async () => {
    const { secret } = await enrolled();
    for (let count = 0; count < 8; count += 1) await signIn({ ...wrong, totp: '000000' });
    expect((await signIn({ totp: code(secret) })).status).toBe(200);
  });

  it('a sign-in beyond the limit of attempts does not spend its code', async () => {
    const { secret } = await enrolled();
    const ip = freshAddress();
    await times(10, () => signIn(wrong, ip));
    const right = code(secret);
    expect(isRefusal(await signIn({ totp: right }, ip))).toBe(true);
    expect((await signIn({ totp: right })).status).toBe(200);
  });

  it('a sign-in ignores a code when the user has no second factor', async () => {
    const { status, json } = await signIn({ totp: '000000' });
    expect(status).toBe(200);
    expect(decodeJwt(json.accessToken)['amr']).toEqual(['pwd']);
  });
});
