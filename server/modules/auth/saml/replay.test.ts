import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postResponse, TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
/** A second instance on the same database. */
let instance: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  const config = { webUrl: 'https://posture.example.com' };
  server = await startTestServer({ config });
  instance = await startTestServer({ config, database: server.database });
  sso = await SingleSignOn.start(server, provider);
});
afterAll(async () => {
  await instance.close();
  await server.close();
});

function expectRefused(reply: Reply): void {
  expect({ status: reply.status, code: reply.json?.code }).toEqual({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect(reply.headers.get('location')).toBeNull();
}

describe('a SAML response', () => {
  it('a SAML response may arrive at another instance than the one that sent the request', async () => {
    const request = await provider.request(server, sso.tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    expect((await postResponse(instance, response)).status).toBe(303);
  });

  it('a SAML response is rejected when used a second time', async () => {
    const request = await provider.request(server, sso.tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    expect((await postResponse(server, response)).status).toBe(303);
    expectRefused(await postResponse(server, response));
    expectRefused(await postResponse(instance, response));
  });

  it('a SAML response opens one session when used three times concurrently on two instances', async () => {
    const request = await provider.request(server, sso.tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    const replies = await Promise.all(
      [server, instance, server].map((one) => postResponse(one, response)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
  });

  it('a SAML response is rejected under another request, even when the provider signs it again', async () => {
    const assertionId = '_once';
    expect((await sso.signIn({ assertionId })).status).toBe(303);
    expectRefused(await sso.signIn({ assertionId }));
  });
});

describe('SAML of two tenants', () => {
  it('a SAML response for another tenant is rejected, although both tenants trust one provider', async () => {
    const other = await SingleSignOn.start(server, provider);
    const theirs = await provider.request(server, other.tenant);
    const ours = await provider.request(server, sso.tenant);
    const response = await provider.respond(ours, {}, server.clock.now());
    const xml = Buffer.from(response, 'base64').toString();
    const moved = xml.replace(`InResponseTo="${ours.id}"`, `InResponseTo="${theirs.id}"`);
    expectRefused(await postResponse(server, Buffer.from(moved).toString('base64')));
    const relabelled = { ...theirs, audience: ours.audience };
    expectRefused(
      await postResponse(server, await provider.respond(relabelled, {}, server.clock.now())),
    );
  });

  it('a SAML response to a request of another tenant is rejected', async () => {
    const rogue = new TestIdentityProvider();
    const request = await provider.request(server, sso.tenant);
    expectRefused(await postResponse(server, await rogue.respond(request, {}, server.clock.now())));
  });
});

describe('a SAML form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (body: string, headers: Record<string, string> = form) =>
    server.call('/auth/saml/acs', { method: 'POST', headers, body });

  it.each([
    ['is missing the response', 'RelayState=x'],
    ['has two responses', 'SAMLResponse=YQ%3D%3D&SAMLResponse=YQ%3D%3D'],
    ['has too many members', `SAMLResponse=YQ%3D%3D${'&a=1'.repeat(40)}`],
    ['is empty', ''],
  ])('a SAML form is rejected with 400 when it %s', async (_what, body) => {
    expect((await post(body)).status).toBe(400);
  });

  it('a SAML form is rejected with 413 when it exceeds 256 KiB', async () => {
    expect((await post(`SAMLResponse=${'a'.repeat(256 * 1024)}`)).status).toBe(413);
  });

  it('a SAML form is rejected with 401 when its response is not base64', async () => {
    for (const text of [
      '%',
      '!!!!',
      'not base64 at all',
      Buffer.from([0xff, 0xfe]).toString('base64'),
    ]) {
      expectRefused(await post(new URLSearchParams({ SAMLResponse: text }).toString()));
    }
  });
});
