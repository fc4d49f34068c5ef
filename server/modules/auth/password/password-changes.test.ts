import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailJobsOf, mailsOf, mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import { TEST_PASSWORD, type TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const NEW_PASSWORD = 'a password nobody has';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}, ip?: string) =>
  server.call(path, { method: 'POST', body, headers, ...(ip === undefined ? {} : { ip }) });
const login = (email: string, password: string) => post('/auth/login', { email, password });
const forgot = (email: string) => post('/auth/forgot-password', { email });
const reset = (token: string, password = NEW_PASSWORD) =>
  post('/auth/reset-password', { token, password });
const me = (headers: Record<string, string>) => server.call('/auth/me', { headers });

async function resetTokenOf({ email }: { email: string }): Promise<string> {
  await forgot(email);
  return tokenIn((await mailsTo(server, email)).at(-1));
}

async function audited(user: TestUser, action: string): Promise<string[]> {
  const rows = await server.services.tenants.read(user.tenant.id, (db) =>
    db.sql<{ outcome: string }>(
      {
        name: 'test-audited',
        text: 'SELECT outcome FROM audit_events WHERE action = $1 AND actor_id = $2 ORDER BY id',
      },
      [action, user.id],
    ),
  );
  return rows.map(({ outcome }) => outcome);
}

describe('a request for a password reset', () => {
  it('a request for a password reset gets the same response after the same work for any address', async () => {
    const known = await server.people.user();
    const unverified = await server.people.user({ verified: false });
    const disabled = await server.people.user({ disabled: true });
    const emails = [known.email, unverified.email, disabled.email, 'nobody@example.com'];
    const before = await mailJobsOf(server);
    const replies: Reply[] = [];
    for (const email of emails) replies.push(await forgot(email));
    expect(new Set(replies.map(comparable)).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
    expect(await mailJobsOf(server)).toHaveLength(before.length + emails.length);
    const mailed = (await mailsOf(server)).map(({ to }) => to);
    expect(mailed.filter((to) => emails.includes(to))).toEqual([known.email, unverified.email]);
    expect(await audited(known, 'auth.forgot_password')).toEqual(['success']);
    expect(await audited(disabled, 'auth.forgot_password')).toEqual(['failure']);
  });

  it('a request for a password reset finds the account in any letter case of the address', async () => {
    const user = await server.people.user();
    await forgot(user.email.toUpperCase());
    expect(await mailsTo(server, user.email)).toHaveLength(1);
  });
});

describe('a password reset link', () => {
  it('a password reset link sets the password, ends every session in every tenant and notifies the owner', async () => {
    const user = await server.people.user();
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere);
    const other = await server.people.session({ ...user, tenant: elsewhere });
    const token = await resetTokenOf(user);
    expect((await reset(token)).status).toBe(204);
    expect((await me(user.session)).status).toBe(401);
    expect((await me(other.headers)).status).toBe(401);
    const refresh = await post('/auth/refresh', { refreshToken: user.refreshToken });
    expect(refresh.status).toBe(401);
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(401);
    expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);
    const [, notice] = await mailsTo(server, user.email);
    expect(notice?.template).toBe('password-changed');
    expect(await audited(user, 'auth.reset_password')).toEqual(['success']);
  });

  it('a password reset link verifies the address of an unverified account and removes its earlier password', async () => {
    const squatted = await server.people.user({ verified: false });
    const session = await server.people.session(squatted);
    await post('/auth/resend-verification', { email: squatted.email });
    const [verification] = await mailsTo(server, squatted.email);
    expect((await reset(await resetTokenOf(squatted))).status).toBe(204);
    expect((await login(squatted.email, TEST_PASSWORD)).status).toBe(401);
    expect((await me(session.headers)).status).toBe(401);
    expect((await login(squatted.email, NEW_PASSWORD)).status).toBe(200);
    const late = await post('/auth/verify-email', { token: tokenIn(verification) });
    expect(late.json.code).toBe('INVALID_TOKEN');
  });

  it('a password reset link does not bypass the second factor', async () => {
    const user = await server.people.user();
    const token = await resetTokenOf(user);
    await server.database.owner.query(
      `UPDATE identity.users SET totp_secret = '\\x00', totp_enabled_at = now() WHERE id = $1`,
      [user.id],
    );
    expect((await reset(token)).status).toBe(204);
    expect((await login(user.email, NEW_PASSWORD)).json.code).toBe('TOTP_REQUIRED');
  });

  it('a password reset link works once, even when two links are used concurrently, and makes the others invalid', async () => {
    const user = await server.people.user();
    const [one, other] = [await resetTokenOf(user), await resetTokenOf(user)];
    const replies = await Promise.all([one, one, other].map((token) => reset(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
    expect(new Set(replies.filter((r) => r.status === 400).map((r) => r.json.code))).toEqual(
      new Set(['INVALID_TOKEN']),
    );
  });

  it('a password reset link is valid for one hour, and only for its purpose and for the address at that time', async () => {
    const [late, moved, disabled] = [
      await server.people.user(),
      await server.people.user(),
      await server.people.user(),
    ];
    const tokens = {
      moved: await resetTokenOf(moved),
      disabled: await resetTokenOf(disabled),
      late: await resetTokenOf(late),
    };
    const { owner } = server.database;
    await owner.query("UPDATE identity.users SET email = 'm' || email WHERE id = $1", [moved.id]);
    await owner.query('UPDATE identity.users SET disabled_at = now() WHERE id = $1', [disabled.id]);
    for (const token of [tokens.moved, tokens.disabled, 'unknown', 'x'.repeat(512)]) {
      expect((await reset(token)).json).toMatchObject({ status: 400, code: 'INVALID_TOKEN' });
    }
    const verify = await post('/auth/verify-email', { token: tokens.late });
    expect(verify.json.code).toBe('INVALID_TOKEN');
    server.clock.advance({ minutes: 61 });
    expect((await reset(tokens.late)).json.code).toBe('INVALID_TOKEN');
    expect((await login(late.email, TEST_PASSWORD)).status).toBe(200);
  });

  it('a password reset link remains valid after an unacceptable password was sent with it', async () => {
    const user = await server.people.user();
    const token = await resetTokenOf(user);
    for (const password of ['password1234', 'ö'.repeat(37), user.email]) {
      const reply = await reset(token, password);
      expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(reply.json.errors[0].path).toBe('body.password');
    }
    expect((await reset(token)).status).toBe(204);
  });

  it('a password reset link points to the configured address, regardless of the Host header', async () => {
    const user = await server.people.user();
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    await post('/auth/forgot-password', { email: user.email }, headers);
    const [mail] = await mailsTo(server, user.email);
    expect(mail?.text).toContain(`${server.url}/reset-password?token=`);
    expect(mail?.text + (mail?.html ?? '')).not.toContain('evil');
  });
});

describe('a password change', () => {
  const change = (
    user: TestUser,
    currentPassword: string,
    newPassword = NEW_PASSWORD,
    ip?: string,
  ) => post('/auth/change-password', { currentPassword, newPassword }, user.session, ip);

  it('a password change keeps the current session, ends the others, invalidates links and notifies the owner', async () => {
    const user = await server.people.user();
    const other = await server.people.session(user);
    const link = await resetTokenOf(user);
    expect((await change(user, TEST_PASSWORD)).status).toBe(204);
    expect((await me(user.session)).status).toBe(200);
    expect((await me(other.headers)).status).toBe(401);
    expect((await reset(link)).json.code).toBe('INVALID_TOKEN');
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(401);
    expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);
    const templates = (await mailsTo(server, user.email)).map(({ template }) => template);
    expect(templates).toEqual(['reset-password', 'password-changed']);
    expect(await audited(user, 'auth.change_password')).toEqual(['success']);
  });

  it('a password change rejects a wrong current password like a failed sign-in and changes nothing', async () => {
    const user = await server.people.user();
    const reply = await change(user, 'not the password');
    expect(reply.json).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(200);
    expect(await mailsTo(server, user.email)).toEqual([]);
    expect(await audited(user, 'auth.change_password')).toEqual(['failure']);
  });

  it('a password change counts wrong passwords as failed sign-ins, and is refused beyond their limit', async () => {
    const user = await server.people.user();
    const ip = '203.0.113.9';
    const guess = (n: number) => change(user, `guess number ${n}`, NEW_PASSWORD, ip);
    const guesses = await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await change(user, TEST_PASSWORD, NEW_PASSWORD, ip)).status).toBe(401);
    const signIn = { email: user.email, password: TEST_PASSWORD };
    expect((await post('/auth/login', signIn, {}, ip)).json.code).toBe('INVALID_CREDENTIALS');
    // The owner can still sign in from another address.
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(200);
  });

  it('a password change reports an unacceptable new password only when the current one is right', async () => {
    const user = await server.people.user();
    expect((await change(user, 'not the password', 'unbelievable')).status).toBe(401);
    const reply = await change(user, TEST_PASSWORD, 'unbelievable');
    expect(reply.json.errors).toEqual([
      { path: 'body.newPassword', message: 'is one of the most common passwords' },
    ]);
  });

  it('a password change is rejected when a reset has ended the session meanwhile', async () => {
    const user = await server.people.user();
    const token = await resetTokenOf(user);
    const [changed, resetTo] = await Promise.all([
      change(user, TEST_PASSWORD, 'changed from the session'),
      reset(token, 'changed by the link of a mail'),
    ]);
    // Either the second request was refused or its password won; both passwords must never work.
    const opened = [];
    for (const password of ['changed from the session', 'changed by the link of a mail']) {
      opened.push((await login(user.email, password)).status);
    }
    expect([changed.status, resetTo.status]).toContain(204);
    expect(opened.sort()).toEqual([200, 401]);
    expect(opened.filter((status) => status === 200)).toHaveLength(1);
  });
});

/** Starts a request that reads and accepts the old password while another transaction replaces it. */
async function whileReplaced(user: TestUser, request: () => Promise<Reply>): Promise<Reply> {
  const other = new pg.Client({ connectionString: server.database.ownerUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE identity.users SET password_hash = $2 WHERE id = $1', [
      user.id,
      'what the other transaction writes',
    ]);
    const reply = request();
    const { rows } = await other.query('SELECT pg_backend_pid() AS pid');
    const waiting = async () => {
      const text = 'SELECT 1 FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))';
      return (await server.database.owner.query(text, [rows[0].pid])).rowCount;
    };
    await expect.poll(waiting, { timeout: 150_000 }).toBe(1);
    await other.query('COMMIT');
    return await reply;
  } finally {
    await other.end();
  }
}

it('a sign-in with the old password during a reset opens no session that survives the reset', async () => {
  const user = await server.people.user();
  const reply = await whileReplaced(user, () => login(user.email, TEST_PASSWORD));
  expect(reply.status).toBe(401);
});

it('a password change is refused when another one has replaced the current password meanwhile', async () => {
  const user = await server.people.user();
  const body = { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD };
  const change = () => post('/auth/change-password', body, user.session);
  expect((await whileReplaced(user, change)).json).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect((await login(user.email, NEW_PASSWORD)).status).toBe(401);
  expect(await audited(user, 'auth.change_password')).toEqual(['failure']);
});
