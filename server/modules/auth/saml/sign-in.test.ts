import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  postResponse,
  type Said,
  TestIdentityProvider,
} from '../../../../tests/kit/identity-provider.ts';
import { waitingFor } from '../../../../tests/kit/owner-queries.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { until } from '../../../../tests/kit/until.ts';
import { newId } from '../../../platform/ids.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  sso = await SingleSignOn.start(server, provider);
});

async function expectRefusedFor(reason: string, said: Said) {
  const reply = await sso.signIn(said);
  expect({ status: reply.status, code: reply.json?.code }).toEqual({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect(await sso.reasonOf(reply)).toBe(reason);
}

describe('a newcomer signing in through an identity provider', () => {
  it('a newcomer by SAML gets the role for newcomers, regardless of the role that the provider asserts', async () => {
    const email = sso.address();
    const { me } = await sso.enter({ email, name: 'Grace Hopper' });
    expect(me).toMatchObject({
      user: { email, name: 'Grace Hopper', emailVerified: false },
      tenant: { id: sso.tenant.id },
      role: 'viewer',
      credential: { kind: 'jwt', mfa: false },
      memberships: [{ tenantId: sso.tenant.id, role: 'viewer' }],
    });
  });

  it('a newcomer by SAML is refused when the role for newcomers was deleted or has become an administrator role', async () => {
    const name = await server.people.role(sso.tenant, ['scans.read']);
    const give = (role: string) =>
      sso.sql('UPDATE identity.saml_connections SET default_role = $2 WHERE tenant_id = $1', [
        sso.tenant.id,
        role,
      ]);
    await give(name);
    expect((await sso.enter({ email: sso.address() })).me.role).toBe(name);
    await sso.sql("UPDATE identity.roles SET permissions = '{admin.users}' WHERE name = $1", [
      name,
    ]);
    await expectRefusedFor('default_role', { email: sso.address() });
    await sso.sql('DELETE FROM identity.roles WHERE name = $1', [name]);
    await expectRefusedFor('default_role', { email: sso.address() });
    await give('admin');
    await expectRefusedFor('default_role', { email: sso.address() });
  });

  it('a newcomer by SAML gets one account from repeated and concurrent sign-ins', async () => {
    const said = { email: sso.address() };
    const entered = await Promise.all([sso.enter(said), sso.enter(said), sso.enter(said)]);
    entered.push(await sso.enter(said));
    expect(new Set(entered.map(({ me }) => me.user.id)).size).toBe(1);
  });

  it('a newcomer gets one account when two SAML sign-ins both find none before either creates it', async () => {
    const said = { email: sso.address() };
    // Lock the table so that accounts can be read but not created until both sign-ins have read it.
    await sso.sql('BEGIN');
    await sso.sql('LOCK TABLE identity.users IN SHARE MODE');
    const entering = Promise.all([sso.enter(said), sso.enter(said)]);
    try {
      await until(
        'both sign-ins wait to make the account',
        async () => (await waitingFor(server.database, "l.locktype = 'relation'")).length === 2,
      );
    } finally {
      await sso.sql('COMMIT');
    }
    const [first, second] = await entering;
    expect(second.me.user).toEqual(first.me.user);
    expect(second.me.role).toBe('viewer');
  });
});

describe('a person signing in by SAML', () => {
  it("a person signing in by SAML is recognized by the provider's name id, even with a new e-mail address", async () => {
    const first = await sso.enter({ nameId: 'n-1', email: sso.address() });
    const again = await sso.enter({ nameId: 'n-1', email: sso.address() });
    expect(again.me.user).toEqual(first.me.user);
  });

  it('a person signing in by SAML cannot enter another account by its e-mail address', async () => {
    const email = sso.address();
    await sso.enter({ nameId: 'n-1', email });
    await expectRefusedFor('linked_to_another', { nameId: 'n-2', email });
  });

  it('a person signing in by SAML is recognized again after the settings were saved again', async () => {
    const email = sso.address();
    const first = await sso.enter({ nameId: 'n-1', email });
    await sso.trust();
    const second = await sso.enter({ nameId: 'n-1', email: sso.address() });
    expect(second.me.user.id).not.toBe(first.me.user.id);
    const third = await sso.enter({ nameId: 'n-2', email });
    expect(third.me.user.id).toBe(first.me.user.id);
  });

  it('a person signing in by SAML enters with their own membership and role', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'analyst' });
    const { me } = await sso.enter({ email: user.email });
    expect(me).toMatchObject({ user: { id: user.id }, role: 'analyst' });
  });
});

describe('an account that another tenant has', () => {
  it("an account of another tenant is not entered, changed or linked by this tenant's provider", async () => {
    const user = await sso.person();
    const things = () =>
      sso.sql(
        `SELECT u.*, (SELECT json_agg(m) FROM identity.memberships m WHERE m.user_id = u.id) AS memberships,
                (SELECT json_agg(i) FROM identity.saml_identities i WHERE i.user_id = u.id) AS identities
         FROM identity.users u WHERE u.id = $1`,
        [user.id],
      );
    const before = await things();
    await expectRefusedFor('no_member', { email: user.email });
    expect(await things()).toEqual(before);
  });

  it("an account of another tenant stays closed to this tenant's provider while invited, and opens after the person accepts", async () => {
    const user = await sso.person();
    await server.people.join(user, sso.tenant, 'analyst');
    await sso.setStatus(user, 'invited');
    await expectRefusedFor('no_member', { email: user.email });
    await sso.setStatus(user, 'active');
    expect((await sso.enter({ email: user.email })).me.user.id).toBe(user.id);
  });

  it("an account of another tenant stays closed even when that tenant's provider created it", async () => {
    const other = await SingleSignOn.start(server, provider);
    const email = sso.address();
    await other.enter({ email });
    await expectRefusedFor('no_member', { email });
  });
});

describe('an account with an unverified address', () => {
  it('an account with an unverified address is taken over by the provider of a verified domain, and loses its password, sessions and keys', async () => {
    const squatter = await sso.person({ verified: false });
    const { me } = await sso.enter({ email: squatter.email });
    expect(me).toMatchObject({
      user: { id: squatter.id },
      tenant: { id: sso.tenant.id },
      role: 'viewer',
    });
    for (const headers of [squatter.session, squatter.key]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
    const { email, password } = squatter;
    await sso.sql('UPDATE identity.users SET email_verified_at = now() WHERE email = $1', [email]);
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.json.code).toBe('INVALID_CREDENTIALS');
  });

  it('an account with an unverified address accepts its pending invitation by a SAML sign-in', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'analyst', verified: false });
    await sso.sql('UPDATE identity.users SET password_hash = NULL WHERE id = $1', [user.id]);
    await sso.setStatus(user, 'invited');
    const { me } = await sso.enter({ email: user.email });
    expect(me).toMatchObject({ user: { id: user.id }, role: 'analyst' });
  });
});

describe('a SAML sign-in is refused', () => {
  it('a SAML sign-in is refused for a disabled membership or account', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    await sso.setStatus(user, 'disabled');
    await expectRefusedFor('disabled', { email: user.email });
    const other = await sso.person({ tenant: sso.tenant, disabled: true });
    await expectRefusedFor('disabled', { email: other.email });
    const linked = { nameId: 'n-9', email: sso.address() };
    const { me } = await sso.enter(linked);
    await sso.setStatus(me.user, 'disabled');
    await expectRefusedFor('disabled', linked);
  });

  it('a SAML sign-in is refused after the settings or the feature were removed, even with a pending response', async () => {
    const begun = await provider.request(server, sso.tenant);
    const email = sso.address();
    const response = await provider.respond(begun, { email }, server.clock.now());
    const { id } = sso.tenant;
    const statusOf = async (path: string) => (await server.call(`${path}?tenant=${id}`)).status;
    await sso.sql("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [id]);
    expect((await postResponse(server, response)).status).toBe(401);
    expect(await statusOf('/auth/saml/login')).toBe(404);
    expect(await statusOf('/auth/saml/metadata')).toBe(404);
    await sso.sql("UPDATE identity.tenants SET features = '{sso}' WHERE id = $1", [id]);
    await sso.sql('DELETE FROM identity.saml_connections WHERE tenant_id = $1', [id]);
    expect((await postResponse(server, response)).status).toBe(401);
    expect(await statusOf('/auth/saml/login')).toBe(404);
  });

  it('a SAML sign-in is refused for a tenant without a provider like for one that does not exist', async () => {
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
