import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeIn,
  postResponse,
  type Said,
  TestIdentityProvider,
} from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const provider = new TestIdentityProvider();
const EVIL = 'boss@corp.example.com';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server, provider);
});
afterAll(() => server.close());

/** A response of the honest provider, changed by `change`. */
async function altered(change: (xml: string) => string, said: Said = {}): Promise<Reply> {
  const request = await provider.request(server, sso.tenant);
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

describe('a manipulated SAML response is rejected', () => {
  const cut = (xml: string, from: string, to: string) => {
    const start = xml.indexOf(from);
    const end = xml.indexOf(to, start) + to.length;
    return { before: xml.slice(0, start), part: xml.slice(start, end), after: xml.slice(end) };
  };
  const assertionOf = (xml: string) => cut(xml, '<saml:Assertion', '</saml:Assertion>');
  const signatureOf = (xml: string) => cut(xml, '<ds:Signature', '</ds:Signature>');
  /** The attacker's assertion: altered content, no signature. */
  const evil = (assertion: string, id = '_evil') => {
    const { before, after } = signatureOf(assertion);
    return `${before}${after}`
      .replaceAll('ada@corp.example.com', EVIL)
      .replace(/ ID="[^"]*"/, ` ID="${id}"`);
  };
  const idOf = (assertion: string) => / ID="([^"]*)"/.exec(assertion)?.[1] ?? '';

  const wrappings: [string, (xml: string) => string][] = [
    ['with another address than was signed', (xml) => xml.replaceAll('ada@corp', 'boss@corp')],
    ['with a role that was not signed', (xml) => xml.replace('>admin<', '>owner<')],
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
      'with a transform that drops content',
      (xml) =>
        xml.replace(
          /(Transform Algorithm=")[^"]*/,
          '$1http://www.w3.org/TR/1999/REC-xpath-19991116',
        ),
    ],
    ['with a document type', (xml) => `<!DOCTYPE x>${xml}`],
    [
      'with entities that expand exponentially',
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
    ['that is not XML', () => 'hello'],
    ['that is cut short', (xml) => xml.slice(0, -20)],
    ['that is a request', (xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest')],
  ];

  it.each(wrappings)('a manipulated SAML response is rejected: %s', async (_what, change) => {
    const before = process.cpuUsage();
    expectRefused(await altered(change));
    // Expanding the entity would take minutes. CPU time does not depend on the load of the machine.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(15_000);
  });

  it('a SAML response whose own signature is invalid is rejected, although its assertion is valid', async () => {
    const change = (xml: string) => xml.replace(' Version="2.0"', ' Version="2.0" Consent="x"');
    expectRefused(await altered(change, { signed: 'both' }));
  });
});

it('a comment inside a signed address does not shorten the address', async () => {
  // Signatures ignore comments, so this response is accepted with the address that was signed.
  const reply = await altered((xml) => xml.replaceAll('ada@corp', 'ada<!-- -->@corp'));
  expect(reply.status).toBe(303);
  const { json } = await sso.exchange(codeIn(reply));
  const headers = { authorization: `Bearer ${json.accessToken}` };
  const me = await server.call('/auth/me', { headers });
  expect(me.json.user.email).toBe('ada@corp.example.com');
});
