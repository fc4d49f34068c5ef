import type { Permission } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../../../../tests/kit/authenticator.ts';
import { codeIn, TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { mailsTo } from '../../../../tests/kit/mailbox.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  sso = await SingleSignOn.start(server, provider);
  admin = await sso.person({ tenant: sso.tenant });
});

const post = (path: string, body: unknown) => server.call(path, { method: 'POST', body });
const confirm = (body: object) => post('/auth/confirm', body);

/** Signs in through the provider until the confirmation is required. */
async function begin(email = admin.email) {
  const reply = await sso.exchange(codeIn(await sso.signIn({ email })));
  expect(reply).toMatchObject({ status: 403, json: { code: 'CONFIRMATION_REQUIRED' } });
  return reply.json.confirmation as { token: string; methods: string[]; expiresAt: string };
}

async function sessions(): Promise<number> {
  const rows = await sso.sql(
    "SELECT 1 FROM identity.sessions WHERE user_id = $1 AND 'saml' = ANY (amr)",
    [admin.id],
  );
  return rows.length;
}

/** The token of the newest mail that asks for a confirmation. */
async function mailedToken(email = admin.email): Promise<string> {
  const mails = await mailsTo(server, email);
  const text = mails.findLast(({ template }) => template === 'confirm-sign-in')?.text ?? '';
  return /^[\w-]{43}$/m.exec(text)?.[0] ?? '';
}

describe('an administrator signing in through a new identity provider', () => {
  it('an administrator signing in through a new identity provider has no session and no link before confirming', async () => {
    const { token, methods } = await begin();
    expect(methods).toEqual(['password', 'mail']);
    expect(await sessions()).toBe(0);
    expect(
      await sso.sql('SELECT 1 FROM identity.saml_identities WHERE user_id = $1', [admin.id]),
    ).toEqual([]);
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
    expect((await post('/auth/exchange', { code: token })).json.code).toBe('INVALID_TOKEN');
  });

  it('an administrator signing in through a new identity provider confirms once by password, and later signs in without it', async () => {
    const { token } = await begin();
    expect(await confirm({ token, password: 'not the password' })).toMatchObject({
      status: 401,
      json: { code: 'INVALID_CREDENTIALS' },
    });
    const reply = await confirm({ token, password: admin.password });
    expect(reply.status).toBe(200);
    const headers = { authorization: `Bearer ${reply.json.accessToken}` };
    expect((await server.call('/auth/me', { headers })).json).toMatchObject({
      user: { id: admin.id },
      role: 'admin',
      credential: { mfa: false },
    });
    expect((await confirm({ token, password: admin.password })).json.code).toBe('INVALID_TOKEN');
    expect((await sso.enter({ email: admin.email })).me.user.id).toBe(admin.id);
  });

  it('an administrator can confirm a new identity provider with an authenticator code, which counts as the second factor', async () => {
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, admin, { at });
    const { token, methods } = await begin();
    expect(methods).toContain('code');
    const right = codeAt(secret, at);
    const wrong = right === '000000' ? '000001' : '000000';
    expect((await confirm({ token, code: wrong })).json.code).toBe('INVALID_CODE');
    const reply = await confirm({ token, code: right });
    const headers = { authorization: `Bearer ${reply.json.accessToken}` };
    expect((await server.call('/auth/me', { headers })).json.credential.mfa).toBe(true);
  });

  it('an administrator can confirm a new identity provider by the newest mail, and only with the token of the sign-in', async () => {
    const [mine, attackers] = [await begin(), await begin()];
    expect((await post('/auth/confirm/mail', { token: mine.token })).status).toBe(202);
    const first = await mailedToken();
    await post('/auth/confirm/mail', { token: mine.token });
    const second = await mailedToken();
    expect(second).not.toBe(first);
    for (const body of [
      { token: mine.token, mailToken: first },
      { token: attackers.token, mailToken: second },
      { token: second, mailToken: second },
    ]) {
      expect((await confirm(body)).json.code).toBe('INVALID_TOKEN');
    }
    expect((await confirm({ token: mine.token, mailToken: second })).status).toBe(200);
  });

  it('the newest mail still confirms a new identity provider after requests for more mails than are sent', async () => {
    const { token } = await begin();
    for (let n = 0; n < 4; n += 1) {
      expect((await post('/auth/confirm/mail', { token })).status).toBe(202);
    }
    const mails = await mailsTo(server, admin.email);
    expect(mails.filter(({ template }) => template === 'confirm-sign-in')).toHaveLength(3);
    expect((await confirm({ token, mailToken: await mailedToken() })).status).toBe(200);
  });

  it('an administrator signing in through a new identity provider must confirm again after the settings were saved again', async () => {
    const { token } = await begin();
    await confirm({ token, password: admin.password });
    await sso.trust();
    await begin();
  });

  it('an administrator signing in through a new identity provider cannot confirm after expiry or after the provider was deleted', async () => {
    const { token } = await begin();
    await sso.trust();
    expect((await confirm({ token, password: admin.password })).json.code).toBe('INVALID_TOKEN');
    const other = await begin();
    server.clock.advance({ seconds: 601 });
    const late = await confirm({ token: other.token, password: admin.password });
    expect(late.json.code).toBe('INVALID_TOKEN');
  });

  it('an administrator whose pending confirmation was removed as expired gets no session from the exchange code', async () => {
    const code = codeIn(await sso.signIn({ email: admin.email }));
    await sso.sql(
      "DELETE FROM identity.one_time_values WHERE kind = 'unconfirmed_code' AND detail->>'userId' = $1",
      [admin.id],
    );
    expect((await sso.exchange(code)).json.code).toBe('INVALID_TOKEN');
    expect(await sessions()).toBe(0);
  });

  it('an administrator gets no session from an exchange code after the tenant lost single sign-on', async () => {
    const code = codeIn(await sso.signIn({ email: admin.email }));
    await sso.sql("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [sso.tenant.id]);
    expect((await sso.exchange(code)).json.code).toBe('INVALID_TOKEN');
    expect(await sessions()).toBe(0);
  });

  it('five concurrent confirmations of a new identity provider open one session', async () => {
    const { token } = await begin();
    const { password } = admin;
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => confirm({ token, password })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessions()).toBe(1);
  });

  it('a confirmation of a new identity provider must contain exactly one proof', async () => {
    const { token } = await begin();
    for (const proof of [{}, { password: 'x', mailToken: 'y' }]) {
      expect((await confirm({ token, ...proof })).json.code).toBe('VALIDATION_FAILED');
    }
  });
});

describe('a sign-in through an identity provider requires a confirmation', () => {
  it.each(['admin.users', 'admin.settings', 'admin.audit'] as const)(
    'a sign-in through an identity provider requires a confirmation from a member whose role has %s',
    async (permission) => {
      const { email } = await sso.person({ tenant: sso.tenant, role: [permission] });
      await begin(email);
    },
  );

  it('a sign-in through an identity provider requires a confirmation from a member with more permissions than its configurer', async () => {
    const { email } = await sso.person({ tenant: sso.tenant, role: 'analyst' });
    await sso.sql('UPDATE identity.saml_connections SET vouches = $2 WHERE tenant_id = $1', [
      sso.tenant.id,
      ['admin.settings', 'admin.users'] satisfies Permission[],
    ]);
    await begin(email);
  });

  it('a sign-in through an identity provider requires a confirmation from a later administrator, and ends their session and keys', async () => {
    const person = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const { session } = await sso.enter({ email: person.email });
    const key = await server.call('/api-keys', {
      method: 'POST',
      headers: session,
      body: { name: 'made by the provider' },
    });
    const byKey = { 'x-api-key': key.json.key };
    expect((await server.call('/auth/me', { headers: byKey })).json.role).toBe('viewer');
    const chief = await server.people.user({ tenant: sso.tenant, amr: ['pwd', 'otp'] });
    const promoted = await server.call(`/users/${person.id}`, {
      method: 'PATCH',
      headers: chief.session,
      body: { role: 'admin' },
    });
    expect(promoted.status).toBe(200);
    for (const headers of [session, byKey]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
    expect((await server.call('/auth/me', { headers: person.key })).json.role).toBe('admin');
    await begin(person.email);
  });

  it.each([
    ['their role becomes admin', 'PATCH'],
    ['their role gains a permission to administer', 'PUT'],
  ])(
    'a sign-in through an identity provider that is under way opens no session after %s',
    async (_what, method) => {
      const role = await server.people.role(sso.tenant, ['scans.read']);
      const person = await sso.person({ tenant: sso.tenant });
      await sso.sql('UPDATE identity.memberships SET role = $2 WHERE user_id = $1', [
        person.id,
        role,
      ]);
      const code = codeIn(await sso.signIn({ email: person.email }));
      const chief = await server.people.user({ tenant: sso.tenant, amr: ['pwd', 'otp'] });
      const raised = await server.call(
        method === 'PUT' ? `/roles/${role}` : `/users/${person.id}`,
        {
          method,
          headers: chief.session,
          body: method === 'PUT' ? { permissions: ['admin.users'] } : { role: 'admin' },
        },
      );
      expect(raised.status).toBe(200);
      expect((await sso.exchange(code)).json.code).toBe('INVALID_TOKEN');
      await begin(person.email);
    },
  );

  it('a sign-in through an identity provider requires no confirmation from a member without such permissions', async () => {
    const { email } = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    expect((await sso.enter({ email })).me.role).toBe('viewer');
  });

  it('an invited administrator confirms an identity provider with the invitation mail', async () => {
    const person = await sso.person({ tenant: sso.tenant, verified: false });
    await sso.sql('UPDATE identity.users SET password_hash = NULL WHERE id = $1', [person.id]);
    await sso.setStatus(person, 'invited');
    const reply = await sso.signIn({ email: person.email });
    expect(reply.status).toBe(401);
    expect(await sso.reasonOf(reply)).toBe('invited');
  });
});
