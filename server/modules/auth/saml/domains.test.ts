import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  sso = await SingleSignOn.start(server, provider, false);
});

async function expectRefused(email: string, reason = 'unverified_domain') {
  const reply = await sso.signIn({ email });
  expect(reply).toMatchObject({ status: 401, json: { code: 'INVALID_CREDENTIALS' } });
  expect(await sso.reasonOf(reply)).toBe(reason);
}

describe('an identity provider of an unverified domain', () => {
  it('an identity provider of an unverified domain creates accounts for unknown addresses and signs in to them again', async () => {
    const email = sso.address();
    const first = await sso.enter({ email });
    expect((await sso.enter({ email })).me.user.id).toBe(first.me.user.id);
    await sso.trust(false);
    expect((await sso.enter({ email })).me.user.id).toBe(first.me.user.id);
  });

  it('an identity provider of an unverified domain cannot enter an account with a verified address, even of a member', async () => {
    const member = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    await expectRefused(member.email);
    await expectRefused((await sso.person()).email);
  });

  it('an identity provider of an unverified domain cannot take over a registered account that is still unverified', async () => {
    const person = await sso.person({ verified: false });
    await expectRefused(person.email);
    expect((await server.call('/auth/me', { headers: person.key })).status).toBe(200);
  });

  it('an identity provider of an unverified domain cannot enter an account that another tenant has too', async () => {
    const email = sso.address();
    const { me } = await sso.enter({ email });
    await server.people.join(me.user, await server.people.tenant(), 'viewer');
    await expectRefused(email);
  });

  it('an identity provider of an unverified domain cannot enter an account after its owner has verified the address', async () => {
    const email = sso.address();
    const { me } = await sso.enter({ email });
    await sso.sql('UPDATE identity.users SET email_verified_at = now() WHERE id = $1', [
      me.user.id,
    ]);
    await expectRefused(email);
  });

  it('an identity provider of an unverified domain loses the accounts it created to the tenant that verifies the domain', async () => {
    const email = sso.address();
    const squatter = await sso.enter({ email });
    const owner = await SingleSignOn.start(server, provider);
    const { me } = await owner.enter({ email });
    expect(me.user.id).toBe(squatter.me.user.id);
    expect((await server.call('/auth/me', { headers: squatter.session })).status).toBe(401);
    await expectRefused(email);
  });
});

it('removal or expiry of a domain takes effect at the next sign-in', async () => {
  await sso.trust();
  const { email } = await sso.person({ tenant: sso.tenant, role: 'viewer' });
  await sso.enter({ email });
  await sso.sql('UPDATE identity.tenant_domains SET verified_at = NULL WHERE tenant_id = $1', [
    sso.tenant.id,
  ]);
  await expectRefused(email);
});

it('a verified domain does not include its subdomains or its parent', async () => {
  await sso.trust();
  for (const domain of [`sub.${provider.domain}`, 'example.com', `evil${provider.domain}`]) {
    await sso.sql('UPDATE identity.saml_connections SET email_domains = $2 WHERE tenant_id = $1', [
      sso.tenant.id,
      [domain],
    ]);
    const member = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const email = `${member.id}@${domain}`;
    await sso.sql('UPDATE identity.users SET email = $2 WHERE id = $1', [member.id, email]);
    await expectRefused(email);
  }
});
