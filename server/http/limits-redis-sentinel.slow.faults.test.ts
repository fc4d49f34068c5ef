import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOwnTime } from '../../tests/kit/cpu-time.ts';
import { hasRedis } from '../../tests/kit/redis.ts';
import { REDIS_PASSWORD, type RedisNode } from '../../tests/kit/redis-node.ts';
import { SENTINEL_MASTER, TestSentinels } from '../../tests/kit/redis-sentinels.ts';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

/** The quota of the break-glass limit: its window of an hour does not end within a test. */
const QUOTA = 10;
const ADMITTED = 401;
const REFUSED = 429;
const UNCOUNTED = 503;
/** Ten times the production timeout, so that a busy machine does not look like a Redis that is gone. */
const redisTimeoutMs = 2_000;
/** The additional time that a request takes on a busy machine. */
const SOON_MS = 1_000;
const HANG_MS = 12_000;

const title = 'limits in a Redis behind Sentinels (skipped where there is no redis-server)';
describe.skipIf(!hasRedis())(title, () => {
  let redis: TestSentinels;
  let one: TestServer;
  let other: TestServer;
  const lines: string[] = [];

  const behindSentinels = () => ({
    redisUrl: redis.url,
    redisMode: 'sentinel' as const,
    redisSentinelMaster: SENTINEL_MASTER,
    redisSentinelPassword: REDIS_PASSWORD,
    redisTimeoutMs,
  });

  beforeAll(async () => {
    redis = await TestSentinels.start();
    const log = { write: (line: string) => void lines.push(line) };
    one = await startTestServer({ config: behindSentinels(), log });
    other = await startTestServer({ database: one.database, config: behindSentinels(), log });
  });

  afterAll(async () => {
    await other.close();
    await one.close();
    await redis.remove();
  });

  /** An attempt that the break-glass limit counts. */
  const attempt = async (server: TestServer, ip: string) =>
    (await server.call('/auth/me', { ip, headers: { 'x-master-key': 'wrong' } })).status;

  async function counted(server: TestServer, ip: string): Promise<number> {
    return until('a counted attempt', async () => {
      const status = await attempt(server, ip);
      return status !== UNCOUNTED && status;
    });
  }

  async function replicated(master: RedisNode): Promise<void> {
    await until('the replica to have all writes', async () => {
      const info = await master.cli('INFO', 'replication');
      const written = /master_repl_offset:(\d+)/.exec(info)?.[1];
      return /slave0:.*offset=(\d+)/.exec(info)?.[1] === written;
    });
  }

  it.each<[string, (node: RedisNode) => void | Promise<void>, (node: RedisNode) => unknown]>([
    ['killed', (node) => node.kill(), (node) => node.start()],
    ['frozen', (node) => node.freeze(), (node) => node.thaw()],
  ])(
    'while the Redis master under Sentinel is %s, no request hangs, secrets are refused, and its replica continues with the counts',
    async (_how, away, back) => {
      await redis.settled();
      const servers = [one, other];
      const ip = freshAddress();
      for (let spent = 0; spent < 6; spent += 1) {
        await counted(servers[spent % 2] as TestServer, ip);
      }
      const master = await redis.master();
      await replicated(master);
      await away(master);
      const statuses: number[] = [];
      await until('both servers to count with the new master', async () => {
        const fresh = freshAddress();
        for (const server of servers) {
          const { result, tookMs } = await inOwnTime(attempt(server, fresh));
          expect(tookMs).toBeLessThan(deadlineMs(redisTimeoutMs + SOON_MS, HANG_MS));
          statuses.push(result);
          expect((await server.call('/scans')).status).toBe(401);
        }
        expect((await one.call('/health/ready')).status).toBe(200);
        return statuses.slice(-2).every((status) => status === ADMITTED);
      });
      expect(statuses[0]).toBe(UNCOUNTED);
      const now = await redis.master();
      expect(now).not.toBe(master);
      // Nothing was lost, because the replica had seen all of it.
      expect(Number(await now.cli('GET', `cspm:limit:break-glass:${ip}`))).toBeGreaterThanOrEqual(
        6,
      );
      for (let asked = 0; asked < QUOTA; asked += 1)
        await counted(servers[asked % 2] as TestServer, ip);
      for (const server of servers) expect(await counted(server, ip)).toBe(REFUSED);
      expect(Number(await now.cli('PTTL', `cspm:limit:break-glass:${ip}`))).toBeGreaterThan(0);
      await back(master);
      await redis.settled();
      for (const server of servers) expect(await counted(server, ip)).toBe(REFUSED);
    },
  );

  it('rate limits are counted while one Redis Sentinel is frozen, and then another is killed', async () => {
    const [first, second] = redis.sentinels;
    await redis.settled();
    // A server asks the Sentinels in this order.
    first?.freeze();
    const late = await startTestServer({ database: one.database, config: behindSentinels() });
    try {
      const ip = freshAddress();
      expect(await counted(late, ip)).toBe(ADMITTED);
      expect(await counted(one, ip)).toBe(ADMITTED);
      await second?.kill();
      expect(await counted(late, ip)).toBe(ADMITTED);
    } finally {
      await late.close();
      first?.thaw();
      await second?.start();
    }
  });

  it('a Redis Sentinel setup never shows a password in the log, even when Redis refuses it', async () => {
    const wrong = 'wr0ng-p4ssword';
    const url = redis.url.replaceAll(encodeURIComponent(REDIS_PASSWORD), wrong);
    const log = { write: (line: string) => void lines.push(line) };
    const server = await startTestServer({
      database: one.database,
      log,
      config: { ...behindSentinels(), redisUrl: url, redisSentinelPassword: REDIS_PASSWORD },
    });
    try {
      await until('a warning', async () => {
        expect(await attempt(server, freshAddress())).toBe(UNCOUNTED);
        return lines.some((line) => line.includes('WRONGPASS'));
      });
    } finally {
      await server.close();
    }
    for (const secret of [wrong, REDIS_PASSWORD, encodeURIComponent(REDIS_PASSWORD)]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
