import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enrol } from '../../../../tests/kit/authenticator.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { twoFactorCalls } from '../../../../tests/kit/two-factor.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

const { twoFactor, enrolled, now, wrongCode, kept } = twoFactorCalls(() => ({ server, user }));

describe('a second-factor code', () => {
  const login = (more: Record<string, string>) =>
    server.call('/auth/login', {
      method: 'POST',
      body: { email: user.email, password: user.password, ...more },
    });

  it('a second-factor code succeeds once in ten concurrent uses across sessions and sign-in', async () => {
    const { secret } = await enrolled();
    const code = now(secret);
    const others = await Promise.all([1, 2].map(() => server.people.session(user)));
    const sessions = [user.session, ...others.map(({ headers }) => headers)];
    const replies = await Promise.all([
      ...sessions.map((headers) => twoFactor('verify', { code }, headers)),
      login({ totp: code }),
      login({ totp: code }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('a used second-factor code is rejected like a wrong one', async () => {
    const { secret } = await enrolled();
    const code = now(secret);
    expect((await twoFactor('verify', { code })).status).toBe(200);
    const spent = await twoFactor('verify', { code });
    const wrong = await twoFactor('verify', { code: wrongCode(secret) });
    expect(spent).toMatchObject({ status: 401, json: { code: 'INVALID_CODE' } });
    expect(spent.headers.get('www-authenticate')).toBe('Bearer');
    expect(comparable(spent)).toBe(comparable(wrong));
  });

  it('a second-factor code invalidates earlier time steps when used', async () => {
    const { secret } = await enrolled();
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, -1) })).status).toBe(401);
  });

  it('a second-factor code is accepted one time step before or after, and rejected two steps off', async () => {
    const { secret } = await enrolled();
    expect((await twoFactor('verify', { code: now(secret, -2) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, 2) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, -1) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret, 0) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
  });

  it('a recovery code succeeds once in eight concurrent uses, and the other codes stay valid', async () => {
    const { recoveryCodes } = await enrolled();
    const [first = '', second = '', third = ''] = recoveryCodes;
    const replies = await Promise.all([
      ...[1, 2].map(() => twoFactor('verify', { code: first })),
      ...[1, 2].map(() => login({ recoveryCode: first })),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const shouted = await login({ recoveryCode: second.toUpperCase() });
    expect(decodeJwt(shouted.json.accessToken)['amr']).toEqual(['pwd', 'otp']);
    expect((await login({ recoveryCode: third.replaceAll('-', '') })).status).toBe(200);
  });
});

describe('a malformed second-factor code', () => {
  it.each([
    '',
    '12345',
    '1234567',
    'abcdef',
    '１２３４５６',
    '123456\n',
    ' 12345',
    '12345a',
    123456,
  ])(
    'a malformed second-factor code is rejected with 400 and does not count as an attempt: %j',
    async (code) => {
      await enrolled();
      for (const name of ['enable', 'verify', 'disable', 'recovery-codes']) {
        expect(await twoFactor(name, { code })).toMatchObject({
          status: 400,
          json: { code: 'VALIDATION_FAILED' },
        });
      }
      const body = { email: user.email, password: user.password, totp: code };
      expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(400);
    },
  );
});

describe('wrong second-factor codes', () => {
  it('wrong second-factor codes are limited to five in 15 minutes, after which a correct code is rejected alike and not spent', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const wrong = wrongCode(secret);
    const refused = await twoFactor('verify', { code: wrong });
    for (let guess = 2; guess <= 5; guess += 1) await twoFactor('verify', { code: wrong });
    const late = await twoFactor('verify', { code: now(secret) });
    expect(comparable(late)).toBe(comparable(refused));
    expect((await twoFactor('verify', { code: recoveryCodes[0] })).status).toBe(401);
    expect((await kept()).totp_last_step).toBeNull();
    server.clock.advance({ minutes: 15 });
    const later = await server.people.session(user);
    expect((await twoFactor('verify', { code: now(secret) }, later.headers)).status).toBe(200);
    expect((await twoFactor('verify', { code: recoveryCodes[0] }, later.headers)).status).toBe(200);
  });

  it('wrong second-factor codes count across sessions, endpoints, sign-in and kinds of codes', async () => {
    const { secret } = await enrolled();
    const wrong = wrongCode(secret);
    const other = await server.people.session(user);
    const { email, password } = user;
    await twoFactor('verify', { code: wrong });
    await twoFactor('verify', { code: '000000-000000-000000-000000' }, other.headers);
    await twoFactor('disable', { password, code: wrong }, other.headers);
    for (const more of [{ totp: wrong }, { recoveryCode: 'no such code' }]) {
      const body = { email, password, ...more };
      expect((await server.call('/auth/login', { method: 'POST', body })).json.code).toBe(
        'INVALID_CREDENTIALS',
      );
    }
    expect((await twoFactor('verify', { code: now(secret) })).status).toBe(401);
    const body = { email, password, totp: now(secret) };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(401);
  });

  it('wrong second-factor codes are counted before they are checked: of forty concurrent ones, five are checked', async () => {
    const { secret } = await enrolled();
    const wrong = wrongCode(secret);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => twoFactor('verify', { code: wrong })),
    );
    expect(replies.every(({ status }) => status === 401)).toBe(true);
    expect((await twoFactor('verify', { code: now(secret) })).status).toBe(401);
  });

  it('correct second-factor codes do not count as wrong ones', async () => {
    const { recoveryCodes } = await enrolled();
    for (const code of recoveryCodes.slice(0, 7)) {
      expect((await twoFactor('verify', { code })).status).toBe(200);
    }
  });

  it('wrong second-factor codes do not lock another account', async () => {
    const { secret } = await enrolled();
    for (let guess = 1; guess <= 5; guess += 1)
      await twoFactor('verify', { code: wrongCode(secret) });
    const someone = await server.people.user();
    const theirs = await enrol(server.database, TEST_APP_SECRET, someone, {
      at: server.clock.now(),
    });
    expect((await twoFactor('verify', { code: now(theirs.secret) }, someone.session)).status).toBe(
      200,
    );
  });
});
