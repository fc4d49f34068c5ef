import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../../../../tests/kit/cookie-jar.ts';
import { postResponse, type TestRequest } from '../../../../tests/kit/identity-provider.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../../../tests/kit/thread-cpu.ts';

const FORM = 'application/x-www-form-urlencoded';
const POLL_EVERY_MS = 100;
/** CPU time that the main thread may use during one health probe. Wall-clock time would depend on the machine. */
const PROBE_MS = 500;

let server: TestServer;
let sso: SingleSignOn;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
  admin = await server.people.user({ tenant: sso.tenant, amr: ['pwd', 'otp'] });
  // The first sign-in starts the thread, which must not be part of the measurement.
  expect((await sso.signIn()).status).toBe(303);
});
afterAll(() => server.close());

function many(count: number, one: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join('');
}

/** Hostile content to insert into an honest document. */
const CONTENTS: [what: string, content: () => string][] = [
  ['6,000 empty elements', () => '<a/>'.repeat(6_000)],
  ['20,000 empty elements', () => '<a/>'.repeat(20_000)],
  ['elements nested 10,000 deep', () => '<a>'.repeat(10_000) + '</a>'.repeat(10_000)],
  ['10,000 attributes on one element', () => `<a${many(10_000, (at) => ` a${at}="1"`)}/>`],
  ['10,000 attributes on 500 elements', () => `<a${many(20, (at) => ` a${at}="1"`)}/>`.repeat(500)],
  ['10,000 namespaces on one element', () => `<a${many(10_000, (at) => ` xmlns:n${at}="u"`)}/>`],
  [
    '4,000 namespaces on nested elements',
    () => many(4_000, (at) => `<a xmlns:n${at}="u${at}">`) + '</a>'.repeat(4_000),
  ],
  ['one long text', () => `<a>${'x'.repeat(150_000)}</a>`],
  ['30,000 character references', () => `<a>${'&#65;'.repeat(30_000)}</a>`],
  ['a long attribute value', () => `<a b="${'x'.repeat(150_000)}"/>`],
  ['20,000 comments', () => '<!---->'.repeat(20_000)],
  ['10,000 CDATA sections', () => '<![CDATA[]]>'.repeat(10_000)],
  ['10,000 processing instructions', () => '<?a b?>'.repeat(10_000)],
];

/** Content that an honest signature must not contain. */
const SIGNATURES: [what: string, change: (xml: string) => string][] = [
  ['300 References', (xml) => repeated(xml, 'Reference', 300)],
  ['800 Transforms', (xml) => repeated(xml, 'Transform', 800)],
  ['200 SignedInfos', (xml) => repeated(xml, 'SignedInfo', 40)],
  ['a long list of inclusive namespaces', (xml) => withPrefixList(xml, 'a '.repeat(60_000))],
];

function repeated(xml: string, name: string, count: number): string {
  const pattern = new RegExp(`<ds:${name}[ >][^]*?(</ds:${name}>|/>)`);
  return xml.replace(pattern, (part) => part.repeat(count));
}

function withPrefixList(xml: string, list: string): string {
  return xml.replace(
    /(<ds:Transform Algorithm="[^"]*exc-c14n#")\/>/,
    `$1><InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${list}"/></ds:Transform>`,
  );
}

/** A response of the honest provider to a pending request of this browser, changed by `change`. */
async function hostile(change: (xml: string) => string): Promise<string> {
  const request = await sso.provider.request(server, sso.tenant);
  return changed(request, change);
}

async function changed(request: TestRequest, change: (xml: string) => string): Promise<string> {
  const honest = await sso.provider.respond(request, {}, server.clock.now());
  const xml = change(Buffer.from(honest, 'base64').toString());
  return Buffer.from(xml).toString('base64');
}

const inAssertion = (content: string) => (xml: string) =>
  xml.replace('<saml:Subject>', `${content}<saml:Subject>`);

/** Sends health probes while `work` runs. @returns the longest CPU time during one probe. */
async function longestProbe<T>(work: Promise<T>): Promise<{ result: T; longestMs: number }> {
  let isOver = false;
  const settled = work.finally(() => {
    isOver = true;
  });
  let longestMs = 0;
  do {
    const askedAt = threadCpuMs();
    expect((await server.call('/health/live')).status).toBe(200);
    longestMs = Math.max(longestMs, threadCpuMs() - askedAt);
    await delay(POLL_EVERY_MS);
  } while (!isOver);
  return { result: await settled, longestMs };
}

describe('a SAML response to a pending request is refused while the service answers others', () => {
  it.each([
    ...CONTENTS.map(
      ([what, content]) => [what, (xml: string) => inAssertion(content())(xml)] as const,
    ),
    ...SIGNATURES,
  ])(
    'a SAML response with %s is refused while the service answers others',
    async (_what, change) => {
      const response = await hostile(change);
      const { result, longestMs } = await longestProbe(postResponse(server, response));
      // Responses that exceed the limit of the form are not read.
      expect([401, 413]).toContain(result.status);
      expect(longestMs).toBeLessThan(PROBE_MS);
    },
  );

  it('ten concurrent SAML responses at the size limit are refused while the service answers others', async () => {
    const content = `<a${many(2, (at) => ` a${at}="1"`)}>x</a>`.repeat(500);
    const responses: string[] = [];
    for (let count = 0; count < 10; count += 1) responses.push(await hostile(inAssertion(content)));
    const all = Promise.all(responses.map((response) => postResponse(server, response)));
    const { result, longestMs } = await longestProbe(all);
    // Four documents of one tenant may wait while one is processed.
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([401, 503]));
    for (const reply of result.filter(({ status }) => status === 503)) {
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(longestMs).toBeLessThan(PROBE_MS);
  });
});

describe('a SAML response to no pending request', () => {
  it.each(CONTENTS)(
    'a SAML response with %s to no pending request is rejected without being parsed',
    async (_what, content) => {
      const request = await sso.provider.request(server, sso.tenant);
      const unknown = { ...request, id: `_${'0'.repeat(40)}` };
      const response = await changed(unknown, inAssertion(content()));
      const { result, longestMs } = await longestProbe(postResponse(server, response));
      expect([401, 413]).toContain(result.status);
      expect(longestMs).toBeLessThan(PROBE_MS);
    },
  );
});

describe('the form of a SAML response', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', Buffer.from],
    ['identity, gzip', gzipSync],
  ])('a SAML response is refused with 415 when it is sent as %s', async (encoding, pack) => {
    const text = new URLSearchParams({ SAMLResponse: await hostile((xml) => xml) }).toString();
    const reply = await server.call('/auth/saml/acs', {
      method: 'POST',
      headers: { ...sharedBrowser.headers, 'content-type': FORM, 'content-encoding': encoding },
      body: pack(Buffer.from(text)),
    });
    expect(reply.json).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(reply.json.detail).toContain('Content-Encoding');
  });

  it('a SAML response is refused with 413 when it is larger than 256 KiB, and with 401 for 190 kB of base64', async () => {
    const responseOf = (size: number) => postResponse(server, 'A'.repeat(size));
    expect((await responseOf(300 * 1024)).status).toBe(413);
    const { result, longestMs } = await longestProbe(responseOf(190_000));
    expect(result.status).toBe(401);
    expect(longestMs).toBeLessThan(PROBE_MS);
  });
});

describe('metadata of an identity provider is refused while the service answers others', () => {
  it.each(CONTENTS.filter(([what]) => !/long|character/.test(what)))(
    'SAML metadata with %s is refused while the service answers others',
    async (_what, content) => {
      const { metadataXml, settings } = sso.provider;
      const xml = metadataXml.replace(
        '</EntityDescriptor>',
        `<Extensions>${content()}</Extensions></EntityDescriptor>`,
      );
      const { emailDomains, defaultRole } = settings;
      const put = server.call('/tenant/saml', {
        method: 'PUT',
        headers: admin.session,
        body: { emailDomains, defaultRole, metadataXml: xml },
      });
      const { result, longestMs } = await longestProbe(put);
      expect({ status: result.status, path: result.json.errors?.[0]?.path }).toEqual({
        status: 400,
        path: 'body.metadataXml',
      });
      expect(longestMs).toBeLessThan(PROBE_MS);
    },
  );
});
