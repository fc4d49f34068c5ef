import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SingleSignOn } from '../../testing/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
});
afterAll(() => server.close());

function amrOf(accessToken: string): unknown {
  const [, payload = ''] = accessToken.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).amr;
}

describe('a session by the word of a tenant', () => {
  it('passes no guard that wants a second factor', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const { session: headers } = await sso.enter({ email: user.email });
    const reply = await server.call('/tenant/saml', { method: 'DELETE', headers });
    expect(reply.json.code).toBe('MFA_REQUIRED');
  });

  it('stays what it is through a refresh', async () => {
    const { refreshToken } = await sso.enter({ email: sso.address() });
    const reply = await server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
    expect(amrOf(reply.json.accessToken)).toEqual(['saml']);
  });

  it('reaches no other tenant of the account, and does not learn of them', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'admin');
    const there = { 'x-tenant-id': elsewhere.id };
    const { session } = await sso.enter({ email: user.email });
    const reply = await server.call('/auth/me', { headers: { ...session, ...there } });
    expect(reply.headers.get('x-tenant-id')).toBe(sso.tenant.id);
    expect(reply.json.memberships).toHaveLength(1);
    const own = await server.call('/auth/me', { headers: { ...user.session, ...there } });
    expect(own.headers.get('x-tenant-id')).toBe(elsewhere.id);
    expect(own.json.memberships).toHaveLength(2);
  });

  it('enrols no second factor for an account that other tenants know, without its password', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const { session: headers } = await sso.enter({ email: user.email });
    const setup = (body: object) =>
      server.call('/auth/2fa/setup', { method: 'POST', headers, body });
    expect((await setup({})).status).toBe(200);
    await server.people.join(user, await server.people.tenant(), 'viewer');
    expect((await setup({})).json.code).toBe('REAUTH_REQUIRED');
    expect((await setup({ password: user.password })).status).toBe(200);
  });
});
