import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from '../../../../tests/kit/authenticator.ts';
import { mailsTo } from '../../../../tests/kit/mailbox.ts';
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

type Headers = Record<string, string>;

const { twoFactor, bearer, me, enrolled, now, wrongCode, kept, trail } = twoFactorCalls(() => ({
  server,
  user,
}));

describe('enrolling an authenticator', () => {
  it('enrolling an authenticator activates it with its first code', async () => {
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

  it('an authenticator that is not confirmed is not required at sign-in, and its codes are rejected', async () => {
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

  it('a code of a secret that another setup has replaced does not confirm an authenticator', async () => {
    const first = (await twoFactor('setup', {})).json.secret;
    const second = (await twoFactor('setup', {})).json.secret;
    expect(await twoFactor('enable', { code: now(first) })).toMatchObject({
      status: 401,
      json: { code: 'INVALID_CODE' },
    });
    expect((await twoFactor('enable', { code: now(second) })).status).toBe(200);
  });

  it('setup and enable are rejected with 409 while an authenticator is active, and keep its secret', async () => {
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

  it('two concurrent confirmations of an authenticator succeed once, and give the valid recovery codes once', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const code = now(secret);
    const replies = await Promise.all([1, 2, 3, 4].map(() => twoFactor('enable', { code })));
    const won = replies.filter((reply) => reply.status === 200);
    expect(won).toHaveLength(1);
    const [recovery] = won[0]?.json.recoveryCodes ?? [];
    expect((await twoFactor('verify', { code: recovery })).status).toBe(200);
  });

  it('enrolling an authenticator stores its secret encrypted, and 120-bit recovery codes as hashes', async () => {
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

  it('a person who loses the response to the enrolment gets recovery codes with the next code', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    await twoFactor('enable', { code: now(secret) });
    const repeated = await twoFactor('enable', { code: now(secret, 1) });
    expect(repeated).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
    const { json } = await twoFactor('recovery-codes', { code: now(secret, 1) });
    expect((await twoFactor('verify', { code: json.recoveryCodes[0] })).status).toBe(200);
  });

  it('a person who lost the authenticator removes it with a recovery code, and enrols another one', async () => {
    const { recoveryCodes } = await enrolled();
    expect((await twoFactor('disable', { code: recoveryCodes[0] })).status).toBe(204);
    const { secret } = (await twoFactor('setup', {})).json;
    expect((await twoFactor('enable', { code: now(secret) })).status).toBe(200);
  });

  it('the code that confirms an authenticator is spent', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const code = now(secret);
    await twoFactor('enable', { code });
    expect((await twoFactor('verify', { code })).json.code).toBe('INVALID_CODE');
    expect((await twoFactor('verify', { code: now(secret, 1) })).status).toBe(200);
  });
});

describe('changing the second factor', () => {
  const old = async () => {
    const { headers } = await server.people.session(user);
    await server.database.owner.query(
      `UPDATE identity.sessions SET created_at = created_at - interval '5 minutes' WHERE user_id = $1`,
      [user.id],
    );
    return headers;
  };

  it('changing the second factor requires the password or a session younger than 5 minutes, and answers wrong and missing passwords in the same way', async () => {
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

  it('changing the second factor rejects a wrong password even in a new session', async () => {
    const reply = await twoFactor('setup', { password: 'not the password' });
    expect(reply).toMatchObject({ status: 403, json: { code: 'REAUTH_REQUIRED' } });
  });

  it('changing the second factor counts wrong passwords as failed sign-ins, and rejects the right one after ten from an address', async () => {
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
  it('a step-up in an open session gives tokens with otp to this session only, which a refresh preserves', async () => {
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

  it('a step-up in an open session allows operations that require a second factor', async () => {
    const { secret } = await enrolled();
    const rename = (headers: Headers) =>
      server.call('/tenant', { method: 'PATCH', headers, body: { name: 'Renamed' } });
    expect((await rename(user.session)).json.code).toBe('MFA_REQUIRED');
    const { json } = await twoFactor('verify', { code: now(secret) });
    expect((await rename(bearer(json.accessToken))).status).toBe(200);
  });

  it('a step-up in an open session spends the previous refresh token, whose later use ends the session', async () => {
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

  it('a step-up is lost in every session when the second factor is removed', async () => {
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

describe('new recovery codes', () => {
  it('new recovery codes replace the old ones, and require a code and the password or a new session', async () => {
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
  it('removing the second factor requires the current code and the password, and deletes secret and recovery codes', async () => {
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

describe('the notice by mail', () => {
  it('a mail is sent after enabling, new recovery codes and removal of a second factor, but not after refused attempts', async () => {
    const { secret } = (await twoFactor('setup', {})).json;
    const { json } = await twoFactor('enable', { code: now(secret) });
    const [first, second] = json.recoveryCodes;
    await twoFactor('recovery-codes', { code: wrongCode(secret) });
    const replaced = await twoFactor('recovery-codes', { code: first });
    await twoFactor('disable', { code: second });
    await twoFactor('disable', { code: replaced.json.recoveryCodes[0] });
    const mails = await mailsTo(server, user.email);
    expect(mails.map(({ template }) => template)).toEqual(Array(3).fill('two-factor-changed'));
    expect(mails.map(({ text }) => /enabled|New recovery codes|removed/.exec(text)?.[0])).toEqual([
      'enabled',
      'New recovery codes',
      'removed',
    ]);
    for (const { text } of mails) expect(text).not.toContain(secret);
  });
});

describe('the application secret', () => {
  it('APP_SECRET may be rotated: TOTP secrets under a listed older one still work and are encrypted again when used', async () => {
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
