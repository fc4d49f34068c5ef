import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inOwnTime } from '../../tests/kit/cpu-time.ts';
import { hasRedis, startRedis, type TestRedis } from '../../tests/kit/redis.ts';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import { FragileLink } from '../../tests/kit/tcp-proxy.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  type TestServer,
} from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

/** The production timeout: a slower Redis counts as unavailable. */
const redisTimeoutMs = 200;
/** The most that Redis may delay a request, plus the rest of a request on a busy machine. */
const SOON_MS = 300;
const SLACK_MS = 700;
/** Without its own timeout a request would wait for Redis at least this long. */
const HANG_MS = 12_000;

const RATE_LIMIT = 8;

describe.skipIf(!hasRedis())('limits in Redis (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let link: FragileLink;
  let one: TestServer;
  let other: TestServer;
  const lines: string[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    link = await FragileLink.to(redis.url);
    const config = { rateLimit: RATE_LIMIT, redisTimeoutMs };
    one = await startTestServer({
      config: { ...config, redisUrl: redis.url },
      log: { write: (line: string) => void lines.push(line) },
    });
    other = await startTestServer({
      config: { ...config, redisUrl: link.url },
      log: { write: (line: string) => void lines.push(line) },
      database: one.database,
    });
    for (const server of [one, other]) await isShared(server);
  });

  afterAll(async () => {
    await other.close();
    await one.close();
    await link.cut();
    await redis.kill();
  });

  /** Restores Redis and waits until the server has noticed. */
  afterEach(async () => {
    redis.thaw();
    link.slow(0);
    for (const server of [one, other]) await isShared(server);
  });

  const login = (server: TestServer, ip: string) =>
    server.call('/auth/login', { method: 'POST', ip });

  /** A login that Redis counted. On a busy machine its answer can come too late; the server then refuses with 503. */
  function countedLogin(server: TestServer, ip: string): Promise<Reply> {
    return until('a counted login', async () => {
      const reply = await login(server, ip);
      return reply.status !== 503 && reply;
    });
  }

  async function isShared(server: TestServer): Promise<void> {
    await until(
      'limits are shared',
      async () => (await login(server, freshAddress())).status === 400,
    );
  }

  async function timed(ask: Promise<Reply>): Promise<{ reply: Reply; tookMs: number }> {
    const { result: reply, tookMs } = await inOwnTime(ask);
    return { reply, tookMs };
  }

  it.each<[string, () => TestServer, () => void | Promise<void>, () => void | Promise<void>]>([
    ['frozen', () => one, () => redis.freeze(), () => redis.thaw()],
    ['killed', () => one, () => redis.kill(), () => redis.start()],
    ['slow', () => other, () => link.slow(300), () => link.slow(0)],
    ['cut off', () => other, () => link.cut(), () => link.restore()],
  ])(
    'while Redis is %s, each process counts general limits, limits of secrets refuse, and all recover without a restart',
    async (_how, serverOf, away, back) => {
      const server = serverOf();
      const unanswered = server.services.redis?.unanswered ?? 0;
      lines.length = 0;
      await away();
      const ip = freshAddress();
      const statuses: number[] = [];
      for (let count = 0; count < RATE_LIMIT + 1; count += 1) {
        const { reply, tookMs } = await timed(server.call('/scans', { ip }));
        expect(tookMs).toBeLessThan(deadlineMs(SOON_MS + SLACK_MS, HANG_MS));
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([...Array(RATE_LIMIT).fill(401), 429]);
      const another = server === one ? other : one;
      expect((await another.call('/scans', { ip })).status).toBe(401);

      const master = { headers: { 'x-master-key': 'x' } };
      for (const [path, call] of [
        ['/auth/login', { method: 'POST' }],
        ['/auth/2fa/verify', { method: 'POST' }],
        ['/scans', master],
      ] as const) {
        const { reply, tookMs } = await timed(server.call(path, call));
        expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        expect(tookMs).toBeLessThan(deadlineMs(SOON_MS + SLACK_MS, HANG_MS));
      }
      expect((await server.call('/auth/refresh', { method: 'POST' })).status).toBe(400);
      expect(server.services.redis?.unanswered).toBeGreaterThan(unanswered + RATE_LIMIT);
      expect((await server.call('/health/live')).status).toBe(200);
      await back();
      await isShared(server);
      // At most one per server.
      const warnings = lines.filter((line) =>
        JSON.parse(line).msg.startsWith('Redis is unreachable'),
      );
      expect(warnings.length).toBeLessThanOrEqual(2);
    },
  );

  it('a Redis that was unreachable when a server started is used once it is reachable', async () => {
    await redis.kill();
    const late = await startTestServer({
      config: { redisUrl: redis.url, redisTimeoutMs },
      database: one.database,
    });
    try {
      expect((await late.call('/scans')).status).toBe(401);
      expect((await login(late, freshAddress())).status).toBe(503);
      await redis.start();
      await isShared(late);
      const ip = freshAddress();
      for (let count = 0; count < 5; count += 1) await countedLogin(one, ip);
      expect((await countedLogin(late, ip)).status).toBe(429);
    } finally {
      await late.close();
    }
  });
});

describe('an unreachable Redis', () => {
  it('an unreachable Redis does not keep a server from starting and serving', async () => {
    // Port 1 is never allocated.
    const server = await startTestServer({
      config: { redisUrl: 'redis://127.0.0.1:1', redisTimeoutMs },
    });
    try {
      expect((await server.call('/scans')).status).toBe(401);
      expect((await server.call('/auth/login', { method: 'POST' })).status).toBe(503);
    } finally {
      await server.close();
    }
  });
});
