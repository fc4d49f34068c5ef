import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt, type Enrolled, enrol } from '../testing/authenticator.ts';
import { mailsTo } from '../testing/mailbox.ts';
import type { TestUser } from '../testing/people.ts';
import { comparable } from '../testing/surface-checks.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

type Headers = Record<string, string>;

const twoFactor = (name: string, body: unknown, headers: Headers = user.session) =>
  server.call(`/auth/2fa/${name}`, { method: 'POST', headers, body });

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
const me = async (headers: Headers) => (await server.call('/auth/me', { headers })).json;
const enrolled = (): Promise<Enrolled> =>
  enrol(server.database, TEST_APP_SECRET, user, { at: server.clock.now() });
const now = (secret: string, steps = 0) => codeAt(secret, server.clock.now(), steps);

/** A code that none of the three steps in force has. */
function wrongCode(secret: string): string {
  const right = [-1, 0, 1].map((steps) => now(secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

async function kept() {
  const { rows } = await server.database.owner.query(
    `SELECT u.totp_secret, u.totp_enabled_at, u.totp_last_step,
            (SELECT array_agg(r.hash) FROM identity.recovery_codes r WHERE r.user_id = u.id) AS hashes
     FROM identity.users u WHERE u.id = $1`,
    [user.id],
  );
  return rows[0];
}

async function trail(): Promise<string[]> {
  const rows = await server.services.tenants.read(user.tenant.id, (db) =>
    db.sql({ name: 'test-2fa-trail', text: 'SELECT * FROM audit_events ORDER BY at, id' }),
  );
  return rows.map((row) => `${row['action']} ${row['outcome']}`);
}

describe('enrolling an authenticator', () => {
  it('is begun, confirmed by a first code, and in force from then on', async () => {
    const setup = await twoFactor('setup', { password: user.password });
    expect(setup.status).toBe(200);
    const { secret, otpauthUri } = setup.json;
    expect(otpauthUri).toContain(`secret=${secret}`);
    expect((await me(user.session)).user.twoFactorEnabled).toBe(false);

    const enable = await twoFactor('enable', { code: now(secret) });
    expect(enable.status).toBe(200);
    expect(enable.json.recoveryCodes).toHaveLength(10);
    expect((await me(user.session)).user.twoFactorEnabled).toBe(true);
    expect((await trail()).slice(-2)).toEqual([
      'two_factor.setup success',
      'two_factor.enabled success',
    ]);
  });

  it('that was only begun wants no code at sign-in, and none of its codes is worth anything', async () => {
    const { json } = await twoFactor('setup', {});
    const { email, password } = user;
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.status).toBe(200);
    expect(decodeJwt(login.json.accessToken)['amr']).toEqual(['pwd']);
    expect(await twoFactor('verify', { code: now(json.secret) })).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT' },
    });
  });

  it('is not confirmed by a code of a secret that another setup has replaced', async () => {
    const first = (await twoFactor('setup', {})).json.secret;
    const second = (await twoFactor('setup', {})).json.secret;
    expect(await twoFactor('enable', { code: now(first) })).toMatchObject({
      status: 401,
      json: { code: 'INVALID_CODE' },
    });
    expect((await twoFactor('enable', { code: now(second) })).status).toBe(200);
  });

  it('is refused with 409 while one is enrolled, to setup and to enable, and the secret stays', async () => {
    const { secret } = await enrolled();
    const before = await kept();
    for (const reply of [
      await twoFactor('setup', {}),
      await twoFactor('enable', { code: now(secret) }),
    ]) {
      expect(reply).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
      expect(reply.text).not.toContain(secret);
    }
    expect(await kept()).toEqual(before);
  });

  it('confirmed twice at once has one winner, whose recovery codes are the ones that count', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const code = now(secret);
    const replies = await Promise.all([1, 2, 3, 4].map(() => twoFactor('enable', { code })));
    const won = replies.filter((reply) => reply.status === 200);
    expect(won).toHaveLength(1);
    const [recovery] = won[0]?.json.recoveryCodes ?? [];
    expect((await twoFactor('verify', { code: recovery })).status).toBe(200);
  });

  it('keeps the secret sealed, and the recovery codes as hashes of 120 random bits', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const { json } = await twoFactor('enable', { code: now(secret) });
    const row = await kept();
    const text = `${row.totp_secret.toString('latin1')} ${row.totp_secret.toString('hex')}`;
    expect(text).not.toContain(secret);
    expect(row.hashes).toHaveLength(10);
    for (const hash of row.hashes) expect(hash).toHaveLength(32);
    expect(new Set(json.recoveryCodes).size).toBe(10);
    for (const code of json.recoveryCodes) {
      expect(code).toMatch(/^[0-9a-hj-km-np-tv-z]{6}(-[0-9a-hj-km-np-tv-z]{6}){3}$/);
    }
  });

  it('has its first code spent by the confirmation', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const code = now(secret);
    await twoFactor('enable', { code });
    expect((await twoFactor('verify', { code })).json.code).toBe('INVALID_CODE');
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
  });
});

describe('a change of the second factor', () => {
  const old = async () => {
    const { headers } = await server.people.session(user);
    await server.database.owner.query(
      `UPDATE identity.sessions SET created_at = created_at - interval '5 minutes' WHERE user_id = $1`,
      [user.id],
    );
    return headers;
  };

  it('wants the password in a session of 5 minutes, and says the same to a wrong one and to none', async () => {
    const headers = await old();
    const { secret } = await enrolled();
    for (const [name, code] of [
      ['setup', {}],
      ['disable', { code: now(secret) }],
      ['recovery-codes', { code: now(secret) }],
    ] as const) {
      const missing = await twoFactor(name, code, headers);
      const wrong = await twoFactor(name, { ...code, password: 'not the password' }, headers);
      expect(missing).toMatchObject({ status: 403, json: { code: 'REAUTH_REQUIRED' } });
      expect(comparable(wrong)).toBe(comparable(missing));
    }
    const password = user.password;
    expect((await twoFactor('setup', { password }, headers)).status).toBe(409);
    expect((await twoFactor('disable', { password, code: now(secret) }, headers)).status).toBe(204);
    expect((await twoFactor('setup', { password }, headers)).status).toBe(200);
    expect(await trail()).toContain('two_factor.disabled failure');
  });

  it('does not take a wrong password even in a young session', async () => {
    const reply = await twoFactor('setup', { password: 'not the password' });
    expect(reply).toMatchObject({ status: 403, json: { code: 'REAUTH_REQUIRED' } });
  });

  it('counts wrong passwords with those at sign-in and elsewhere: beyond ten from an address, none is right there', async () => {
    const ip = '198.51.100.7';
    const ask = (path: string, body: unknown, from = ip) =>
      server.call(path, { method: 'POST', headers: user.session, body, ip: from });
    const { email, password } = user;
    for (let count = 0; count < 5; count += 1) {
      expect((await ask('/auth/2fa/setup', { password: 'wrong' })).status).toBe(403);
      expect((await ask('/auth/login', { email, password: 'wrong' })).status).toBe(401);
    }
    const change = { currentPassword: password, newPassword: 'tr0mbone on a quiet hill' };
    expect((await ask('/auth/change-password', change)).status).not.toBe(204);
    expect((await ask('/auth/2fa/setup', { password }, '203.0.113.9')).status).toBe(200);
  });
});

describe('a step-up in an open session', () => {
  it('gives tokens that say so, to this session alone, and a refresh keeps it', async () => {
    const { secret } = await enrolled();
    const other = await server.people.session(user);
    const reply = await twoFactor('verify', { code: now(secret) });
    expect(reply.status).toBe(200);
    expect(decodeJwt(reply.json.accessToken)).toMatchObject({
      amr: ['pwd', 'otp'],
      sid: user.sessionId,
    });
    expect((await me(bearer(reply.json.accessToken))).credential.mfa).toBe(true);
    const { refreshToken } = reply.json;
    const refreshed = await server.call('/auth/refresh', {
      method: 'POST',
      body: { refreshToken },
    });
    expect((await me(bearer(refreshed.json.accessToken))).credential.mfa).toBe(true);

    expect((await me(other.headers)).credential.mfa).toBe(false);
    expect((await me(user.session)).credential.mfa).toBe(false);
    const body = { refreshToken: other.refreshToken };
    const theirs = await server.call('/auth/refresh', { method: 'POST', body });
    expect((await me(bearer(theirs.json.accessToken))).credential.mfa).toBe(false);
    expect((await me(user.key)).credential.mfa).toBe(false);
  });

  it('opens what wants a second factor, which the session could not before', async () => {
    const { secret } = await enrolled();
    const rename = (headers: Headers) =>
      server.call('/tenant', { method: 'PATCH', headers, body: { name: 'Renamed' } });
    expect((await rename(user.session)).json.code).toBe('MFA_REQUIRED');
    const { json } = await twoFactor('verify', { code: now(secret) });
    expect((await rename(bearer(json.accessToken))).status).toBe(200);
  });

  it('spends the refresh token that the session had: its later use ends the session', async () => {
    const { secret } = await enrolled();
    const { json } = await twoFactor('verify', { code: now(secret) });
    const refresh = (refreshToken: string) =>
      server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
    expect((await refresh(user.refreshToken)).status).toBe(401);
    expect((await server.call('/auth/me', { headers: bearer(json.accessToken) })).status).toBe(200);
    server.clock.advance({ seconds: 11 });
    expect((await refresh(user.refreshToken)).status).toBe(401);
    expect((await server.call('/auth/me', { headers: bearer(json.accessToken) })).status).toBe(401);
  });

  it('is lost to every session when the second factor is removed', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const { json } = await twoFactor('verify', { code: now(secret) });
    const headers = bearer(json.accessToken);
    expect((await me(headers)).credential.mfa).toBe(true);
    expect((await twoFactor('disable', { code: recoveryCodes[0] }, headers)).status).toBe(204);
    expect((await me(headers)).credential.mfa).toBe(false);
    const { refreshToken } = json;
    const refreshed = await server.call('/auth/refresh', {
      method: 'POST',
      body: { refreshToken },
    });
    expect(decodeJwt(refreshed.json.accessToken)['amr']).toEqual(['pwd']);
  });
});

describe('a code is good once', () => {
  const login = (more: Record<string, string>) =>
    server.call('/auth/login', {
      method: 'POST',
      body: { email: user.email, password: user.password, ...more },
    });

  it('of ten at the same time, in several sessions and at sign-in, one wins', async () => {
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

  it('and refused afterwards in the words for a wrong one', async () => {
    const { secret } = await enrolled();
    const code = now(secret);
    expect((await twoFactor('verify', { code })).status).toBe(200);
    const spent = await twoFactor('verify', { code });
    const wrong = await twoFactor('verify', { code: wrongCode(secret) });
    expect(spent).toMatchObject({ status: 401, json: { code: 'INVALID_CODE' } });
    expect(spent.headers.get('www-authenticate')).toBe('Bearer');
    expect(comparable(spent)).toBe(comparable(wrong));
  });

  it('and takes those before it along: the older of two steps is refused after the newer', async () => {
    const { secret } = await enrolled();
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, -1) })).status).toBe(401);
  });

  it('within one step of now, and refused two steps off', async () => {
    const { secret } = await enrolled();
    expect((await twoFactor('verify', { code: now(secret, -2) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, 2) })).status).toBe(401);
    expect((await twoFactor('verify', { code: now(secret, -1) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret, 0) })).status).toBe(200);
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
  });

  it('a recovery code as well: of eight uses at the same time one wins, and the others go on being good', async () => {
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

describe('new recovery codes', () => {
  it('take the place of the old ones, for a password or young session and a code', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const reply = await twoFactor('recovery-codes', { code: now(secret) });
    expect(reply.status).toBe(200);
    expect(reply.json.recoveryCodes).toHaveLength(10);
    expect((await twoFactor('verify', { code: recoveryCodes[1] })).status).toBe(401);
    expect((await twoFactor('verify', { code: reply.json.recoveryCodes[1] })).status).toBe(200);
    expect(await trail()).toContain('two_factor.recovery_codes_replaced success');
  });
});

describe('removing the second factor', () => {
  it('wants a current code beside the password, and voids secret and recovery codes', async () => {
    const { secret } = await enrolled();
    const password = user.password;
    expect(await twoFactor('disable', { password })).toMatchObject({ status: 400 });
    const wrong = await twoFactor('disable', { password, code: wrongCode(secret) });
    expect(wrong.json.code).toBe('INVALID_CODE');
    expect((await twoFactor('disable', { password, code: now(secret) })).status).toBe(204);
    expect(await kept()).toEqual({
      totp_secret: null,
      totp_enabled_at: null,
      totp_last_step: null,
      hashes: null,
    });
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(409);
  });
});

describe('the person is told by mail', () => {
  it('of an authenticator put in force, of new recovery codes and of its removal, and of nothing that was refused', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const { json } = await twoFactor('enable', { code: now(secret) });
    const [first, second] = json.recoveryCodes;
    await twoFactor('recovery-codes', { code: wrongCode(secret) });
    const replaced = await twoFactor('recovery-codes', { code: first });
    await twoFactor('disable', { code: second });
    await twoFactor('disable', { code: replaced.json.recoveryCodes[0] });
    const mails = await mailsTo(server, user.email);
    expect(mails.map(({ template }) => template)).toEqual(Array(3).fill('two-factor-changed'));
    expect(
      mails.map(({ text }) => /put in force|New recovery codes|removed/.exec(text)?.[0]),
    ).toEqual(['put in force', 'New recovery codes', 'removed']);
    for (const { text } of mails) expect(text).not.toContain(secret);
  });
});

describe('what cannot be a code', () => {
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
  ])('is 400, and no guess: %j', async (code) => {
    await enrolled();
    for (const name of ['enable', 'verify', 'disable', 'recovery-codes']) {
      expect(await twoFactor(name, { code })).toMatchObject({
        status: 400,
        json: { code: 'VALIDATION_FAILED' },
      });
    }
    const body = { email: user.email, password: user.password, totp: code };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(400);
  });
});

describe('guesses', () => {
  it('are five in 15 minutes, then the right code is refused alike and not spent', async () => {
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

  it('count across sessions, endpoints, sign-in and kinds of code', async () => {
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

  it('made at the same time are reserved before they are looked at: of forty, five count', async () => {
    const { secret } = await enrolled();
    const wrong = wrongCode(secret);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => twoFactor('verify', { code: wrong })),
    );
    expect(replies.every(({ status }) => status === 401)).toBe(true);
    expect((await twoFactor('verify', { code: now(secret) })).status).toBe(401);
  });

  it('that are right do not count', async () => {
    const { recoveryCodes } = await enrolled();
    for (const code of recoveryCodes.slice(0, 7)) {
      expect((await twoFactor('verify', { code })).status).toBe(200);
    }
  });

  it('of one account leave every other alone', async () => {
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

describe('the application secret', () => {
  it('may be changed: what an older one sealed opens while it is listed, and is sealed anew when used', async () => {
    const { secret } = await enrolled();
    const newest = 'another secret of tests, also 32 bytes or more';
    const both = await startTestServer({
      database: server.database,
      config: { appSecrets: [newest, TEST_APP_SECRET] },
    });
    const alone = await startTestServer({
      database: server.database,
      config: { appSecrets: [newest] },
    });
    const verify = async (at: TestServer, code: string) => {
      const { headers } = await at.people.session(user);
      return (await at.call('/auth/2fa/verify', { method: 'POST', headers, body: { code } }))
        .status;
    };
    const when = (steps: number) => codeAt(secret, both.clock.now(), steps);
    expect(await verify(alone, when(-1))).toBe(401);
    expect(await verify(both, when(0))).toBe(200);
    expect(await verify(alone, when(1))).toBe(200);
    await Promise.all([both.close(), alone.close()]);
  });
});
