import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../tests/kit/redis.ts';
import {
  type Call,
  freshAddress,
  startTestServer,
  type TestServer,
} from '../../tests/kit/test-server.ts';

/**
 * The limits of the specification, §8, and later ones, repeated here on purpose: shares nothing with the server's
 * catalogue.
 */
const TABLE: readonly (readonly [request: string, quota: number, name: string])[] = [
  ['POST /scans', 10, 'scans'],
  ['POST /preflight', 10, 'preflight'],
  ['POST /custom-rules/test', 10, 'custom-rule-test'],
  ['POST /auth/login', 5, 'login'],
  ['POST /auth/register', 5, 'register'],
  ['POST /auth/reset-password', 5, 'reset-password'],
  ['POST /auth/2fa/setup', 5, '2fa'],
  ['POST /auth/2fa/enable', 5, '2fa'],
  ['POST /auth/2fa/verify', 5, '2fa'],
  ['POST /auth/2fa/disable', 5, '2fa'],
  ['POST /auth/2fa/recovery-codes', 5, '2fa'],
  ['POST /auth/confirm', 5, 'confirm'],
  ['POST /auth/confirm/mail', 5, 'confirm'],
  ['POST /auth/google', 10, 'google'],
  ['POST /auth/google/callback', 10, 'google'],
  ['POST /auth/refresh', 10, 'refresh'],
  ['POST /auth/verify-email', 10, 'verify-email'],
  ['POST /auth/saml/acs', 10, 'saml-acs'],
  ['POST /auth/forgot-password', 3, 'forgot-password'],
  ['POST /auth/resend-verification', 3, 'resend-verification'],
];

const DEFAULT_QUOTA = 60;

const redisIsThere = hasRedis();

describe.each<[string, boolean]>([
  ['in memory', false],
  ['in Redis', true],
])('the table of limits, counted %s,', (_where, shared) => {
  let redis: TestRedis | null = null;
  let server: TestServer;

  beforeAll(async () => {
    if (shared && redisIsThere) redis = await startRedis();
    const redisUrl = redis?.url ?? null;
    server = await startTestServer({ config: { rateLimit: DEFAULT_QUOTA, redisUrl } });
  });

  afterAll(async () => {
    await server.close();
    await redis?.kill();
  });

  const test = it.skipIf(shared && !redisIsThere);

  /** Alternates between the plain path and the prefixed one. */
  function ask(request: string, turn: number, ip: string, call: Call = {}) {
    const [method = '', path = ''] = request.split(' ');
    return server.call(turn % 2 === 0 ? path : `/api/v1${path}`, { method, ip, ...call });
  }

  test.each(TABLE)(
    'the limit of %s is %i requests a minute over both forms of its path',
    async (request, quota, name) => {
      const ip = freshAddress();
      for (let count = 1; count <= quota; count += 1) {
        const reply = await ask(request, count, ip);
        expect(reply.status).not.toBe(429);
        expect(itemsOf(reply.headers.get('ratelimit'))).toEqual([
          ['default', { r: DEFAULT_QUOTA - count, t: expect.any(Number) }],
          [name, { r: quota - count, t: expect.any(Number) }],
        ]);
        expect(itemsOf(reply.headers.get('ratelimit-policy'))).toEqual([
          ['default', { q: DEFAULT_QUOTA, w: 60 }],
          [name, { q: quota, w: 60 }],
        ]);
      }
      for (const turn of [0, 1]) {
        const refused = await ask(request, turn, ip);
        expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED', limit: name } });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      }
      expect((await ask(request, 0, freshAddress())).status).not.toBe(429);
    },
  );

  test('/auth/2fa/* has a limit of five requests a minute over all its paths', async () => {
    const ip = freshAddress();
    const statuses: number[] = [];
    for (const [at, path] of [
      'setup',
      'enable',
      'verify',
      'disable',
      'recovery-codes',
      'verify',
    ].entries()) {
      statuses.push((await ask(`POST /auth/2fa/${path}`, at, ip)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('all operations together have a default limit of 60 requests a minute', async () => {
    const ip = freshAddress();
    const requests = ['GET /scans', 'GET /nothing', 'DELETE /scans', 'GET /problems/forbidden'];
    for (let count = 0; count < DEFAULT_QUOTA; count += 1) {
      const reply = await ask(requests[count % requests.length] ?? '', count, ip);
      expect(reply.status).not.toBe(429);
    }
    for (const request of [...requests, 'POST /auth/login']) {
      expect((await ask(request, 1, ip)).json).toMatchObject({ limit: 'default' });
    }
    expect((await ask('GET /health/live', 0, ip)).status).toBe(200);
  });

  test('break-glass has a limit of ten requests an hour, wherever the key is sent', async () => {
    const ip = freshAddress();
    const headers = { 'x-master-key': 'none' };
    for (let count = 1; count <= 10; count += 1) {
      const reply = await ask('GET /scans', count, ip, { headers });
      expect(reply.status).toBe(401);
      expect(itemsOf(reply.headers.get('ratelimit-policy'))[1]).toEqual([
        'break-glass',
        { q: 10, w: 3600 },
      ]);
      expect(itemsOf(reply.headers.get('ratelimit'))[1]?.[1]).toMatchObject({ r: 10 - count });
    }
    const refused = await ask('GET /rules', 0, ip, { headers });
    expect(refused).toMatchObject({ status: 429, json: { limit: 'break-glass' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect((await ask('GET /scans', 0, ip)).status).toBe(401);
  });

  test('one IPv6 subscriber, a /64, counts as one address', async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 4; host += 1) {
      const ip = `2001:db8:77:1:${host}::${host}`;
      statuses.push((await ask('POST /auth/forgot-password', host, ip)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
    expect((await ask('POST /auth/forgot-password', 0, '2001:db8:77:2::1')).status).not.toBe(429);
  });
});

type Item = [name: string, parameters: Record<string, number>];

/** Parses a list of strings with parameters (RFC 9651 §3.1, §3.1.2); partition keys are dropped. */
function itemsOf(header: string | null): Item[] {
  const items: Item[] = [];
  let rest = header ?? '';
  while (rest !== '') {
    const [whole = '', name = ''] = /^"((?:[ !#-[\]-~]|\\["\\])*)"/.exec(rest) ?? [];
    if (whole === '') throw new Error(`No item at: ${rest}`);
    rest = rest.slice(whole.length);
    const parameters: Record<string, number> = {};
    for (;;) {
      const [matched = '', key = '', value = ''] =
        /^; *([a-z*][a-z0-9_.*-]*)=(-?\d{1,15}|:[A-Za-z0-9+/=]*:)/.exec(rest) ?? [];
      if (matched === '') break;
      rest = rest.slice(matched.length);
      if (!value.startsWith(':')) parameters[key] = Number(value);
    }
    items.push([name, parameters]);
    const [separator = ''] = /^[ \t]*,[ \t]*/.exec(rest) ?? [];
    if (rest !== '' && separator === '') throw new Error(`No separator at: ${rest}`);
    rest = rest.slice(separator.length);
  }
  return items;
}
