import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../tests/kit/redis.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

const redisIsThere = hasRedis();

describe.skipIf(!redisIsThere)('limits in Redis (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let one: TestServer;
  let other: TestServer;

  beforeAll(async () => {
    redis = await startRedis();
    const config = { rateLimit: 8, redisUrl: redis.url };
    one = await startTestServer({ config });
    other = await startTestServer({ config, database: one.database });
    for (const server of [one, other]) await isShared(server);
  });

  afterAll(async () => {
    await other.close();
    await one.close();
    await redis.kill();
  });

  const login = (server: TestServer, ip: string) =>
    server.call('/auth/login', { method: 'POST', ip });

  async function isShared(server: TestServer): Promise<void> {
    await until(
      'limits are shared',
      async () => (await login(server, freshAddress())).status === 400,
    );
  }

  it('rate limits in Redis are shared by two servers whose requests alternate', async () => {
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

  it('rate limits in Redis apply to fifty concurrent requests to two servers', async () => {
    // The general limit admits all fifty, because this test does not check the order in which limits are counted.
    const config = { rateLimit: 1_000, redisUrl: redis.url };
    const options = { config, database: one.database };
    const servers = await Promise.all([startTestServer(options), startTestServer(options)]);
    const ip = freshAddress();
    const asked = servers.flatMap((server) => Array.from({ length: 25 }, () => login(server, ip)));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    for (const server of servers) await server.close();
    expect(statuses.filter((status) => status !== 429)).toHaveLength(5);
  });
});
