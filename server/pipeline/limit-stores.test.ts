import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, hasRedis, startRedis, type TestRedis } from '../testing/redis.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  type TestServer,
} from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

/** What Redis may cost a request at the most, and what else a request takes on a busy machine. */
const SOON_MS = 300;
const SLACK_MS = 700;

const redisIsThere = hasRedis();

describe.skipIf(!redisIsThere)('limits in Redis (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let one: TestServer;
  let other: TestServer;
  const lines: string[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    const config = { rateLimit: 8, redisUrl: redis.url };
    one = await startTestServer({
      config,
      log: { write: (line: string) => void lines.push(line) },
    });
    other = await startTestServer({ config, database: one.database });
  });

  afterAll(async () => {
    await other.close();
    await one.close();
    await redis.kill();
  });

  /** Redis as it was, and known to be. */
  afterEach(async () => {
    redis.thaw();
    for (const server of [one, other]) await isShared(server);
  });

  const login = (server: TestServer, ip: string) =>
    server.call('/auth/login', { method: 'POST', ip });

  async function isShared(server: TestServer): Promise<void> {
    await until(
      'limits are shared',
      async () => (await login(server, freshAddress())).status === 400,
    );
  }

  async function timed(ask: Promise<Reply>): Promise<{ reply: Reply; tookMs: number }> {
    const startedAt = performance.now();
    const reply = await ask;
    return { reply, tookMs: performance.now() - startedAt };
  }

  it('are shared by two servers, which count one after the other', async () => {
    const ip = freshAddress();
    const left: (string | null)[] = [];
    for (const server of [one, other, one, other, one]) {
      left.push((await login(server, ip)).headers.get('ratelimit'));
    }
    expect(left.map((header) => / r=(\d+)[^"]*$/.exec(header ?? '')?.[1])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
    ]);
    for (const server of [one, other]) {
      expect(await login(server, ip)).toMatchObject({ status: 429, json: { limit: 'login' } });
    }
  });

  it('hold for fifty requests at once to two servers', async () => {
    // With a general limit that lets all fifty through: which of them it counts first is not for this test to say.
    const config = { rateLimit: 1_000, redisUrl: redis.url };
    const options = { config, database: one.database };
    const servers = await Promise.all([startTestServer(options), startTestServer(options)]);
    const ip = freshAddress();
    const asked = servers.flatMap((server) => Array.from({ length: 25 }, () => login(server, ip)));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    for (const server of servers) await server.close();
    expect(statuses.filter((status) => status !== 429)).toHaveLength(5);
  });

  it.each<[string, () => void | Promise<void>, () => void | Promise<void>]>([
    ['frozen', () => redis.freeze(), () => redis.thaw()],
    ['killed', () => redis.kill(), () => redis.start()],
  ])(
    'while Redis is %s: general limits go on in each process, those of secrets refuse, and all recovers by itself',
    async (_how, away, back) => {
      lines.length = 0;
      await away();
      const ip = freshAddress();
      const statuses: number[] = [];
      for (let count = 0; count < 9; count += 1) {
        const { reply, tookMs } = await timed(one.call('/scans', { ip }));
        expect(tookMs).toBeLessThan(SOON_MS + SLACK_MS);
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([...Array(8).fill(401), 429]);
      expect((await other.call('/scans', { ip })).status).toBe(401);

      const master = { headers: { 'x-master-key': 'x' } };
      for (const [path, call] of [
        ['/auth/login', { method: 'POST' }],
        ['/auth/2fa/verify', { method: 'POST' }],
        ['/scans', master],
      ] as const) {
        const { reply, tookMs } = await timed(one.call(path, call));
        expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        expect(tookMs).toBeLessThan(SOON_MS + SLACK_MS);
      }
      expect((await one.call('/auth/refresh', { method: 'POST' })).status).toBe(400);
      expect(one.services.redis?.unanswered).toBeGreaterThan(9);
      await back();
      await isShared(one);
      const warnings = lines.filter((line) =>
        JSON.parse(line).msg.startsWith('Redis is out of reach'),
      );
      expect(warnings.length).toBeLessThanOrEqual(1);
    },
  );
});

describe('a Redis that is not there', () => {
  it('does not keep a server from starting and serving', async () => {
    const redisUrl = `redis://127.0.0.1:${await freePort()}`;
    const server = await startTestServer({ config: { redisUrl } });
    try {
      expect((await server.call('/scans')).status).toBe(401);
      expect((await server.call('/auth/login', { method: 'POST' })).status).toBe(503);
    } finally {
      await server.close();
    }
  });
});
