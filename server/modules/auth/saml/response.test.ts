import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../../tests/kit/certificate.ts';
import {
  codeIn,
  postResponse,
  RSA_SHA1,
  type Said,
  TestIdentityProvider,
} from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
const MINUTE_MS = 60_000;

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer({ config: { webUrl: 'https://posture.example.com' } });
  sso = await SingleSignOn.start(server, provider);
});
afterAll(() => server.close());

function inMs(ms: number): Date {
  return new Date(server.clock.now().getTime() + ms);
}

function expectRefused(reply: Reply): void {
  expect({ status: reply.status, code: reply.json?.code }).toEqual({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect(reply.headers.get('location')).toBeNull();
}

describe('a SAML response is accepted', () => {
  it('a signed SAML assertion is accepted, with or without a signature on the response', async () => {
    for (const signed of ['assertion', 'both'] as const) {
      const reply = await sso.signIn({ signed });
      expect(reply.status).toBe(303);
      expect(codeIn(reply)).toMatch(/^[\w-]{43}$/);
      expect(await sso.trailOf(reply)).toEqual([['auth.saml', 'success', undefined]]);
    }
  });

  it('a SAML response is accepted when the clocks differ by 50 s in either direction', async () => {
    for (const ms of [50_000, -50_000]) {
      const issuedAt = inMs(ms);
      const notOnOrAfter = inMs(ms < 0 ? ms : MINUTE_MS * 5);
      expect((await sso.signIn({ issuedAt, notOnOrAfter })).status).toBe(303);
    }
  });

  it('a SAML response is accepted in a form with further fields, which are ignored', async () => {
    const request = await provider.request(server, sso.tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    const reply = await postResponse(server, response, { next: '/evil', SigAlg: 'none' });
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).not.toContain('evil');
  });

  it('a SAML response redirects to the same page for every RelayState', async () => {
    for (const RelayState of ['https://evil.example', '//evil.example', 'javascript:alert(1)']) {
      const request = await provider.request(server, sso.tenant);
      const response = await provider.respond(request, {}, server.clock.now());
      const reply = await postResponse(server, response, { RelayState });
      expect(reply.headers.get('location')).toMatch(
        /^https:\/\/posture\.example\.com\/auth\/callback\?code=[\w-]{43}$/,
      );
    }
  });
});

describe('a SAML response is rejected', () => {
  const stranger = newCertificate();

  const said: [string, () => Said][] = [
    ['unsigned', () => ({ signed: 'none' })],
    ['signed as a whole, without its assertion', () => ({ signed: 'response' })],
    ['signed with another key', () => ({ key: stranger })],
    ['signed with SHA-1', () => ({ algorithm: RSA_SHA1 })],
    ['for another audience', () => ({ audience: 'https://other.example.com' })],
    ['for another recipient', () => ({ recipient: 'https://other.example.com/auth/saml/acs' })],
    ['for another destination', () => ({ destination: 'https://other.example.com/acs' })],
    [
      'from another issuer in its signed part only',
      () => ({ issuer: 'https://other-idp.example.com', responseIssuer: provider.entityId }),
    ],
    ['from another issuer, with the same key', () => ({ issuer: 'https://other-idp.example.com' })],
    ['to an unknown request', () => ({ inResponseTo: '_never' })],
    ['to no request in its signed part', () => ({ confirmedRequest: null })],
    ['to another request in its signed part', () => ({ confirmedRequest: '_other' })],
    [
      'after its validity',
      () => ({ issuedAt: inMs(-2 * MINUTE_MS), notOnOrAfter: inMs(-MINUTE_MS) }),
    ],
    ['before its validity', () => ({ notBefore: inMs(2 * MINUTE_MS) })],
    ['issued long ago', () => ({ issuedAt: inMs(-7 * MINUTE_MS), notOnOrAfter: inMs(3_600_000) })],
    ['issued in the future', () => ({ issuedAt: inMs(2 * MINUTE_MS), notBefore: inMs(0) })],
    ['without conditions', () => ({ conditions: false })],
    ['with an unknown condition', () => ({ condition: '<saml:Condition/>' })],
    ['that reports a failure', () => ({ status: 'Responder' })],
    [
      'with a transient name',
      () => ({
        email: 'new@corp.example.com',
        nameId: 'x',
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
      }),
    ],
    ['with an address outside of the domains', () => ({ email: 'ada@other.example.com' })],
    [
      'with an address that ends like one of the domains',
      () => ({ email: 'ada@evilcorp.example.com' }),
    ],
    ['with an address of a subdomain', () => ({ email: 'ada@sub.corp.example.com' })],
    [
      'with a KELVIN SIGN in place of the letter k of an address',
      () => ({ email: 'boo\u212a@corp.example.com', nameId: 'kelvin' }),
    ],
    ['with an invalid address', () => ({ email: 'ada@evil.example@corp.example.com' })],
  ];

  it.each(said)('a SAML response %s is rejected', async (_what, how) => {
    const reply = await sso.signIn(how());
    expectRefused(reply);
  });

  it('a rejected SAML response is audited with provider and reason', async () => {
    const reply = await sso.signIn({ key: stranger });
    expect(await sso.trailOf(reply)).toEqual([['auth.saml', 'failure', 'assertion']]);
  });

  it('a SAML response is rejected ten minutes after the request', async () => {
    const request = await provider.request(server, sso.tenant);
    server.clock.advance({ minutes: 10 });
    expectRefused(
      await postResponse(server, await provider.respond(request, {}, server.clock.now())),
    );
  });
});

it('the times of a SAML response are checked by the server clock only', async () => {
  const systemTime = new Date();
  server.clock.advance({ days: 1 });
  expect((await sso.signIn({ nameId: 'clock', email: 'clock@corp.example.com' })).status).toBe(303);
  const request = await provider.request(server, sso.tenant);
  expectRefused(await postResponse(server, await provider.respond(request, {}, systemTime)));
});
