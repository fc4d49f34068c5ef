import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import {
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { keyRing } from '../../../platform/crypto/app-secrets.ts';
import { newId } from '../../../platform/ids.ts';

// Uses the production verifier, so a token refused here is refused in production.

let server: TestServer;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.people.user();
  other = await server.people.user();
});

afterAll(() => server.close());

const ours = keyRing([TEST_APP_SECRET], 'access token').current;
const HOUR = 3600;
const now = () => Math.floor(Date.now() / 1000);

/** Claims of a valid token with changes; `undefined` removes a claim. */
function claims(changed: Record<string, unknown> = {}): JWTPayload {
  const sound = {
    sub: user.id,
    tenant_id: user.tenant.id,
    sid: user.sessionId,
    amr: ['pwd'],
    iss: 'cspm',
    aud: 'cspm-api',
    iat: now(),
    exp: now() + 900,
    jti: newId(),
  };
  return { ...sound, ...changed } as JWTPayload;
}

const header = (changed: Record<string, unknown> = {}) =>
  ({ alg: 'HS256', typ: 'at+jwt', kid: ours.id, ...changed }) as JWTHeaderParameters;

/** Signs arbitrary claims with the server's own key, so that only the content is wrong. */
function signed(payload: JWTPayload, head = header()): Promise<string> {
  return new SignJWT(payload).setProtectedHeader(head).sign(ours.bytes);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function present(token: string, on = server): Promise<Reply> {
  return on.call('/auth/me', { headers: { authorization: `Bearer ${token}` } });
}

it('the forged access token of these tests is valid unless changed, so each rejection has its stated cause', async () => {
  const reply = await present(await signed(claims()));
  expect(reply).toMatchObject({ status: 200, json: { user: { id: user.id } } });
});

describe('an access token is rejected like a missing credential', () => {
  async function refused(token: string): Promise<void> {
    const reply = await present(token);
    expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    expect(comparable(reply)).toBe(comparable(await server.call('/auth/me')));
  }

  it.each(['none', 'None', 'NONE', 'nOnE', ''])(
    'an unsigned access token (alg "%s") is rejected like a missing credential',
    async (alg) => {
      const unsigned = `${part({ ...header(), alg })}.${part(claims())}.`;
      await refused(unsigned);
      const [, , signature] = (await signed(claims())).split('.');
      await refused(unsigned + signature);
    },
  );

  it('an access token whose signature was removed, cut or changed is rejected', async () => {
    const [head, payload, signature = ''] = (await signed(claims())).split('.');
    await refused(`${head}.${payload}.`);
    await refused(`${head}.${payload}`);
    await refused(`${head}.${payload}.${signature.slice(0, -4)}`);
    const first = signature[0] === 'A' ? 'B' : 'A';
    await refused(`${head}.${payload}.${first}${signature.slice(1)}`);
  });

  it('an access token whose payload was changed is rejected', async () => {
    const [head, , signature] = (await signed(claims())).split('.');
    await refused(`${head}.${part(claims({ amr: ['pwd', 'otp'] }))}.${signature}`);
    await refused(`${head}.${part(claims({ sub: other.id }))}.${signature}`);
  });

  it.each(['HS384', 'HS512'])(
    'an access token signed with our key by %s is rejected',
    async (alg) => {
      const key = createSecretKey(
        Buffer.concat([ours.bytes, Buffer.alloc(64 - ours.bytes.length)]),
      );
      await refused(await new SignJWT(claims()).setProtectedHeader(header({ alg })).sign(key));
    },
  );

  it.each<[string, () => Uint8Array]>([
    ['another key', () => Buffer.alloc(32, 1)],
    ['the application secret itself', () => Buffer.from(TEST_APP_SECRET)],
    [
      'our key for another purpose',
      () => keyRing([TEST_APP_SECRET], 'idempotency record').current.bytes,
    ],
    ['the id of our key', () => Buffer.from(ours.id.padEnd(32))],
  ])('an access token signed with %s is rejected', async (_what, key) => {
    await refused(await new SignJWT(claims()).setProtectedHeader(header()).sign(key()));
  });

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'an access token signed by %s with a key that it carries is rejected',
    async (alg) => {
      const pair =
        alg === 'ES256'
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
          : alg === 'EdDSA'
            ? generateKeyPairSync('ed25519')
            : generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = await exportJWK(pair.publicKey);
      for (const extra of [
        { jwk },
        { jku: 'http://127.0.0.1:1/jwks' },
        { x5u: 'http://127.0.0.1:1/' },
      ]) {
        const head = header({ alg, ...extra });
        await refused(await new SignJWT(claims()).setProtectedHeader(head).sign(pair.privateKey));
      }
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['without kid', { kid: undefined }],
    ['with an unknown kid', { kid: 'ffffffff' }],
    ['with a path for a kid', { kid: '../../../../dev/null' }],
    ['with SQL for a kid', { kid: `${'x'}' UNION SELECT 'a` }],
    ['with the name of an object property as kid', { kid: '__proto__' }],
    ['without typ', { typ: undefined }],
    ['of typ JWT', { typ: 'JWT' }],
    ['of the typ of another token', { typ: 'mfa+jwt' }],
    ['with an extension that must be understood', { crit: ['exp'], exp: 1 }],
  ])('an access token %s is rejected', async (_what, changed) => {
    const input = `${part(header(changed))}.${part(claims())}`;
    const { createHmac } = await import('node:crypto');
    const signature = createHmac('sha256', ours.bytes).update(input).digest('base64url');
    await refused(`${input}.${signature}`);
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['without exp', () => ({ exp: undefined })],
    ['that has expired', () => ({ iat: now() - HOUR, exp: now() - 6 })],
    ['whose exp is text', () => ({ exp: String(now() + 900) })],
    ['that never expires', () => ({ iat: now() - HOUR, exp: now() + 10 * HOUR })],
    ['without iat', () => ({ iat: undefined })],
    ['issued in an hour', () => ({ iat: now() + HOUR, exp: now() + 2 * HOUR })],
    ['whose iat is text', () => ({ iat: 'today' })],
    ['not valid yet', () => ({ nbf: now() + 120 })],
    ['without iss', () => ({ iss: undefined })],
    ['of another issuer', () => ({ iss: 'https://accounts.google.com' })],
    ['of an issuer much like ours', () => ({ iss: 'cspm ' })],
    ['without aud', () => ({ aud: undefined })],
    ['for another audience', () => ({ aud: 'cspm-web' })],
    ['for no audience', () => ({ aud: [] })],
    ['without jti', () => ({ jti: undefined })],
    ['without sub', () => ({ sub: undefined })],
    ['whose sub is not an id', () => ({ sub: 'admin' })],
    ['of another user', () => ({ sub: other.id })],
    ['without sid', () => ({ sid: undefined })],
    ['of no session', () => ({ sid: newId() })],
    ['of a session of somebody else', () => ({ sid: other.sessionId })],
    ['without tenant_id', () => ({ tenant_id: undefined })],
    ['of another tenant', () => ({ tenant_id: other.tenant.id })],
    ['of no tenant', () => ({ tenant_id: newId() })],
    ['whose tenant_id is a list', () => ({ tenant_id: [user.tenant.id] })],
    ['without amr', () => ({ amr: undefined })],
    ['whose amr is text', () => ({ amr: 'otp' })],
  ])('an access token %s is rejected', async (_what, changed) => {
    await refused(await signed(claims(changed())));
  });

  it('other kinds of secrets are rejected as access tokens', async () => {
    await refused(user.refreshToken);
    expect((await present(user.key['x-api-key'])).json).toMatchObject({
      code: 'UNAUTHORIZED',
      detail: expect.stringContaining('X-API-Key'),
    });
    await refused(user.sessionId);
    await refused('a.b.c');
    await refused('a.b.c.d.e');
    await refused('x'.repeat(10_000));
  });

  it.each([
    ['in another scheme', (token: string) => ({ authorization: `Basic ${token}` })],
    ['without a scheme', (token: string) => ({ authorization: token })],
    ['twice in a header', (token: string) => ({ authorization: `Bearer ${token} ${token}` })],
    ['as a cookie', (token: string) => ({ cookie: `access_token=${token}` })],
    ['as an API key', (token: string) => ({ 'x-api-key': token })],
    ['in another header', (token: string) => ({ 'x-access-token': token })],
  ])('an access token sent %s is rejected', async (_how, headersOf) => {
    const headers = headersOf(await signed(claims()));
    expect((await server.call('/auth/me', { headers })).status).toBe(401);
  });

  it('an access token sent in the query is rejected', async () => {
    const token = await signed(claims());
    expect((await server.call(`/auth/me?access_token=${token}`)).status).toBe(401);
  });

  it('an access token sent as a refresh token is rejected', async () => {
    const token = await signed(claims());
    const reply = await server.call('/auth/refresh', {
      method: 'POST',
      body: { refreshToken: token },
    });
    expect(reply.status).toBe(401);
  });
});

describe('an access token is accepted', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])(
    'an access token is accepted with the scheme %s in any letter case',
    async (scheme) => {
      const authorization = `${scheme} ${await signed(claims())}`;
      expect((await server.call('/auth/me', { headers: { authorization } })).status).toBe(200);
    },
  );

  it('an access token is accepted for 15 minutes plus a clock tolerance of 5 seconds', async () => {
    const later = await startTestServer({ database: server.database });
    try {
      const token = await signed(claims());
      const { iat = 0 } = decodeJwt(token);
      const tokenAt = async (seconds: number) => {
        later.clock.freezeAt(new Date((iat + seconds) * 1000));
        return (await present(token, later)).status;
      };
      expect(await tokenAt(15 * 60 + 4)).toBe(200);
      expect(await tokenAt(15 * 60 + 5)).toBe(401);
    } finally {
      await later.close();
    }
  });

  it('an access token of a server whose clock is 59 seconds ahead is accepted, but not one 70 seconds ahead', async () => {
    expect((await present(await signed(claims({ iat: now() + 59 })))).status).toBe(200);
    expect((await present(await signed(claims({ iat: now() + 70 })))).status).toBe(401);
  });

  it('an access token is accepted only while its secret is listed', async () => {
    const next = 'the secret that signs from now on, long as well';
    const token = user.session.authorization.slice('Bearer '.length);
    const options = { database: server.database };
    const rotated = await startTestServer({
      ...options,
      config: { appSecrets: [next, TEST_APP_SECRET] },
    });
    const retired = await startTestServer({ ...options, config: { appSecrets: [next] } });
    try {
      expect((await present(token, rotated)).status).toBe(200);
      expect((await present(token, retired)).status).toBe(401);
      const { headers } = await rotated.people.session(user);
      expect((await retired.call('/auth/me', { headers })).status).toBe(200);
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    } finally {
      await rotated.close();
      await retired.close();
    }
  });
});
