import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeIn } from '../../tests/kit/identity-provider.ts';
import { forOperator } from '../../tests/kit/server-process.ts';
import { SingleSignOn } from '../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { runAdmin } from './run.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function license(tenantId: string, list: string): Promise<void> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const words = ['features', tenantId, list];
  expect(await runAdmin(words, forOperator(server.database), { out, err })).toBe(0);
}

const statusOf = async (headers: Record<string, string>) =>
  (await server.call('/auth/me', { headers })).status;

/** A session that the identity provider opened, and an API key that was made in it. */
async function entered(sso: SingleSignOn) {
  const { session } = await sso.enter({ email: sso.address() });
  const call = { method: 'POST', headers: session, body: { name: 'made by the provider' } };
  const made = await server.call('/api-keys', call);
  expect(made.status).toBe(201);
  return [session, { 'x-api-key': made.json.key as string }];
}

describe('npm run admin features', () => {
  it('npm run admin features without sso ends the sessions that the identity provider opened, and revokes their API keys', async () => {
    const [sso, other] = [await SingleSignOn.start(server), await SingleSignOn.start(server)];
    const opened = await entered(sso);
    const pending = codeIn(await sso.signIn({ email: sso.address() }));
    const admin = await server.people.user({ tenant: sso.tenant });
    const kept = [admin.session, admin.key, ...(await entered(other))];
    await license(sso.tenant.id, 'custom_rules');
    expect(await Promise.all(opened.map(statusOf))).toEqual([401, 401]);
    expect((await sso.exchange(pending)).json.code).toBe('INVALID_TOKEN');
    expect(await Promise.all(kept.map(statusOf))).toEqual([200, 200, 200, 200]);
    await license(sso.tenant.id, 'sso');
    expect(await Promise.all(opened.map(statusOf))).toEqual([401, 401]);
    expect((await sso.exchange(pending)).json.code).toBe('INVALID_TOKEN');
    expect(await Promise.all((await entered(sso)).map(statusOf))).toEqual([200, 200]);
  });

  it('npm run admin features with sso ends no session', async () => {
    const sso = await SingleSignOn.start(server);
    const opened = await entered(sso);
    await license(sso.tenant.id, 'sso,custom_rules');
    expect(await Promise.all(opened.map(statusOf))).toEqual([200, 200]);
  });
});

describe('a tenant that has lost the feature sso', () => {
  it('a tenant that has lost the feature sso can still delete its provider and its domains, and nothing else of it', async () => {
    const sso = await SingleSignOn.start(server);
    const admin = await server.people.user({ tenant: sso.tenant, amr: ['pwd', 'otp'] });
    const ask = async (method: string, path: string) => {
      const reply = await server.call(path, { method, headers: admin.session });
      return reply.json?.code ?? reply.status;
    };
    await sso.sql("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [sso.tenant.id]);
    const domain = `/tenant/domains/${sso.provider.domain}`;
    expect(await ask('GET', '/tenant/saml')).toBe('FEATURE_NOT_LICENSED');
    expect(await ask('PUT', '/tenant/saml')).toBe('FEATURE_NOT_LICENSED');
    expect(await ask('GET', '/tenant/domains')).toBe('FEATURE_NOT_LICENSED');
    expect(await ask('POST', `${domain}/verify`)).toBe('FEATURE_NOT_LICENSED');
    expect(await ask('DELETE', domain)).toBe(204);
    expect(await ask('DELETE', domain)).toBe('NOT_FOUND');
    expect(await ask('DELETE', '/tenant/saml')).toBe(204);
    expect(await ask('DELETE', '/tenant/saml')).toBe('NOT_FOUND');
  });
});
