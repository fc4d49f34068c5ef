import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Belongings } from '../../testing/belongings.ts';
import { newCertificate } from '../../testing/certificate.ts';
import {
  codeIn,
  postResponse,
  RSA_SHA1,
  type Said,
  TestIdentityProvider,
} from '../../testing/identity-provider.ts';
import type { TestTenant } from '../../testing/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../testing/test-server.ts';

const provider = new TestIdentityProvider();
const MINUTE_MS = 60_000;
const EVIL = 'boss@corp.example.com';

let server: TestServer;
/** Another instance on the same database. */
let instance: TestServer;
let tenant: TestTenant;

beforeAll(async () => {
  const config = { webUrl: 'https://posture.example.com' };
  server = await startTestServer({ config });
  instance = await startTestServer({ config, database: server.database });
  tenant = await server.people.tenant(['sso']);
  await new Belongings(server.services, server.database, tenant).samlConnection(provider);
});

afterAll(async () => {
  await instance.close();
  await server.close();
});

function inMs(ms: number): Date {
  return new Date(server.clock.now().getTime() + ms);
}

/** A response of the honest provider, taken apart and put together again. */
async function altered(change: (xml: string) => string, said: Said = {}): Promise<Reply> {
  const request = await provider.request(server, tenant);
  const honest = await provider.respond(request, said, server.clock.now());
  const xml = change(Buffer.from(honest, 'base64').toString());
  return postResponse(server, Buffer.from(xml).toString('base64'));
}

function expectRefused(reply: Reply): void {
  expect({ status: reply.status, code: reply.json?.code }).toEqual({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect(reply.headers.get('location')).toBeNull();
}

async function auditOf(correlationId: string | null) {
  const [row] = await server.services.tenants.read(tenant.id, (db) =>
    db.sql(
      { name: 'test-audit-saml', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
      [correlationId],
    ),
  );
  return row;
}

describe('a response is taken', () => {
  it('when it is honest, be its assertion signed or both', async () => {
    for (const signed of ['assertion', 'both'] as const) {
      const reply = await provider.signIn(server, tenant, { signed });
      expect(reply.status).toBe(303);
      expect(codeIn(reply)).toMatch(/^[\w-]{43}$/);
      expect(await auditOf(reply.headers.get('x-correlation-id'))).toMatchObject({
        action: 'auth.saml',
        outcome: 'success',
      });
    }
  });

  it('when the clocks are 50 s apart, either way', async () => {
    for (const ms of [50_000, -50_000]) {
      const issuedAt = inMs(ms);
      const notOnOrAfter = inMs(ms < 0 ? ms : MINUTE_MS * 5);
      expect((await provider.signIn(server, tenant, { issuedAt, notOnOrAfter })).status).toBe(303);
    }
  });

  it('on another instance than the one that the request went out from', async () => {
    const request = await provider.request(server, tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    expect((await postResponse(instance, response)).status).toBe(303);
  });

  it('and whatever RelayState says, leads to the same page of the web application', async () => {
    for (const RelayState of ['https://evil.example', '//evil.example', 'javascript:alert(1)']) {
      const request = await provider.request(server, tenant);
      const response = await provider.respond(request, {}, server.clock.now());
      const reply = await postResponse(server, response, { RelayState });
      expect(reply.headers.get('location')).toMatch(
        /^https:\/\/posture\.example\.com\/auth\/callback\?code=[\w-]{43}$/,
      );
    }
  });
});

describe('a response is refused', () => {
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
      'from another issuer in its signed part alone',
      () => ({ issuer: 'https://other-idp.example.com', responseIssuer: provider.entityId }),
    ],
    ['from another issuer, with the same key', () => ({ issuer: 'https://other-idp.example.com' })],
    ['to a request that never was', () => ({ inResponseTo: '_never' })],
    ['to no request in its signed part', () => ({ confirmedRequest: null })],
    ['to another request in its signed part', () => ({ confirmedRequest: '_other' })],
    ['after its time', () => ({ issuedAt: inMs(-2 * MINUTE_MS), notOnOrAfter: inMs(-MINUTE_MS) })],
    ['before its time', () => ({ notBefore: inMs(2 * MINUTE_MS) })],
    ['issued long ago', () => ({ issuedAt: inMs(-7 * MINUTE_MS), notOnOrAfter: inMs(3_600_000) })],
    ['issued in the future', () => ({ issuedAt: inMs(2 * MINUTE_MS), notBefore: inMs(0) })],
    ['without conditions', () => ({ conditions: false })],
    ['that reports a failure', () => ({ status: 'Responder' })],
    [
      'of a passing name',
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
    ['with an address of a domain below', () => ({ email: 'ada@sub.corp.example.com' })],
    ['with what is no address', () => ({ email: 'ada@evil.example@corp.example.com' })],
  ];

  it.each(said)('%s', async (_what, how) => {
    const reply = await provider.signIn(server, tenant, how());
    expectRefused(reply);
  });

  it('and the trail says by whom and why', async () => {
    const reply = await provider.signIn(server, tenant, { key: stranger });
    expect(await auditOf(reply.headers.get('x-correlation-id'))).toMatchObject({
      action: 'auth.saml',
      outcome: 'failure',
      detail: { reason: 'assertion' },
    });
  });

  const cut = (xml: string, from: string, to: string) => {
    const start = xml.indexOf(from);
    const end = xml.indexOf(to, start) + to.length;
    return { before: xml.slice(0, start), part: xml.slice(start, end), after: xml.slice(end) };
  };
  const assertionOf = (xml: string) => cut(xml, '<saml:Assertion', '</saml:Assertion>');
  const signatureOf = (xml: string) => cut(xml, '<ds:Signature', '</ds:Signature>');
  /** The assertion as somebody else would like it, without its signature. */
  const evil = (assertion: string, id = '_evil') => {
    const { before, after } = signatureOf(assertion);
    return `${before}${after}`
      .replaceAll('ada@corp.example.com', EVIL)
      .replace(/ ID="[^"]*"/, ` ID="${id}"`);
  };
  const idOf = (assertion: string) => / ID="([^"]*)"/.exec(assertion)?.[1] ?? '';

  const wrappings: [string, (xml: string) => string][] = [
    ['with another address than was signed', (xml) => xml.replaceAll('ada@corp', 'boss@corp')],
    ['with a role than was not signed', (xml) => xml.replace('>admin<', '>owner<')],
    [
      'with a forged assertion before the signed one',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        return before + evil(part) + part + after;
      },
    ],
    [
      'with a forged assertion after the signed one',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        return before + part + evil(part) + after;
      },
    ],
    [
      'with the signed assertion moved into extensions',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        return `${before.replace('<samlp:Status>', `<samlp:Extensions>${part}</samlp:Extensions><samlp:Status>`)}${evil(part)}${after}`;
      },
    ],
    [
      'with a forged assertion of the same id',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        return before + evil(part, idOf(part)) + part + after;
      },
    ],
    [
      'with the signed assertion inside the signature of a forged one',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        const signature = signatureOf(part);
        const wrapped = signature.part.replace(
          '</ds:Signature>',
          `<ds:Object>${signature.before}${signature.after}</ds:Object></ds:Signature>`,
        );
        return before + evil(part).replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`) + after;
      },
    ],
    [
      'with the signed assertion inside a forged one',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        return before + evil(part).replace('</saml:Assertion>', `${part}</saml:Assertion>`) + after;
      },
    ],
    [
      'with the signed response inside a forged one',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        const original = xml.replace(/^<\?xml[^>]*>/, '');
        return `${before.replace('<samlp:Status>', `<samlp:Extensions>${original}</samlp:Extensions><samlp:Status>`)}${evil(part)}${after}`;
      },
    ],
    [
      'with its signature moved to the response',
      (xml) => {
        const { before, part, after } = assertionOf(xml);
        const signature = signatureOf(part);
        return `${before.replace('<samlp:Status>', `${signature.part}<samlp:Status>`)}${evil(part, idOf(part))}${after}`;
      },
    ],
    [
      'with two signatures',
      (xml) => {
        const { part } = signatureOf(xml);
        return xml.replace(part, part + part);
      },
    ],
    [
      'with a digest by SHA-1',
      (xml) =>
        xml.replace(/(DigestMethod Algorithm=")[^"]*/, '$1http://www.w3.org/2000/09/xmldsig#sha1'),
    ],
    [
      'signed with a shared secret',
      (xml) =>
        xml.replace(
          /(SignatureMethod Algorithm=")[^"]*/,
          '$1http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
    ],
    [
      'with a transform that leaves things out',
      (xml) =>
        xml.replace(
          /(Transform Algorithm=")[^"]*/,
          '$1http://www.w3.org/TR/1999/REC-xpath-19991116',
        ),
    ],
    ['with a document type', (xml) => `<!DOCTYPE x>${xml}`],
    [
      'with entities that grow',
      (xml) =>
        `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(999)}">${'bcdefgh'
          .split('')
          .map((n, i) => `<!ENTITY ${n} "${`&${'abcdefg'[i]};`.repeat(99)}">`)
          .join('')}]>${xml.replace('ada@', '&h;ada@')}`,
    ],
    [
      'with an entity from a file',
      (xml) =>
        `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${xml.replace('ada@', '&f;ada@')}`,
    ],
    ['that is no XML', () => 'hello'],
    ['that is cut short', (xml) => xml.slice(0, -20)],
    ['that is a request', (xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest')],
  ];

  it.each(wrappings)('%s', async (_what, change) => {
    const startedAt = performance.now();
    expectRefused(await altered(change));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('also where the response is signed besides, and only that signature is bad', async () => {
    const change = (xml: string) => xml.replace(' Version="2.0"', ' Version="2.0" Consent="x"');
    expectRefused(await altered(change, { signed: 'both' }));
  });

  it('and a comment inside a signed address does not shorten it', async () => {
    // Comments are no part of what is signed, so this one goes through as the address that was signed.
    const reply = await altered((xml) => xml.replaceAll('ada@corp', 'ada<!-- -->@corp'));
    expect(reply.status).toBe(303);
    const body = { code: codeIn(reply) };
    const { json } = await server.call('/auth/exchange', { method: 'POST', body });
    const me = await server.call('/auth/me', {
      headers: { authorization: `Bearer ${json.accessToken}` },
    });
    expect(me.json.user.email).toBe('ada@corp.example.com');
  });

  it('when it comes ten minutes after the request', async () => {
    const request = await provider.request(server, tenant);
    server.clock.advance({ minutes: 10 });
    expectRefused(
      await postResponse(server, await provider.respond(request, {}, server.clock.now())),
    );
  });
});

describe('of one response', () => {
  it('a second use is refused', async () => {
    const request = await provider.request(server, tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    expect((await postResponse(server, response)).status).toBe(303);
    expectRefused(await postResponse(server, response));
    expectRefused(await postResponse(instance, response));
  });

  it('three uses at once, on two instances, open one session', async () => {
    const request = await provider.request(server, tenant);
    const response = await provider.respond(request, {}, server.clock.now());
    const replies = await Promise.all(
      [server, instance, server].map((one) => postResponse(one, response)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
  });

  it('the assertion is refused under another request, even when the provider signs it again', async () => {
    const assertionId = '_once';
    expect((await provider.signIn(server, tenant, { assertionId })).status).toBe(303);
    expectRefused(await provider.signIn(server, tenant, { assertionId }));
  });
});

describe('between tenants', () => {
  it('a response for one is none for the other, although both trust one provider', async () => {
    const other = await server.people.tenant(['sso']);
    await new Belongings(server.services, server.database, other).samlConnection(provider);
    const theirs = await provider.request(server, other);
    const ours = await provider.request(server, tenant);
    const response = await provider.respond(ours, {}, server.clock.now());
    const xml = Buffer.from(response, 'base64').toString();
    const moved = xml.replace(`InResponseTo="${ours.id}"`, `InResponseTo="${theirs.id}"`);
    expectRefused(await postResponse(server, Buffer.from(moved).toString('base64')));
    const relabelled = { ...theirs, audience: ours.audience };
    expectRefused(
      await postResponse(server, await provider.respond(relabelled, {}, server.clock.now())),
    );
  });

  it("a tenant's provider answers no request of another tenant", async () => {
    const rogue = new TestIdentityProvider();
    const request = await provider.request(server, tenant);
    expectRefused(await postResponse(server, await rogue.respond(request, {}, server.clock.now())));
  });
});

describe('the form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (body: string, headers: Record<string, string> = form) =>
    server.call('/auth/saml/acs', { method: 'POST', headers, body });

  it.each([
    ['is missing the response', 'RelayState=x'],
    ['has two responses', 'SAMLResponse=YQ%3D%3D&SAMLResponse=YQ%3D%3D'],
    ['has something else besides', 'SAMLResponse=YQ%3D%3D&next=%2Fevil'],
    ['has too many members', `SAMLResponse=YQ%3D%3D${'&a=1'.repeat(40)}`],
    ['is empty', ''],
  ])('that %s is 400', async (_what, body) => {
    expect((await post(body)).status).toBe(400);
  });

  it('of more than 256 KiB is 413', async () => {
    expect((await post(`SAMLResponse=${'a'.repeat(256 * 1024)}`)).status).toBe(413);
  });

  it('whose response is nothing in base64 is 401', async () => {
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
