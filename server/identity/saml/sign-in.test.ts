import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../ids.ts';
import { Belongings } from '../../testing/belongings.ts';
import {
  codeIn,
  postResponse,
  type Said,
  TestIdentityProvider,
} from '../../testing/identity-provider.ts';
import type { TestTenant, TestUser } from '../../testing/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../testing/test-server.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let tenant: TestTenant;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  tenant = await server.people.tenant(['sso']);
  await trust(tenant);
});

function trust(of: TestTenant, by = provider) {
  return new Belongings(server.services, server.database, of).samlConnection(by);
}

function address(): string {
  return `${newId()}@${provider.domain}`;
}

function exchange(code: string): Promise<Reply> {
  return server.call('/auth/exchange', { method: 'POST', body: { code } });
}

/** Signs in, and says who one is then; null: refused. */
async function enter(said: Said, of = tenant) {
  const reply = await provider.signIn(server, of, said);
  if (reply.status !== 303) return null;
  const tokens = await exchange(codeIn(reply));
  expect(tokens.status).toBe(200);
  const session = { authorization: `Bearer ${tokens.json.accessToken}` };
  const me = await server.call('/auth/me', { headers: session });
  return { me: me.json, session, tokens: tokens.json };
}

async function withEmail(options: Parameters<TestServer['people']['user']>[0] = {}) {
  const user = await server.people.user(options);
  const email = address();
  await sql('UPDATE identity.users SET email = $2 WHERE id = $1', [user.id, email]);
  return { ...user, email };
}

async function sql(text: string, values: unknown[]) {
  return (await server.database.owner.query(text, values)).rows;
}

function setStatus(user: TestUser, status: string) {
  return sql('UPDATE identity.memberships SET status = $3 WHERE user_id = $1 AND tenant_id = $2', [
    user.id,
    tenant.id,
    status,
  ]);
}

async function reasonOf(reply: Reply) {
  const [row] = await server.services.tenants.read(tenant.id, (db) =>
    db.sql({ name: 'test-reason', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' }, [
      reply.headers.get('x-correlation-id'),
    ]),
  );
  return row?.['detail'].reason;
}

async function expectRefusedFor(reason: string, said: Said) {
  const reply = await provider.signIn(server, tenant, said);
  expect({ status: reply.status, code: reply.json?.code }).toEqual({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect(await reasonOf(reply)).toBe(reason);
}

describe('a newcomer whom the provider vouches for', () => {
  it('gets an account with the role for newcomers, whatever role the provider asserts', async () => {
    const email = address();
    const entered = await enter({ email, name: 'Grace Hopper' });
    expect(entered?.me).toMatchObject({
      user: { email, name: 'Grace Hopper', emailVerified: false },
      tenant: { id: tenant.id },
      role: 'viewer',
      credential: { kind: 'jwt', mfa: false },
      memberships: [{ tenantId: tenant.id, role: 'viewer' }],
    });
  });

  it('gets none when the role for newcomers has come to administer, or is gone', async () => {
    const name = await server.people.role(tenant, ['scans.read']);
    await sql('UPDATE identity.saml_connections SET default_role = $2 WHERE tenant_id = $1', [
      tenant.id,
      name,
    ]);
    expect(await enter({ email: address() })).not.toBeNull();
    await sql('UPDATE identity.roles SET permissions = $2 WHERE name = $1', [
      name,
      ['admin.users'],
    ]);
    await expectRefusedFor('default_role', { email: address() });
    await sql('DELETE FROM identity.roles WHERE name = $1', [name]);
    await expectRefusedFor('default_role', { email: address() });
    await sql('UPDATE identity.saml_connections SET default_role = $2 WHERE tenant_id = $1', [
      tenant.id,
      'admin',
    ]);
    await expectRefusedFor('default_role', { email: address() });
  });

  it('gets one account, however often and however concurrently they arrive', async () => {
    const said = { email: address() };
    const [first, second] = await Promise.all([enter(said), enter(said)]);
    const third = await enter(said);
    expect(first).not.toBeNull();
    expect(second?.me.user.id).toBe(first?.me.user.id);
    expect(third?.me.user.id).toBe(first?.me.user.id);
  });
});

describe('people are recognised', () => {
  it('by the name that the provider gives them, also under a new address', async () => {
    const first = await enter({ nameId: 'n-1', email: address() });
    const again = await enter({ nameId: 'n-1', email: address() });
    expect(again?.me.user).toEqual(first?.me.user);
  });

  it('and nobody else gets into the account by having its address', async () => {
    const email = address();
    await enter({ nameId: 'n-1', email });
    await expectRefusedFor('linked_to_another', { nameId: 'n-2', email });
  });

  it('anew once the settings are made anew', async () => {
    const [email, other] = [address(), address()];
    const first = await enter({ nameId: 'n-1', email });
    await trust(tenant);
    const second = await enter({ nameId: 'n-1', email: other });
    expect(second?.me.user.id).not.toBe(first?.me.user.id);
    const third = await enter({ nameId: 'n-2', email });
    expect(third?.me.user.id).toBe(first?.me.user.id);
  });

  it('as the members that they are, with their role there', async () => {
    const user = await withEmail({ tenant, role: 'analyst' });
    const entered = await enter({ email: user.email });
    expect(entered?.me).toMatchObject({ user: { id: user.id }, role: 'analyst' });
  });
});

describe('an account that is known to another tenant', () => {
  it('is not opened, changed or added to by the word of this one', async () => {
    const user = await withEmail();
    const things = () =>
      sql(
        `SELECT u.*, (SELECT json_agg(m) FROM identity.memberships m WHERE m.user_id = u.id) AS memberships,
                (SELECT json_agg(i) FROM identity.saml_identities i WHERE i.user_id = u.id) AS identities
         FROM identity.users u WHERE u.id = $1`,
        [user.id],
      );
    const before = await things();
    await expectRefusedFor('no_member', { email: user.email });
    expect(await things()).toEqual(before);
  });

  it('stays closed while it is invited, and opens once the person has accepted', async () => {
    const user = await withEmail();
    await server.people.join(user, tenant, 'analyst');
    await setStatus(user, 'invited');
    await expectRefusedFor('no_member', { email: user.email });
    await setStatus(user, 'active');
    expect((await enter({ email: user.email }))?.me.user.id).toBe(user.id);
  });

  it('stays closed when another tenant made it by its own provider', async () => {
    const other = await server.people.tenant(['sso']);
    await trust(other);
    const email = address();
    expect(await enter({ email }, other)).not.toBeNull();
    await expectRefusedFor('no_member', { email });
  });
});

describe('an account of which nobody proved that the address is theirs', () => {
  it('is taken over from whoever registered it: password and sessions are void', async () => {
    const squatter = await withEmail({ verified: false });
    const entered = await enter({ email: squatter.email });
    expect(entered?.me).toMatchObject({ user: { id: squatter.id }, tenant: { id: tenant.id } });
    expect(entered?.me.role).toBe('viewer');
    for (const headers of [squatter.session, squatter.key]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
    await sql('UPDATE identity.users SET email_verified_at = now() WHERE id = $1', [squatter.id]);
    const { email, password } = squatter;
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.json.code).toBe('INVALID_CREDENTIALS');
  });

  it('is accepted for by arriving, where it was only invited', async () => {
    const user = await withEmail({ tenant, role: 'analyst', verified: false });
    await sql('UPDATE identity.users SET password_hash = NULL WHERE id = $1', [user.id]);
    await setStatus(user, 'invited');
    const entered = await enter({ email: user.email });
    expect(entered?.me).toMatchObject({ user: { id: user.id }, role: 'analyst' });
  });
});

describe('nobody gets in', () => {
  it('with a membership that is disabled, or an account that is', async () => {
    const user = await withEmail({ tenant });
    await setStatus(user, 'disabled');
    await expectRefusedFor('disabled', { email: user.email });
    const other = await withEmail({ tenant, disabled: true });
    await expectRefusedFor('disabled', { email: other.email });
    const linked = { nameId: 'n-9', email: address() };
    const entered = await enter(linked);
    await setStatus({ id: entered?.me.user.id } as TestUser, 'disabled');
    await expectRefusedFor('disabled', linked);
  });

  it('once the settings or the feature are gone, not even with a response that was under way', async () => {
    const begun = await provider.request(server, tenant);
    const response = await provider.respond(begun, { email: address() }, server.clock.now());
    await sql("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [tenant.id]);
    expect((await postResponse(server, response)).status).toBe(401);
    expect((await server.call(`/auth/saml/login?tenant=${tenant.id}`)).status).toBe(404);
    expect((await server.call(`/auth/saml/metadata?tenant=${tenant.id}`)).status).toBe(404);
    await sql("UPDATE identity.tenants SET features = '{sso}' WHERE id = $1", [tenant.id]);
    await sql('DELETE FROM identity.saml_connections WHERE tenant_id = $1', [tenant.id]);
    expect((await postResponse(server, response)).status).toBe(401);
    expect((await server.call(`/auth/saml/login?tenant=${tenant.id}`)).status).toBe(404);
  });

  it('and a tenant without a provider looks like one that never was', async () => {
    const bare = await server.people.tenant(['sso']);
    const answers = await Promise.all(
      [bare.id, newId()].map((id) => server.call(`/auth/saml/login?tenant=${id}`)),
    );
    const [one, other] = answers.map(({ status, json }) => ({
      status,
      ...json,
      correlationId: '',
    }));
    expect(one).toEqual(other);
    expect((await server.call('/auth/saml/login?tenant=x')).status).toBe(400);
    expect((await server.call('/auth/saml/login')).status).toBe(400);
  });
});

describe('a session by the word of a tenant', () => {
  it('passes no guard that wants a second factor', async () => {
    const user = await withEmail({ tenant });
    const entered = await enter({ email: user.email });
    const reply = await server.call('/tenant/saml', {
      method: 'DELETE',
      headers: entered?.session ?? {},
    });
    expect(reply.json.code).toBe('MFA_REQUIRED');
  });

  it('stays what it is through a refresh', async () => {
    const entered = await enter({ email: address() });
    const { refreshToken } = entered?.tokens ?? {};
    const reply = await server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
    const [, payload = ''] = reply.json.accessToken.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).amr).toEqual(['saml']);
  });

  it('reaches no other tenant of the account, and does not learn of them', async () => {
    const user = await withEmail({ tenant });
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'admin');
    const entered = await enter({ email: user.email });
    const headers = { ...entered?.session, 'x-tenant-id': elsewhere.id };
    const reply = await server.call('/auth/me', { headers });
    expect(reply.headers.get('x-tenant-id')).toBe(tenant.id);
    expect(reply.json.memberships.map((m: { tenantId: string }) => m.tenantId)).toEqual([
      tenant.id,
    ]);
    const byPassword = await server.call('/auth/me', {
      headers: { ...user.session, 'x-tenant-id': elsewhere.id },
    });
    expect(byPassword.headers.get('x-tenant-id')).toBe(elsewhere.id);
  });

  it('enrols no second factor for an account that other tenants know, without its password', async () => {
    const user = await withEmail({ tenant });
    const entered = await enter({ email: user.email });
    const setup = (body: object) =>
      server.call('/auth/2fa/setup', { method: 'POST', headers: entered?.session ?? {}, body });
    expect((await setup({})).status).toBe(200);
    await server.people.join(user, await server.people.tenant(), 'viewer');
    expect((await setup({})).json.code).toBe('REAUTH_REQUIRED');
    expect((await setup({ password: user.password })).status).toBe(200);
  });
});

describe('an exchange code', () => {
  async function code(): Promise<string> {
    return codeIn(await provider.signIn(server, tenant, { email: address() }));
  }

  async function expectSpent(given: string) {
    const reply = await exchange(given);
    expect({ status: reply.status, code: reply.json.code }).toEqual({
      status: 400,
      code: 'INVALID_TOKEN',
    });
    return reply;
  }

  it('is good once, also when it comes five times at once', async () => {
    const given = await code();
    const replies = await Promise.all(Array.from({ length: 5 }, () => exchange(given)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    await expectSpent(given);
  });

  it('is good for 60 seconds', async () => {
    const [early, late] = [await code(), await code()];
    server.clock.advance({ seconds: 55 });
    expect((await exchange(early)).status).toBe(200);
    server.clock.advance({ seconds: 6 });
    await expectSpent(late);
  });

  it('is kept as a hash, and in its place is no token of another kind', async () => {
    const given = await code();
    const rows = await sql('SELECT * FROM identity.one_time_values', []);
    expect(JSON.stringify(rows)).not.toContain(given);
    const entered = await enter({ email: address() });
    await expectSpent(entered?.tokens.refreshToken);
    await expectSpent('x');
  });

  it('opens nothing for somebody who was disabled, or by a provider that was dropped, meanwhile', async () => {
    const email = address();
    const given = codeIn(await provider.signIn(server, tenant, { email }));
    const [user] = await sql('SELECT id FROM identity.users WHERE email = $1', [email]);
    await setStatus(user as TestUser, 'disabled');
    await expectSpent(given);
    const other = await code();
    await trust(tenant);
    await expectSpent(other);
  });

  it('leaves a row in the trail, good or not', async () => {
    const given = await code();
    const good = await exchange(given);
    const bad = await expectSpent(given);
    expect(await outcomes(tenant.id, good)).toEqual(['auth.exchange success']);
    expect(await outcomes('00000000-0000-0000-0000-000000000000', bad)).toEqual([
      'auth.exchange failure',
    ]);
  });

  function outcomes(of: string, reply: Reply) {
    return server.services.tenants.read(of, async (db) => {
      const rows = await db.sql(
        { name: 'test-outcomes', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
        [reply.headers.get('x-correlation-id')],
      );
      return rows.map((row) => `${row['action']} ${row['outcome']}`);
    });
  }
});
