import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { hasRedis } from '../../tests/kit/redis.ts';
import { TestRedisCluster } from '../../tests/kit/redis-cluster.ts';
import { REDIS_PASSWORD } from '../../tests/kit/redis-node.ts';
import { SENTINEL_MASTER, TestSentinels } from '../../tests/kit/redis-sentinels.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../../tests/kit/server-process.ts';
import { freshAddress } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { keySlot } from '../platform/redis-key-slot.ts';

/** The quota of the break-glass limit: its window of an hour does not end within a test. */
const QUOTA = 10;
const ADMITTED = 401;
const REFUSED = 429;
const UNCOUNTED = 503;

const title = 'limits in a Redis over TLS (skipped where there is no redis-server)';
describe.skipIf(!hasRedis())(title, () => {
  const start = serverProcesses();
  const started: { remove(): Promise<void> }[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await cloneDatabase();
  });

  afterEach(async () => {
    for (const redis of started.splice(0)) await redis.remove();
  });

  afterAll(() => database.drop());

  async function startCluster(): Promise<TestRedisCluster> {
    const cluster = await TestRedisCluster.start({ tls: true });
    started.push(cluster);
    return cluster;
  }

  async function startSentinels(): Promise<TestSentinels> {
    const sentinels = await TestSentinels.start({ tls: true });
    started.push(sentinels);
    return sentinels;
  }

  /** Two servers that share the counts, with the certificate of Redis unless it is null. */
  const startServers = (redis: {
    url: string;
    mode: 'cluster' | 'sentinel';
    caFile: string | null;
  }) =>
    [1, 2].map(() =>
      start({
        ...onDatabase(database),
        LOG_LEVEL: 'warn',
        TRUST_PROXY: '1',
        REDIS_MODE: redis.mode,
        REDIS_URL: redis.url,
        // Ten times the default, so that a busy machine does not look like a Redis that is gone.
        REDIS_TIMEOUT_MS: '2000',
        BREAK_GLASS_ENABLED: 'true',
        MASTER_KEY: 'm'.repeat(40),
        ...(redis.mode === 'sentinel'
          ? { REDIS_SENTINEL_MASTER: SENTINEL_MASTER, REDIS_SENTINEL_PASSWORD: REDIS_PASSWORD }
          : {}),
        ...(redis.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: redis.caFile }),
      }),
    );

  const urlsOf = (servers: readonly ServerProcess[]) =>
    Promise.all(servers.map((server) => server.url()));

  /** An attempt that the break-glass limit counts. */
  async function attempt(url: string, ip: string): Promise<number> {
    const headers = { 'x-master-key': 'wrong', 'x-forwarded-for': ip };
    return (await fetch(`${url}/auth/me`, { headers })).status;
  }

  async function counted(url: string, ip: string): Promise<number> {
    return until('a counted attempt', async () => {
      const status = await attempt(url, ip);
      return status !== UNCOUNTED && status;
    });
  }

  /** How many attempts of one address the servers admit in turn until none does. */
  async function admitted(urls: readonly string[], ip: string): Promise<number> {
    let admitted = 0;
    for (let asked = 0; asked <= 2 * QUOTA; asked += 1) {
      if ((await counted(urls[asked % urls.length] ?? '', ip)) === ADMITTED) admitted += 1;
    }
    for (const url of urls) expect(await counted(url, ip)).toBe(REFUSED);
    return admitted;
  }

  it('servers share the limits of a Redis Cluster over TLS, also after a replica has replaced a killed master', async () => {
    const cluster = await startCluster();
    const urls = await urlsOf(startServers({ ...redisOf(cluster), mode: 'cluster' }));
    const before = freshAddress();
    expect(await admitted(urls, before)).toBe(QUOTA);
    const slot = keySlot(`{${before}}`);
    const master = await cluster.masterOf(slot);
    await master.kill();
    await until('a new master', async () => (await cluster.masterOf(slot)) !== master);
    let after = freshAddress();
    while ((await cluster.masterOf(keySlot(`{${after}}`))) !== (await cluster.masterOf(slot))) {
      after = freshAddress();
    }
    expect(await admitted(urls, after)).toBe(QUOTA);
  });

  it('servers share the limits of a Redis behind Sentinels over TLS, also after a failover', async () => {
    const sentinels = await startSentinels();
    const urls = await urlsOf(startServers({ ...redisOf(sentinels), mode: 'sentinel' }));
    expect(await admitted(urls, freshAddress())).toBe(QUOTA);
    const master = await sentinels.master();
    await master.kill();
    await until('a new master', async () => (await sentinels.master()) !== master);
    expect(await admitted(urls, freshAddress())).toBe(QUOTA);
  });

  it.each<[string, 'cluster' | 'sentinel', () => Promise<{ url: string }>]>([
    ['Redis Cluster', 'cluster', startCluster],
    ['Redis behind Sentinels', 'sentinel', startSentinels],
  ])(
    'servers that do not trust the certificate of a %s refuse what guards a secret, and log the reason',
    async (_what, mode, startRedis) => {
      const { url: redisUrl } = await startRedis();
      const servers = startServers({ url: redisUrl, mode, caFile: null });
      for (const url of await urlsOf(servers)) {
        expect(await attempt(url, freshAddress())).toBe(UNCOUNTED);
        expect((await fetch(`${url}/scans`)).status).toBe(401);
      }
      for (const server of servers) await server.line(/self-signed certificate/);
    },
  );
});

const redisOf = ({ url, caFile }: { readonly url: string; readonly caFile: string | null }) => ({
  url,
  caFile,
});
