import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

describe('every answer', () => {
  let production: TestServer;
  let development: TestServer;

  beforeAll(async () => {
    production = await startTestServer({ config: { production: true, rateLimit: 1 } });
    development = await startTestServer();
  });

  afterAll(async () => {
    await production.close();
    await development.close();
  });

  it.each([
    ['/health/live', 200],
    ['/nothing', 404],
    ['/scans', 401],
    ['/scans/%zz', 400],
  ])(
    'the response of %s has headers against sniffing, framing, referrers and caching',
    async (path, status) => {
      const reply = await production.call(path);
      expect(reply.status).toBe(status);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
      expect(reply.headers.has('x-powered-by')).toBe(false);
    },
  );

  it('a response beyond the rate limit has the security headers', async () => {
    const ip = freshAddress();
    await production.call('/nothing', { ip });
    const reply = await production.call('/nothing', { ip });
    expect(reply.status).toBe(429);
    expect(reply.headers.get('strict-transport-security')).toBeTruthy();
    expect(reply.headers.get('content-security-policy')).toBeTruthy();
  });

  it('responses have Strict-Transport-Security in production only', async () => {
    const reply = await development.call('/health/live');
    expect(reply.headers.has('strict-transport-security')).toBe(false);
  });

  it('the documentation page allows only what it needs, from our own origin', async () => {
    const { headers, text } = await production.call('/docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/(src|href)="https?:/);
  });
});
