import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { rowsOf } from '../../../../tests/kit/owner-queries.ts';
import { masterKeyHeaders, SHARED_CREDENTIALS } from '../../../../tests/kit/shared-credentials.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  const { breakGlass } = SHARED_CREDENTIALS;
  server = await startTestServer({ config: { breakGlass } });
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

describe('a domain without which no admin would stay', () => {
  const { domain } = provider;
  /** May change the settings, but is no admin. */
  let deputy: { readonly session: Readonly<Record<string, string>> };

  beforeEach(async () => {
    await sso.trust(true);
    const { me } = await sso.enter({ email: sso.address() });
    await server.people.join(me.user, sso.tenant, 'admin');
    const options = { role: PERMISSIONS, amr: ['pwd', 'otp'] };
    deputy = await server.people.user({ tenant: sso.tenant, ...options });
  });

  const remove = (headers = deputy.session) =>
    server.call(`/tenant/domains/${domain}`, { method: 'DELETE', headers });
  const verify = (headers = deputy.session) =>
    server.call(`/tenant/domains/${domain}/verify`, { method: 'POST', headers });
  const domains = async () =>
    (await server.call('/tenant/domains', { headers: deputy.session })).json.items;

  it('a domain without which no admin would stay is not removed until the tenant has an admin with a password', async () => {
    const detail = expect.stringMatching('First invite an admin who signs in with a password');
    expect(await remove()).toMatchObject({ status: 409, json: { code: 'CONFLICT', detail } });
    expect(await domains()).toMatchObject([{ domain, status: 'verified' }]);
    await server.people.user({ tenant: sso.tenant });
    expect((await remove()).status).toBe(204);
    expect(await domains()).toEqual([]);
  });

  it('a domain without which no admin would stay keeps its verification when its record is gone, until the tenant has an admin with a password', async () => {
    server.dns.set(domain, 'no-such-name');
    const detail = expect.stringMatching(
      'Add the record again; or first invite an admin who signs in with a password',
    );
    const refused = await verify();
    expect(refused).toMatchObject({ status: 409, json: { code: 'CONFLICT', detail } });
    const correlation = refused.headers.get('x-correlation-id');
    const trail = 'SELECT outcome, subject, detail FROM audit_events WHERE correlation_id = $1';
    expect(await rowsOf(server.database, sso.tenant.id, trail, [correlation])).toEqual([
      { outcome: 'failure', subject: domain, detail: { code: 'CONFLICT' } },
    ]);
    expect(await domains()).toMatchObject([{ domain, status: 'verified' }]);
    await server.people.user({ tenant: sso.tenant });
    expect((await verify()).json.code).toBe('DOMAIN_NOT_VERIFIED');
    expect(await domains()).toMatchObject([{ domain, status: 'pending' }]);
  });

  it('the master key withdraws the verification of a domain without which no admin would stay', async () => {
    server.dns.set(domain, 'no-such-name');
    const reply = await verify(masterKeyHeaders(sso.tenant, 'the domain was sold'));
    expect(reply.json.code).toBe('DOMAIN_NOT_VERIFIED');
    expect(await domains()).toMatchObject([{ domain, status: 'pending' }]);
  });

  it('a domain without which no admin would stay is removed by the master key', async () => {
    expect((await remove(masterKeyHeaders(sso.tenant, 'the domain was sold'))).status).toBe(204);
    expect(await domains()).toEqual([]);
  });

  it('a domain that keeps no admin is removed, also from a tenant without an admin who stays', async () => {
    await sso.sql('DELETE FROM identity.tenant_domains WHERE tenant_id = $1', [sso.tenant.id]);
    await sso.sql(
      `INSERT INTO identity.tenant_domains (tenant_id, domain, token, created_at) VALUES ($1, $2, 't', now())`,
      [sso.tenant.id, domain],
    );
    expect((await remove()).status).toBe(204);
  });
});
