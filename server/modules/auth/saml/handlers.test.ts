import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../../tests/kit/certificate.ts';
import { TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
const { entityId, ssoUrl, certificates, emailDomains, defaultRole } = provider.settings;
const rules = { emailDomains, defaultRole };

let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer({ config: { webUrl: 'https://posture.example.com' } });
  admin = await adminOf(['sso']);
});
afterAll(() => server.close());

async function adminOf(features: readonly 'sso'[], amr = ['pwd', 'otp']) {
  return server.people.user({ tenant: await server.people.tenant(features), amr });
}

function put(body: unknown, by = admin) {
  return server.call('/tenant/saml', { method: 'PUT', headers: by.session, body });
}

async function expectUnfit(body: unknown, path: string) {
  const reply = await put(body);
  expect({ status: reply.status, path: reply.json.errors?.[0]?.path }).toEqual({
    status: 400,
    path,
  });
}

describe('the settings of SAML single sign-on', () => {
  it('the settings of SAML single sign-on are saved as fields or as metadata, read back, and deleted', async () => {
    expect((await server.call('/tenant/saml', { headers: admin.session })).status).toBe(404);
    const base64 = { ...rules, entityId, ssoUrl, certificates: [provider.certificate.base64] };
    for (const body of [
      provider.settings,
      base64,
      { ...rules, metadataXml: provider.metadataXml },
    ]) {
      const reply = await put(body);
      expect(reply.json).toMatchObject({ ...provider.settings, certificates });
      expect(reply.status).toBe(200);
      const read = await server.call('/tenant/saml', { headers: admin.session });
      expect(read.json).toEqual(reply.json);
    }
    const [gone, again] = [await remove(), await remove()];
    expect([gone.status, again.status]).toEqual([204, 404]);

    function remove() {
      return server.call('/tenant/saml', { method: 'DELETE', headers: admin.session });
    }
  });

  it('the settings of SAML single sign-on show the values that the provider needs, with the configured public address', async () => {
    const { json } = await put(provider.settings);
    const { id } = admin.tenant;
    expect(json.serviceProvider).toEqual({
      entityId: `https://posture.example.com/auth/saml/metadata?tenant=${id}`,
      acsUrl: 'https://posture.example.com/auth/saml/acs',
      metadataUrl: `https://posture.example.com/auth/saml/metadata?tenant=${id}`,
      loginUrl: `https://posture.example.com/auth/saml/login?tenant=${id}`,
    });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const metadata = await server.call(`/auth/saml/metadata?tenant=${id}`, { headers });
    expect(metadata.headers.get('content-type')).toBe(
      'application/samlmetadata+xml; charset=utf-8',
    );
    expect(metadata.text).toContain(`entityID="${json.serviceProvider.entityId}"`);
    expect(metadata.text).toContain(`Location="${json.serviceProvider.acsUrl}"`);
    expect(metadata.text).toContain('WantAssertionsSigned="true"');
    expect(metadata.text).not.toContain('evil');
    const login = await server.call(`/auth/saml/login?tenant=${id}`, { headers });
    expect(login.status).toBe(302);
    expect(login.headers.get('location')).toMatch(
      /^https:\/\/idp\.example\.com\/saml\/sso\?realm=a%26b&SAMLRequest=/,
    );
  });

  it('the settings of SAML single sign-on require the permission, the feature and, for changes, a second factor', async () => {
    const viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    expect((await put(provider.settings, viewer)).json.code).toBe('FORBIDDEN');
    const unlicensed = await adminOf([]);
    expect((await put(provider.settings, unlicensed)).json.code).toBe('FEATURE_NOT_LICENSED');
    const weak = await adminOf(['sso'], ['pwd']);
    expect((await put(provider.settings, weak)).json.code).toBe('MFA_REQUIRED');
  });

  it('the settings of SAML single sign-on belong to one tenant', async () => {
    await put(provider.settings);
    const other = await adminOf(['sso']);
    expect((await server.call('/tenant/saml', { headers: other.session })).status).toBe(404);
    const reply = await server.call('/tenant/saml', { method: 'DELETE', headers: other.session });
    expect(reply.status).toBe(404);
    expect((await server.call('/tenant/saml', { headers: admin.session })).status).toBe(200);
  });

  it('the settings of SAML single sign-on remain one row after five concurrent saves', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => put(provider.settings)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('the settings of SAML single sign-on are audited when they change', async () => {
    const reply = await put(provider.settings);
    const [row] = await server.services.tenants.read(admin.tenant.id, (db) =>
      db.sql(
        { name: 'test-saml-audit', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
        [reply.headers.get('x-correlation-id')],
      ),
    );
    expect(row).toMatchObject({
      action: 'saml.settings_changed',
      outcome: 'success',
      subject: reply.json.id,
      detail: { entityId, emailDomains, defaultRole },
    });
  });
});

describe('a change of the identity provider', () => {
  const other = new TestIdentityProvider();
  const next = newCertificate({}).certificate;
  const { certificates: present } = provider.settings;

  /** What a member got from the provider in force, and whether it still works. */
  async function accessOf(chief: TestUser) {
    const member = await server.people.user({
      tenant: chief.tenant,
      role: 'viewer',
      amr: ['saml'],
    });
    const made = await server.call('/api-keys', {
      method: 'POST',
      headers: member.session,
      body: { name: 'made by the provider' },
    });
    const credentials = [member.session, { 'x-api-key': made.json.key }, member.key];
    return async () => {
      const statuses: number[] = [];
      for (const headers of credentials) {
        statuses.push((await server.call('/auth/me', { headers })).status);
      }
      return statuses;
    };
  }

  it.each<[string, object]>([
    ['another entity id', { entityId: 'https://other.example.com/saml' }],
    ['another address', { ssoUrl: 'https://other.example.com/sso' }],
    ['other certificates only', { certificates: other.settings.certificates }],
  ])(
    '%s ends the sessions of the identity provider and the keys made in them',
    async (_what, change) => {
      const chief = await adminOf(['sso']);
      await put(provider.settings, chief);
      const access = await accessOf(chief);
      expect(await access()).toEqual([200, 200, 200]);
      expect((await put({ ...provider.settings, ...change }, chief)).status).toBe(200);
      expect(await access()).toEqual([401, 401, 200]);
    },
  );

  it('a certificate beside one that stays ends no session of the identity provider, and neither does the removal of the old one', async () => {
    const chief = await adminOf(['sso']);
    await put(provider.settings, chief);
    const access = await accessOf(chief);
    for (const certificates of [[...present, next], [next]]) {
      expect((await put({ ...provider.settings, certificates }, chief)).status).toBe(200);
      expect(await access()).toEqual([200, 200, 200]);
    }
  });

  it('the removal of the identity provider ends its sessions and the keys made in them', async () => {
    const chief = await adminOf(['sso']);
    await put(provider.settings, chief);
    const access = await accessOf(chief);
    const headers = chief.session;
    expect((await server.call('/tenant/saml', { method: 'DELETE', headers })).status).toBe(204);
    expect(await access()).toEqual([401, 401, 200]);
  });
});

describe('the role of newcomers', () => {
  it.each([['admin'], ['no-such-role']])(
    'the role for new SAML members must not be %s',
    async (role) => {
      await expectUnfit({ ...provider.settings, defaultRole: role }, 'body.defaultRole');
    },
  );

  it('the role for new SAML members must not administer the tenant', async () => {
    const role = await server.people.role(admin.tenant, ['scans.read', 'admin.users']);
    await expectUnfit({ ...provider.settings, defaultRole: role }, 'body.defaultRole');
    const plain = await server.people.role(admin.tenant, ['scans.read']);
    expect((await put({ ...provider.settings, defaultRole: plain })).status).toBe(200);
  });

  it('the role for new SAML members must not have more permissions than the person who sets it', async () => {
    const clerk = await server.people.user({
      tenant: admin.tenant,
      role: ['admin.settings', 'admin.users', 'scans.read'],
      amr: ['pwd', 'otp'],
    });
    const reply = await put({ ...provider.settings, defaultRole: 'analyst' }, clerk);
    expect(reply.json).toMatchObject({ code: 'FORBIDDEN', permission: 'scans.launch' });
  });
});

describe('SAML settings are rejected with', () => {
  const { metadataXml } = provider;
  const past = new Date(Date.now() - 60_000);
  const pem = (options: Parameters<typeof newCertificate>[0]) =>
    newCertificate(options).certificate;

  it.each<[string, object, string]>([
    ['nothing at all', {}, 'body.entityId'],
    ['fields without an address', { entityId, certificates }, 'body.ssoUrl'],
    ['fields without certificates', { entityId, ssoUrl }, 'body.certificates'],
    ['fields and metadata at once', { metadataXml, entityId }, 'body.metadataXml'],
    [
      'an address that runs a script',
      { entityId, certificates, ssoUrl: 'javascript:alert(1)' },
      'body.ssoUrl',
    ],
    [
      'an http address',
      { entityId, certificates, ssoUrl: 'http://idp.example.com/' },
      'body.ssoUrl',
    ],
    [
      'an address with a password',
      { entityId, certificates, ssoUrl: 'https://u:p@idp.example.com/' },
      'body.ssoUrl',
    ],
    [
      'an address that is a path',
      { entityId, certificates, ssoUrl: '//evil.example' },
      'body.ssoUrl',
    ],
    [
      'an invalid certificate',
      { entityId, ssoUrl, certificates: ['aGVsbG8='] },
      'body.certificates.0',
    ],
    [
      'a certificate out of date',
      { entityId, ssoUrl, certificates: [pem({ to: past })] },
      'body.certificates.0',
    ],
    [
      'a short key',
      { entityId, ssoUrl, certificates: [pem({ bits: 1024 })] },
      'body.certificates.0',
    ],
    [
      'a key of another kind',
      { entityId, ssoUrl, certificates: [pem({ curve: 'P-256' })] },
      'body.certificates.0',
    ],
    [
      'a private key',
      { entityId, ssoUrl, certificates: [provider.certificate.privateKey] },
      'body.certificates.0',
    ],
    [
      'two certificates in one text',
      { entityId, ssoUrl, certificates: [certificates.join('') + certificates.join('')] },
      'body.certificates.0',
    ],
    ['text', { metadataXml: 'hello' }, 'body.metadataXml'],
    ['other XML', { metadataXml: '<a/>' }, 'body.metadataXml'],
    [
      'metadata with a document type',
      { metadataXml: `<!DOCTYPE a>${metadataXml}` },
      'body.metadataXml',
    ],
    [
      'metadata of two providers',
      { metadataXml: `<x>${metadataXml}${metadataXml}</x>` },
      'body.metadataXml',
    ],
    [
      'metadata out of date',
      {
        metadataXml: metadataXml.replace(
          'entityID=',
          `validUntil="${past.toISOString()}" entityID=`,
        ),
      },
      'body.metadataXml',
    ],
    [
      'metadata with a script for an address',
      {
        metadataXml: metadataXml.replace(
          'https://idp.example.com/saml/sso',
          'javascript:alert(1)//',
        ),
      },
      'body.metadataXml',
    ],
    [
      'metadata with an empty entity id',
      { metadataXml: metadataXml.replace(/entityID="[^"]*"/, 'entityID=""') },
      'body.metadataXml',
    ],
    [
      'metadata with an address that is too long',
      {
        metadataXml: metadataXml.replaceAll(
          'https://idp.example.com/saml/sso',
          `https://idp.example.com/${'s'.repeat(3000)}`,
        ),
      },
      'body.metadataXml',
    ],
    [
      'metadata without certificates',
      { metadataXml: metadataXml.replaceAll(/<KeyDescriptor[\s\S]*<\/KeyDescriptor>/g, '') },
      'body.metadataXml',
    ],
  ])('SAML settings with %s are rejected', async (_what, fields, path) => {
    await expectUnfit({ ...rules, ...fields }, path);
  });

  it('SAML metadata with an expired certificate beside a valid one is accepted with the valid one, and alone rejected with its date', async () => {
    const ended = new Date('2026-01-31T12:00:00Z');
    const old = newCertificate({ from: new Date(0), to: ended }).base64;
    const [key = ''] =
      /<KeyDescriptor use="signing">[\s\S]*?<\/KeyDescriptor>/.exec(metadataXml) ?? [];
    const expired = key.replace(provider.certificate.base64, old);
    expect(expired).toContain(old);
    const both = await put({ ...rules, metadataXml: metadataXml.replace(key, expired + key) });
    expect(both.json).toMatchObject({ certificates });
    const alone = await put({ ...rules, metadataXml: metadataXml.replace(key, expired) });
    const message = `contains a certificate that expired at ${ended.toISOString()}`;
    expect(alone.json).toMatchObject({ errors: [{ path: 'body.metadataXml', message }] });
  });

  it('SAML settings with missing or invalid domains are rejected', async () => {
    for (const domains of [[], ['*'], ['example.com/x'], ['@example.com'], ['com']]) {
      const reply = await put({ ...provider.settings, emailDomains: domains });
      expect(reply.status).toBe(400);
    }
  });
});

it('saving SAML metadata fetches no address that it refers to', async () => {
  let requests = 0;
  const trap = createServer((_req, res) => {
    requests += 1;
    res.end();
  }).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const at = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const named = provider.metadataXml
    .replace('https://idp.example.com/saml/sso', `${at}/sso`)
    .replace(
      '<EntityDescriptor',
      `<EntityDescriptor xsi:schemaLocation="${at}/x ${at}/y.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`,
    );
  expect((await put({ ...rules, metadataXml: named })).status).toBe(200);
  await put({ ...rules, metadataXml: `<!DOCTYPE a SYSTEM "${at}/dtd">${named}` });
  await put({ ...rules, metadataXml: `${at}/metadata` });
  await server.call(`/auth/saml/login?tenant=${admin.tenant.id}`);
  await server.call(`/auth/saml/metadata?tenant=${admin.tenant.id}`);
  expect(requests).toBe(0);
  trap.close();
});
