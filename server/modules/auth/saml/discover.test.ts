import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Belongings } from '../../../../tests/kit/fixtures.ts';
import { TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import type { TestTenant } from '../../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { newId } from '../../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** A tenant whose provider signs in people of a domain that no other tenant has. */
async function tenantOf(domain: string, options: { verified: boolean }): Promise<TestTenant> {
  const { tenant } = await server.people.user();
  const has = new Belongings(server.services, server.database, tenant);
  await has.samlConnection(new TestIdentityProvider(), false);
  await sql('UPDATE identity.saml_connections SET email_domains = $2 WHERE tenant_id = $1', [
    tenant.id,
    [domain],
  ]);
  if (options.verified) await has.verifiedDomain(domain);
  return tenant;
}

const sql = (text: string, values: unknown[]) => server.database.owner.query(text, values);

async function loginUrlFor(email: string): Promise<unknown> {
  const reply = await server.call('/auth/saml/discover', { method: 'POST', body: { email } });
  expect(reply.status).toBe(200);
  return reply.json.loginUrl;
}

describe('the discovery of an identity provider', () => {
  it('the discovery of an identity provider finds the tenant with the verified domain, for known and unknown people alike', async () => {
    const domain = `${newId()}.example`;
    const { id } = await tenantOf(domain, { verified: true });
    for (const name of [newId(), 'a+b']) {
      const expected = `${server.url}/auth/saml/login?tenant=${id}`;
      expect(await loginUrlFor(`${name}@${domain.toUpperCase()}`)).toBe(expected);
    }
  });

  it('the discovery of an identity provider finds the tenant that verified the domain first', async () => {
    const domain = `${newId()}.example`;
    const { id } = await tenantOf(domain, { verified: true });
    server.clock.advance({ minutes: 1 });
    await tenantOf(domain, { verified: true });
    expect(await loginUrlFor(`ada@${domain}`)).toContain(id);
  });

  it('the discovery of an identity provider finds nothing for a domain that is not verified', async () => {
    const domain = `${newId()}.example`;
    await tenantOf(domain, { verified: false });
    expect(await loginUrlFor(`ada@${domain}`)).toBeNull();
  });

  it('the discovery of an identity provider finds nothing for a verified domain that the provider does not list', async () => {
    const { tenant } = await server.people.user();
    const domain = await new Belongings(server.services, server.database, tenant).verifiedDomain();
    expect(await loginUrlFor(`ada@${domain}`)).toBeNull();
  });

  it('the discovery of an identity provider finds nothing for a tenant without the feature', async () => {
    const domain = `${newId()}.example`;
    const { id } = await tenantOf(domain, { verified: true });
    const update =
      "UPDATE identity.tenants SET features = array_remove(features, 'sso') WHERE id = $1";
    await sql(update, [id]);
    expect(await loginUrlFor(`ada@${domain}`)).toBeNull();
  });
});

describe('the list of ways to sign in', () => {
  it('the list of sign-in methods shows which ones the server has configured', async () => {
    await tenantOf(`${newId()}.example`, { verified: true });
    const { status, json } = await server.call('/auth/methods');
    expect(status).toBe(200);
    expect(json).toEqual({
      password: true,
      registration: expect.any(Boolean),
      google: false,
      saml: true,
    });
  });
});
