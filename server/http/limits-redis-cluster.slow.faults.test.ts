import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keySlot } from '../../server/platform/redis-key-slot.ts';
import { inOwnTime } from '../../tests/kit/cpu-time.ts';
import { hasRedis } from '../../tests/kit/redis.ts';
import { TestRedisCluster } from '../../tests/kit/redis-cluster.ts';
import type { RedisNode } from '../../tests/kit/redis-node.ts';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

/** The quota of the break-glass limit: its window of an hour does not end within a test. */
const QUOTA = 10;
const WINDOW_MS = 3_600_000;
const ADMITTED = 401;
const REFUSED = 429;
const UNCOUNTED = 503;
/** Ten times the production timeout, so that a busy machine does not look like a Redis that is gone. */
const redisTimeoutMs = 2_000;
/** Upper bound of the time that a request takes without Redis, on a busy machine. */
const SOON_MS = 1_000;
const HANG_MS = 12_000;

const title = 'limits in a Redis Cluster (skipped where there is no redis-server)';
describe.skipIf(!hasRedis())(title, () => {
  let cluster: TestRedisCluster;
  /** They give up on Redis soon. */
  let one: TestServer;
  let other: TestServer;
  /** They wait for Redis on a busy machine too. */
  let patient: readonly TestServer[];

  const onCluster = () => ({ redisUrl: cluster.url, redisMode: 'cluster' as const });

  beforeAll(async () => {
    cluster = await TestRedisCluster.start();
    one = await startTestServer({ config: { ...onCluster(), redisTimeoutMs } });
    const { database } = one;
    other = await startTestServer({ database, config: { ...onCluster(), redisTimeoutMs } });
    patient = await Promise.all(
      [1, 2].map(() => startTestServer({ database, config: onCluster() })),
    );
  });

  afterAll(async () => {
    await Promise.all([other, ...patient].map((server) => server.close()));
    await one.close();
    await cluster.remove();
  });

  /** An attempt that the break-glass limit counts. */
  const attempt = async (server: TestServer, ip: string) =>
    (await server.call('/auth/me', { ip, headers: { 'x-master-key': 'wrong' } })).status;

  const slotOf = (ip: string) => keySlot(`{${ip}}`);

  /** New client addresses that a master counts. */
  async function addressesOf(master: RedisNode, count: number): Promise<string[]> {
    const found: string[] = [];
    while (found.length < count) {
      const ip = freshAddress();
      if ((await cluster.masterOf(slotOf(ip))) === master) found.push(ip);
    }
    return found;
  }

  /** A number of admitted attempts, at all servers in turn. On a busy machine an answer of Redis can be too late. */
  async function spend(ip: string, count: number, servers: readonly TestServer[]): Promise<void> {
    for (let spent = 0; spent < count; spent += 1) {
      const server = servers[spent % servers.length] as TestServer;
      expect(await counted(server, ip)).toBe(ADMITTED);
    }
  }

  async function counted(server: TestServer, ip: string): Promise<number> {
    return until('a counted attempt', async () => {
      const status = await attempt(server, ip);
      return status !== UNCOUNTED && status;
    });
  }

  /** Attempts of one address at all servers until none is admitted. */
  async function exhaust(ip: string, servers: readonly TestServer[]): Promise<number> {
    let admitted = 0;
    for (let asked = 0; asked <= 3 * QUOTA; asked += 1) {
      const server = servers[asked % servers.length] as TestServer;
      if ((await counted(server, ip)) === ADMITTED) admitted += 1;
    }
    for (const server of servers) expect(await counted(server, ip)).toBe(REFUSED);
    return admitted;
  }

  async function replicated(master: RedisNode): Promise<void> {
    await until('the replica to have all writes', async () => {
      const info = await master.cli('INFO', 'replication');
      const written = /master_repl_offset:(\d+)/.exec(info)?.[1];
      return /slave0:.*offset=(\d+)/.exec(info)?.[1] === written;
    });
  }

  async function noneIsLockedForEver(): Promise<void> {
    for (const { key, ms } of await cluster.counters()) {
      expect(ms, key).toBeGreaterThan(0);
      expect(ms, key).toBeLessThanOrEqual(WINDOW_MS);
    }
  }

  it('rate limits in a Redis Cluster are shared by two servers, and one master counts all limits of a client', async () => {
    for (const node of cluster.nodes.slice(0, 3)) {
      const [ip = ''] = await addressesOf(node, 1);
      expect(await exhaust(ip, patient)).toBe(QUOTA);
      const keys = (await cluster.counters()).filter(({ key }) => key.includes(`{${ip}}`));
      expect(keys.map(({ key }) => key.replace(ip, '')).sort()).toEqual([
        'cspm:limit:break-glass:{}',
        'cspm:limit:default:{}',
      ]);
      expect(new Set(keys.map(({ key }) => keySlot(key)))).toEqual(new Set([slotOf(ip)]));
    }
  });

  it('rate limits in a Redis Cluster stay exact while slots move to another master', async () => {
    const from = await cluster.masterOf(0);
    const to = await cluster.masterOf(16_383);
    expect(to).not.toBe(from);
    const moved = 200;
    const ips: string[] = [];
    while (ips.length < 12) {
      const ip = freshAddress();
      if (slotOf(ip) < moved) ips.push(ip);
    }
    const statuses = new Map<string, number[]>(ips.map((ip) => [ip, []]));
    const ask = async (ip: string, turn: number) =>
      statuses.get(ip)?.push(await attempt(patient[turn % 2] as TestServer, ip));
    for (const ip of ips) for (const turn of [0, 1]) await ask(ip, turn);
    let isMoving = true;
    const moving = cluster.moveSlots(from, to, moved).finally(() => {
      isMoving = false;
    });
    for (let turn = 0; isMoving; turn += 1) await ask(ips[turn % ips.length] as string, turn);
    await moving;
    for (let turn = 0; turn < QUOTA + 2; turn += 1) {
      await Promise.all(ips.map((ip) => ask(ip, turn)));
    }
    for (const ip of ips) {
      expect(await cluster.masterOf(slotOf(ip))).toBe(to);
      const seen = statuses.get(ip) ?? [];
      expect(seen.filter((status) => status === ADMITTED)).toHaveLength(QUOTA);
      expect(seen.slice(QUOTA).every((status) => status === REFUSED)).toBe(true);
    }
    await noneIsLockedForEver();
  });

  it.each<[string, (node: RedisNode) => void | Promise<void>, (node: RedisNode) => unknown]>([
    ['killed', (node) => node.kill(), (node) => node.start()],
    ['frozen', (node) => node.freeze(), (node) => node.thaw()],
  ])(
    'while a master of a Redis Cluster is %s, only its clients are affected, and its replica continues with its counts',
    async (_how, away, back) => {
      await cluster.settled();
      const master = await cluster.masterOf(12_000);
      const healthy = await cluster.masterOf(8_000);
      expect(healthy).not.toBe(master);
      const [victim = '', fresh = '', guest = ''] = await addressesOf(master, 3);
      const others = await addressesOf(healthy, 2);
      const servers = [one, other];
      await spend(victim, 6, patient);
      await replicated(master);
      await away(master);

      const statuses: number[] = [];
      let isOver = false;
      const timed = async (server: TestServer, ip: string) => {
        const { result, tookMs } = await inOwnTime(attempt(server, ip));
        expect(tookMs).toBeLessThan(deadlineMs(redisTimeoutMs + SOON_MS, HANG_MS));
        return result;
      };
      const besieging = (async () => {
        while (!isOver) for (const server of servers) statuses.push(await timed(server, victim));
      })();
      // Counted while the other master is away.
      for (const ip of others) expect(await exhaust(ip, patient)).toBe(QUOTA);
      const guests: number[] = [];
      for (let asked = 0; asked < QUOTA; asked += 1) {
        const server = servers[asked % 2] as TestServer;
        guests.push((await server.call('/scans', { ip: guest })).status);
      }
      expect(new Set(guests)).toEqual(new Set([401]));
      expect((await one.call('/health/ready')).status).toBe(200);
      await until('both servers to count with the new master', async () => {
        const answers = await Promise.all(servers.map((server) => attempt(server, fresh)));
        return answers.every((status) => status !== UNCOUNTED);
      });
      isOver = true;
      await besieging;
      expect(statuses[0]).toBe(UNCOUNTED);
      await until('both servers are up', async () =>
        servers.every(({ services }) => services.redis?.isUp === true),
      );
      await exhaust(victim, servers);
      // Nothing was lost, because the replica had seen all of it.
      const [counter] = (await cluster.counters()).filter(
        ({ key }) => key === `cspm:limit:break-glass:{${victim}}`,
      );
      expect(counter?.count).toBeGreaterThan(QUOTA);
      const late = await startTestServer({ database: one.database, config: onCluster() });
      try {
        expect(await counted(late, victim)).toBe(REFUSED);
      } finally {
        await late.close();
      }

      await back(master);
      await cluster.settled();
      expect(await counted(one, victim)).toBe(REFUSED);
      const [last = ''] = await addressesOf(await cluster.masterOf(12_000), 1);
      expect(await exhaust(last, patient)).toBe(QUOTA);
      await noneIsLockedForEver();
    },
  );

  it('rate limits in a Redis Cluster are shared again by servers that saw it restart or started before it', async () => {
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    const early = await startTestServer({
      database: one.database,
      config: { ...onCluster(), redisTimeoutMs },
    });
    try {
      const ip = freshAddress();
      expect(await attempt(early, ip)).toBe(UNCOUNTED);
      expect((await early.call('/scans')).status).toBe(401);
      await Promise.all(cluster.nodes.map((node) => node.start()));
      await cluster.settled();
      const admitted = await exhaust(ip, [one, other, early]);
      expect(admitted).toBeGreaterThan(0);
      expect(admitted).toBeLessThanOrEqual(QUOTA);
    } finally {
      await early.close();
    }
  });
});
