import { afterAll, beforeAll, expect, it } from 'vitest';
import { CookieJar } from '../../../../tests/kit/cookie-jar.ts';
import { googleForm, postGoogle } from '../../../../tests/kit/google-redirect.ts';
import { codeIn, postResponse } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';
import { newId } from '../../../platform/ids.ts';

const STATE = 'kX3v9Qm1_z7Rb5Lw-Nc8Yd';

let issuer: TokenIssuer;
let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await startTestServer({ issuer });
  sso = await SingleSignOn.start(server);
});

afterAll(async () => {
  await server.close();
  await issuer.close();
});

async function start(path: string, browser: CookieJar): Promise<string> {
  const reply = await server.call(path);
  browser.take(reply.headers);
  return reply.headers.get('location') ?? 'none:';
}

async function bySaml(browser: CookieJar, query = ''): Promise<Reply> {
  const address = await start(`/auth/saml/login?tenant=${sso.tenant.id}${query}`, browser);
  const request = await sso.provider.requestIn(address, server, sso.tenant);
  const said = { email: sso.address() };
  const response = await sso.provider.respond(request, said, server.clock.now());
  return postResponse(server, response, {}, browser);
}

async function byGoogle(browser: CookieJar, query = ''): Promise<Reply> {
  const address = new URL(await start(`/auth/google/login?${query.slice(1)}`, browser));
  const { state = '', nonce = '' } = Object.fromEntries(address.searchParams);
  const person = { sub: newId(), email: `${newId()}@example.com` };
  return postGoogle(server, await googleForm(server, { state, nonce }, person), browser);
}

it.each([
  ['SAML', bySaml],
  ['Google', byGoogle],
])(
  'a sign-in with %s returns the state that the page gave when it started the sign-in',
  async (_name, signIn) => {
    const browser = new CookieJar();
    const reply = await signIn(browser, `&state=${STATE}`);
    expect(reply.status).toBe(303);
    const { searchParams } = new URL(reply.headers.get('location') ?? 'none:');
    expect(Object.fromEntries(searchParams)).toEqual({ code: codeIn(reply), state: STATE });
    expect((await sso.exchange(codeIn(reply), browser)).status).toBe(200);
  },
);

it.each([
  ['SAML', bySaml],
  ['Google', byGoogle],
])('a sign-in with %s returns no state where the page gave none', async (_name, signIn) => {
  const reply = await signIn(new CookieJar());
  const { searchParams } = new URL(reply.headers.get('location') ?? 'none:');
  expect(Object.fromEntries(searchParams)).toEqual({ code: codeIn(reply) });
});

it.each(['short', 'a state with spaces in it', 'a'.repeat(65), '<script>alert(1)</script>'])(
  'a sign-in with the state "%s" is refused',
  async (state) => {
    const query = `state=${encodeURIComponent(state)}`;
    for (const path of [
      `/auth/saml/login?tenant=${sso.tenant.id}&${query}`,
      `/auth/google/login?${query}`,
    ]) {
      const reply = await server.call(path);
      expect(reply).toMatchObject({ status: 400, json: { errors: [{ path: 'query.state' }] } });
    }
  },
);
