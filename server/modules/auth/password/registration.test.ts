import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailJobsOf, mailsOf, mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import { TEST_PASSWORD } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

let people = 0;

function newAddress(): string {
  people += 1;
  return `person-${people}@example.com`;
}

const post = (path: string, body: unknown, on = server) => on.call(path, { method: 'POST', body });

function register(email: string, more: object = {}) {
  const body = { email, password: TEST_PASSWORD, tenantName: 'Ada’s company', ...more };
  return post('/auth/register', body);
}

const login = (email: string, password = TEST_PASSWORD) => post('/auth/login', { email, password });

async function identityRows(): Promise<string> {
  const { rows } = await server.database.owner.query(
    `SELECT (SELECT json_agg(u ORDER BY u.id) FROM identity.users u) AS users,
            (SELECT json_agg(t ORDER BY t.id) FROM identity.tenants t) AS tenants,
            (SELECT json_agg(m ORDER BY m.user_id) FROM identity.memberships m) AS memberships,
            (SELECT json_agg(t ORDER BY t.hash) FROM identity.mail_tokens t) AS tokens`,
  );
  return JSON.stringify(rows);
}

async function auditOf(email: string, action: string) {
  const { rows } = await server.database.owner.query<{ tenant_id: string }>(
    `SELECT m.tenant_id FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id WHERE u.email = $1`,
    [email],
  );
  return server.services.tenants.read(rows[0]?.tenant_id ?? '', (db) =>
    db.sql<{ outcome: string; actor_id: string; ip: string; correlation_id: string }>(
      {
        name: 'test-audit',
        text: 'SELECT outcome, actor_id, ip, correlation_id FROM audit_events WHERE action = $1 ORDER BY id',
      },
      [action],
    ),
  );
}

describe('registration', () => {
  it('registration works for an address that was only invited to the tenants of others, whose invitations remain valid', async () => {
    const email = newAddress();
    const inviting = await server.people.user({ amr: ['pwd', 'otp'] });
    const invited = await server.call('/users', {
      method: 'POST',
      headers: inviting.session,
      body: { email, role: 'viewer' },
    });
    expect(invited.status).toBe(201);
    expect((await register(email, { name: 'Ada' })).status).toBe(202);
    expect((await login(email)).status).toBe(401);
    const mails = await mailsTo(server, email);
    expect(mails.map(({ template }) => template).toSorted()).toEqual([
      'invitation',
      'verify-email',
    ]);
    const tokenOf = (template: string) => tokenIn(mails.find((mail) => mail.template === template));
    await post('/auth/verify-email', { token: tokenOf('verify-email') });
    const { json: tokens } = await login(email);
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const me = async () => (await server.call('/auth/me', { headers })).json;
    expect(await me()).toMatchObject({
      user: { email, name: 'Ada' },
      tenant: { name: 'Ada’s company' },
      role: 'admin',
      memberships: [{ tenantName: 'Ada’s company' }],
    });
    expect((await post('/auth/accept-invite', { token: tokenOf('invitation') })).status).toBe(204);
    expect((await me()).memberships).toHaveLength(2);
  });

  it('registration creates a tenant with its administrator, who can sign in after confirming the address', async () => {
    const email = newAddress();
    expect((await register(email, { name: 'Ada' })).status).toBe(202);
    expect((await login(email)).json.code).toBe('INVALID_CREDENTIALS');
    const [mail, ...others] = await mailsTo(server, email);
    expect(others).toEqual([]);
    expect(mail?.template).toBe('verify-email');
    const verified = await post('/auth/verify-email', { token: tokenIn(mail) });
    expect(verified.status).toBe(204);
    const { json: tokens } = await login(email);
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const { json: me } = await server.call('/auth/me', { headers });
    expect(me).toMatchObject({
      user: { email, name: 'Ada', emailVerified: true },
      tenant: { name: 'Ada’s company', features: [] },
      role: 'admin',
    });
    for (const action of ['auth.register', 'auth.verify_email', 'auth.login']) {
      expect(await auditOf(email, action)).toContainEqual(
        expect.objectContaining({ outcome: 'success', actor_id: me.user.id }),
      );
    }
  });

  it('registration gives the same response for an existing address, changes nothing and notifies the owner', async () => {
    const email = newAddress();
    const fresh = await register(email);
    const before = await identityRows();
    const taken = await register(email.toUpperCase(), { password: 'another good password' });
    expect(comparable(taken)).toBe(comparable(fresh));
    expect(await identityRows()).toBe(before);
    const [, notice, ...more] = await mailsTo(server, email);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ template: 'account-exists' });
    expect(notice?.text).not.toMatch(/http|token|another good/);
    expect((await auditOf(email, 'auth.register')).map(({ outcome }) => outcome)).toEqual([
      'success',
      'failure',
    ]);
  });

  it('registration creates one account from two concurrent requests for one address', async () => {
    const email = newAddress();
    const replies = await Promise.all([1, 2, 3].map(() => register(email)));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    const templates = (await mailsTo(server, email)).map(({ template }) => template);
    expect(templates.sort()).toEqual(['account-exists', 'account-exists', 'verify-email']);
  });

  it('registration rejects an unacceptable password, naming the field, before it looks up the address', async () => {
    const jobs = (await mailJobsOf(server)).length;
    const email = newAddress();
    for (const password of ['short', 'unbelievable', email.toUpperCase(), 'ü'.repeat(37)]) {
      const reply = await register(email, { password });
      expect(reply.json).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect(reply.json.errors[0].path).toBe('body.password');
    }
    expect(await mailJobsOf(server)).toHaveLength(jobs);
  });

  it('registration is rejected while it is closed, and sign-in still works', async () => {
    const closed = await startTestServer({
      database: server.database,
      config: { registration: 'closed' },
    });
    const email = newAddress();
    const body = { email, password: TEST_PASSWORD, tenantName: 'X' };
    const reply = await post('/auth/register', body, closed);
    expect(reply.json).toMatchObject({ status: 403, code: 'REGISTRATION_CLOSED' });
    expect(await mailsTo(server, email)).toEqual([]);
    await closed.close();
  });
});

describe('a verification token', () => {
  const issued = async () => {
    const user = await server.people.user({ verified: false });
    await post('/auth/resend-verification', { email: user.email });
    return { user, email: user.email, token: tokenIn((await mailsTo(server, user.email))[0]) };
  };
  const verify = (token: string) => post('/auth/verify-email', { token });

  it('a verification token works once, even when used twice concurrently', async () => {
    const { token } = await issued();
    const replies = await Promise.all([1, 2, 3, 4].map(() => verify(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
    expect((await verify(token)).json.code).toBe('INVALID_TOKEN');
  });

  it('a verification token is valid for 48 hours', async () => {
    const [early, late] = [await issued(), await issued()];
    server.clock.advance({ hours: 47 });
    expect((await verify(early.token)).status).toBe(204);
    server.clock.advance({ hours: 2 });
    expect((await verify(late.token)).json.code).toBe('INVALID_TOKEN');
  });

  it('a verification token works only for its purpose: it sets no password and accepts no invitation', async () => {
    const { token } = await issued();
    const reset = await post('/auth/reset-password', { token, password: TEST_PASSWORD });
    const accept = await post('/auth/accept-invite', { token });
    expect([reset.json.code, accept.json.code]).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN']);
    expect((await verify(token)).status).toBe(204);
  });

  it('a verification token becomes invalid when the address changes', async () => {
    const { email, token } = await issued();
    await server.database.owner.query('UPDATE identity.users SET email = $2 WHERE email = $1', [
      email,
      `changed-${email}`,
    ]);
    expect((await verify(token)).json.code).toBe('INVALID_TOKEN');
  });

  it('a verification token is stored only as a hash, and encrypted in the mail queue', async () => {
    const { token } = await issued();
    const [rows, jobs] = [await identityRows(), JSON.stringify(await mailJobsOf(server))];
    for (const form of [token, Buffer.from(token, 'base64url').toString('hex')]) {
      expect(rows).not.toContain(form);
      expect(jobs).not.toContain(form);
    }
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('confirming an address ends the sessions of the still unverified account', async () => {
    const { user, token } = await issued();
    const session = { headers: user.session };
    expect((await server.call('/auth/me', session)).status).toBe(200);
    expect((await verify(token)).status).toBe(204);
    expect((await server.call('/auth/me', session)).status).toBe(401);
  });
});

describe('a request for another verification mail', () => {
  it('a request for another verification mail gets the same response for unverified, verified, disabled and unknown addresses', async () => {
    const waits = await server.people.user({ verified: false });
    const verified = await server.people.user();
    const disabled = await server.people.user({ verified: false, disabled: true });
    const emails = [waits.email, verified.email, disabled.email, newAddress()];
    const jobs = (await mailJobsOf(server)).length;
    const replies = [];
    for (const email of emails) replies.push(await post('/auth/resend-verification', { email }));
    expect(new Set(replies.map(comparable)).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
    expect(await mailJobsOf(server)).toHaveLength(jobs + emails.length);
    const mailed = (await mailsOf(server)).filter(({ to }) => emails.includes(to));
    expect(mailed.map(({ to }) => to)).toEqual([waits.email]);
    const [mail] = mailed;
    expect((await post('/auth/verify-email', { token: tokenIn(mail) })).status).toBe(204);
  });
});
