import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';
import { GoogleIdTokens } from './google-id-token.ts';

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

describe('the keys of the issuer', () => {
  afterEach(() => {
    issuer.misbehave = null;
  });

  const verifier = (cooldownMs?: number) =>
    new GoogleIdTokens(issuer.config, server.clock, cooldownMs);
  const token = () => issuer.token(server.clock.now());

  it('the signing keys of Google are fetched once for many tokens', async () => {
    const tokens = verifier();
    const before = issuer.keyRequests;
    await Promise.all(Array.from({ length: 8 }, async () => tokens.verify(await token())));
    expect(await tokens.verify(await token())).toMatchObject({ subject: 'google-1' });
    expect(issuer.keyRequests - before).toBe(1);
  });

  it('the signing keys of Google are fetched again, once, for an unknown key id', async () => {
    const tokens = verifier(0);
    await tokens.verify(await token());
    await issuer.rotate();
    const before = issuer.keyRequests;
    expect(await tokens.verify(await token())).toMatchObject({ subject: 'google-1' });
    expect(issuer.keyRequests - before).toBe(1);
    const unknown = await issuer.token(server.clock.now(), {}, { kid: 'unknown' });
    expect(await tokens.verify(unknown)).toBeNull();
    expect(issuer.keyRequests - before).toBe(2);
  });

  it('the signing keys of Google are not fetched repeatedly for made-up key ids', async () => {
    const tokens = verifier();
    await tokens.verify(await token());
    const before = issuer.keyRequests;
    for (const kid of ['a', 'b', 'c']) {
      expect(await tokens.verify(await issuer.token(server.clock.now(), {}, { kid }))).toBeNull();
    }
    expect(issuer.keyRequests - before).toBe(0);
  });

  it.each<[string, NonNullable<TokenIssuer['misbehave']>]>([
    ['that answer an error', (_req, res) => res.writeHead(500).end()],
    ['with a redirect', (_req, res) => res.writeHead(302, { location: '/x' }).end()],
    ['without a key set', (_req, res) => res.end('{"keys":"none"}')],
    ['with HTML', (_req, res) => res.end('<html>')],
    ['with a broken connection', (_req, res) => res.destroy()],
  ])(
    'the signing keys of Google cause 503 instead of 401 when the issuer answers %s',
    async (_what, answer) => {
      issuer.misbehave = answer;
      const fresh = await startTestServer({ issuer, database: server.database });
      const signIn = async () =>
        fresh.call('/auth/google', { method: 'POST', body: { credential: await token() } });
      const reply = await signIn();
      expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      issuer.misbehave = null;
      expect((await signIn()).status).toBe(200);
      await fresh.close();
    },
  );

  it('a sign-in with Google is answered 503 when the signing keys arrive too late', async () => {
    let hasEnded = false;
    issuer.misbehave = async (_req, res) => {
      res.write('{');
      await delay(60_000, undefined, { ref: false });
      hasEnded = true;
    };
    await expect(verifier().verify(await token())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(hasEnded).toBe(false);
  });

  it('the signing keys of Google are fetched again by the next sign-in after an outage of the issuer', async () => {
    const gone = await TokenIssuer.start();
    const tokens = new GoogleIdTokens(gone.config, server.clock);
    const one = await gone.token(server.clock.now());
    await gone.close();
    for (let time = 0; time < 2; time += 1) {
      await expect(tokens.verify(one)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
  });
});
