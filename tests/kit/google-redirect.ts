import { type CookieJar, sharedBrowser } from './cookie-jar.ts';
import type { Call, Reply, TestServer } from './test-server.ts';

/** The request that a browser takes to Google. */
export interface GoogleRequest {
  readonly address: URL;
  readonly state: string;
  readonly nonce: string;
}

/** Starts a sign-in in that browser. */
export async function beginGoogle(
  server: TestServer,
  browser: CookieJar = sharedBrowser,
): Promise<GoogleRequest> {
  const reply = await server.call('/auth/google/login', { headers: browser.headers });
  browser.take(reply.headers);
  const address = new URL(reply.headers.get('location') ?? 'none:');
  const { searchParams } = address;
  return {
    address,
    state: searchParams.get('state') ?? 'none',
    nonce: searchParams.get('nonce') ?? 'none',
  };
}

/** The form that Google makes the browser post for a person. */
export async function googleForm(
  server: TestServer,
  { state, nonce }: Pick<GoogleRequest, 'state' | 'nonce'>,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const token = await server.issuer?.token(server.clock.now(), { nonce, ...claims });
  // Google sends more fields than it documents.
  return new URLSearchParams({ state, id_token: token ?? 'none', authuser: '0' }).toString();
}

/** Posts Google's response as a browser does. */
export function postGoogle(
  server: TestServer,
  body: string,
  browser: CookieJar = sharedBrowser,
  call: Call = {},
): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...browser.headers };
  return server.call('/auth/google/callback', {
    ...call,
    method: 'POST',
    headers: { ...headers, ...call.headers },
    body,
  });
}
