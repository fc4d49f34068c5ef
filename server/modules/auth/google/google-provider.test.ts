import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types.
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

const CLIENT = 'posture-client';
const REDIRECT = 'http://127.0.0.1:1/callback';

let listener: Server;
let issuer: string;
let server: TestServer;

beforeAll(async () => {
  listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT],
        application_type: 'native',
      },
    ],
    // Put the address into the ID token, as Google does.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@example.com`,
        email_verified: sub !== 'eve',
        name: sub,
      }),
    }),
    cookies: { keys: ['only in this test'] },
  });
  listener.on('request', provider.callback());
  server = await startTestServer({
    config: { google: { clientId: CLIENT, issuer, authUrl: null } },
  });
});

afterAll(async () => {
  await server.close();
  listener.closeAllConnections();
  listener.close();
});

/** Follows redirects, keeps cookies and fills in the provider's forms, as a browser does. */
async function idTokenOf(login: string, nonce: string): Promise<string> {
  const cookies = new Map<string, string>();
  const verifier = randomBytes(32).toString('base64url');
  const search = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email profile',
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let at = `${issuer}/auth?${search}`;
  let form: URLSearchParams | null = null;
  while (!at.startsWith(REDIRECT)) {
    const response: Response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location: string | null = response.headers.get('location');
    const page: string = await response.text();
    form =
      location === null
        ? new URLSearchParams({ prompt: promptOn(page), login, password: 'x' })
        : null;
    at = new URL(location ?? at, at).href;
  }
  const code = new URL(at).searchParams.get('code') ?? '';
  const tokens = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      code,
    }),
  });
  return (await tokens.json()).id_token;
}

function promptOn(page: string): string {
  const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
  if (prompt === undefined) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`);
  return prompt;
}

it('an ID token of a real OpenID provider signs in, and the next one reaches the same account', async () => {
  const signIn = async () => {
    const nonce = randomBytes(16).toString('base64url');
    const body = { credential: await idTokenOf('ada', nonce), nonce };
    const reply = await server.call('/auth/google', { method: 'POST', body });
    expect(reply.status).toBe(200);
    const headers = { authorization: `Bearer ${reply.json.accessToken}` };
    return (await server.call('/auth/me', { headers })).json;
  };
  const first = await signIn();
  expect(first.user).toMatchObject({ email: 'ada@example.com', emailVerified: true });
  expect((await signIn()).user.id).toBe(first.user.id);
});

it('an ID token for an unverified address is rejected', async () => {
  const body = { credential: await idTokenOf('eve', 'a-nonce-of-the-page') };
  const reply = await server.call('/auth/google', { method: 'POST', body });
  expect(reply.json.code).toBe('INVALID_CREDENTIALS');
});
