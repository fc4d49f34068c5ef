import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieJar } from '../../tests/kit/cookie-jar.ts';
import { beginGoogle, googleForm, postGoogle } from '../../tests/kit/google-redirect.ts';
import { codeIn } from '../../tests/kit/identity-provider.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../tests/kit/token-issuer.ts';
import { newId } from '../platform/ids.ts';

let issuer: TokenIssuer;
let server: TestServer;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await startTestServer({ issuer });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

/** What a browser sends when it opens a page. */
const PAGE = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const somebody = () => ({ sub: newId(), email: `${newId()}@example.com` });

describe('a refusal that a person sees', () => {
  const location = (reply: Reply) => new URL(reply.headers.get('location') ?? 'none:');

  it('a refused browser navigation leads to the callback page with the problem code and no data of the request', async () => {
    const sent = 'state=%3Cb%3E&error=%3Cscript%3E';
    const reply = await postGoogle(server, sent, new CookieJar(), { headers: PAGE });
    expect(reply.status).toBe(303);
    expect(reply.text).toBe('');
    expect(reply.headers.get('vary')).toContain('Accept');
    expect(location(reply).origin + location(reply).pathname).toBe(`${server.url}/auth/callback`);
    expect(Object.fromEntries(location(reply).searchParams)).toEqual({
      error: 'INVALID_TOKEN',
      correlationId: reply.headers.get('x-correlation-id'),
    });
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['a malformed form', 'state=a&state=b', {}, 'VALIDATION_FAILED'],
    ['a form that is too large', `state=${'x'.repeat(300_000)}`, {}, 'PAYLOAD_TOO_LARGE'],
    ['a compressed form', 'state=a', { 'content-encoding': 'gzip' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['JSON', '{}', { 'content-type': 'application/json' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ])(
    '%s in a browser navigation leads to the callback page',
    async (_what, body, headers, code) => {
      const call = { headers: { ...PAGE, ...headers } };
      const reply = await postGoogle(server, body, new CookieJar(), call);
      expect(reply.status).toBe(303);
      expect(location(reply).searchParams.get('error')).toBe(code);
    },
  );

  it('a browser navigation beyond the rate limit leads to the callback page', async () => {
    const call = { headers: PAGE, ip: '192.0.2.77' };
    const codes: (string | null)[] = [];
    for (let count = 0; count < 11; count += 1) {
      const reply = await postGoogle(server, 'state=a&id_token=b', new CookieJar(), call);
      codes.push(location(reply).searchParams.get('error'));
    }
    expect(codes).toEqual([...Array(10).fill('INVALID_TOKEN'), 'RATE_LIMITED']);
  });

  it('a browser navigation leads to the callback page when the keys of Google cannot be fetched', async () => {
    issuer.misbehave = (_req, res) => res.writeHead(500).end();
    const fresh = await startTestServer({ issuer, database: server.database });
    const browser = new CookieJar();
    const form = await googleForm(fresh, await beginGoogle(fresh, browser), somebody());
    const reply = await postGoogle(fresh, form, browser, { headers: PAGE });
    expect(location(reply).searchParams.get('error')).toBe('SERVICE_UNAVAILABLE');
    issuer.misbehave = null;
    // The sign-in is not spent.
    expect(codeIn(await postGoogle(fresh, form, browser))).not.toBe('');
    await fresh.close();
  });

  it.each([
    ['/auth/google/login', 'GET', 302, 'INVALID_CREDENTIALS'],
    [`/auth/saml/login?tenant=${newId()}`, 'GET', 302, 'NOT_FOUND'],
    ['/auth/saml/acs', 'POST', 303, 'INVALID_CREDENTIALS'],
  ])(
    'a refused browser navigation leads to the callback page from %s',
    async (path, method, status, code) => {
      const plain = await startTestServer({ database: server.database });
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = method === 'POST' ? { body: 'SAMLResponse=PHNhbWxwOlJlc3BvbnNlLz4%3D' } : {};
      const headers = { ...PAGE, ...(method === 'POST' ? type : {}) };
      const reply = await plain.call(path, { method, headers, ...body });
      expect(reply.status).toBe(status);
      expect(location(reply).searchParams.get('error')).toBe(code);
      await plain.close();
    },
  );

  it('a program that sends to the routes of a browser navigation gets a problem document', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const call = { headers: { accept } };
      const reply = await postGoogle(server, 'state=a&id_token=b', new CookieJar(), call);
      expect(reply.json).toMatchObject({ code: 'INVALID_TOKEN' });
    }
  });
});
