import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { rawRequest } from '../../tests/kit/raw-request.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

const QUOTA = 3;

describe('the address that requests are counted by', () => {
  let behindOneProxy: TestServer;
  let exposed: TestServer;
  let behindRange: TestServer;

  beforeAll(async () => {
    behindOneProxy = await startTestServer({ config: { rateLimit: QUOTA, trustProxy: 1 } });
    const { database } = behindOneProxy;
    const config = { rateLimit: QUOTA };
    exposed = await startTestServer({ database, config: { ...config, trustProxy: false } });
    behindRange = await startTestServer({
      database,
      config: { ...config, trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] },
    });
  });

  afterAll(async () => {
    await exposed.close();
    await behindRange.close();
    await behindOneProxy.close();
  });

  const statusFrom = async (server: TestServer, ip: string) =>
    (await server.call('/nothing', { ip })).status;

  async function statusesFrom(server: TestServer, ips: readonly string[]): Promise<number[]> {
    const statuses: number[] = [];
    for (const ip of ips) statuses.push(await statusFrom(server, ip));
    return statuses;
  }

  it.each([
    [
      'in one IPv6 subscriber’s /64',
      [
        '2001:db8:1:1::1',
        '2001:db8:1:1:2::2',
        '2001:DB8:1:1:ffff:ffff:ffff:ffff',
        '2001:0db8:0001:0001::',
      ],
    ],
    [
      'that are one, IPv4 mapped into IPv6',
      ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '::FFFF:198.51.100.7'],
    ],
    [
      'that are one, said by many proxies',
      [
        '9.9.9.9, 198.51.100.8',
        '198.51.100.8',
        '1.1.1.1,2.2.2.2 , 198.51.100.8',
        'nonsense, 198.51.100.8',
      ],
    ],
    [
      'that are one, with a new port for each connection',
      ['198.51.100.9:4000', '198.51.100.9:4001', '198.51.100.9', '198.51.100.9:65535'],
    ],
    [
      'that are one IPv6 address, with brackets and ports',
      ['[2001:db8:3::1]:4000', '[2001:db8:3::1]:4001', '[2001:db8:3::1]', '2001:db8:3::1'],
    ],
    ['that are malformed', ['nobody', '_hidden', '198.51.100.9:x', '198.51.100.999:1']],
  ])('addresses %s share a rate limit', async (_what, ips) => {
    expect(await statusesFrom(behindOneProxy, ips)).toEqual([404, 404, 404, 429]);
  });

  it('two IPv6 /64 networks have separate rate limits, and so have two IPv4 addresses', async () => {
    const ips = ['2001:db8:2:1::1', '2001:db8:2:2::1', '198.51.100.21', '198.51.100.22'];
    for (const ip of ips) {
      expect(await statusesFrom(behindOneProxy, Array(QUOTA).fill(ip))).toEqual([404, 404, 404]);
    }
  });

  it('the client address ignores X-Forwarded-For without a trusted proxy', async () => {
    const ips = Array.from({ length: QUOTA + 1 }, () => freshAddress());
    expect(await statusesFrom(exposed, ips)).toEqual([404, 404, 404, 429]);
  });

  it('the client address ignores the other headers that proxies use', async () => {
    const ip = freshAddress();
    const statuses: number[] = [];
    for (const header of ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'x-client-ip']) {
      const headers = { [header]: header === 'forwarded' ? 'for=192.0.2.60' : freshAddress() };
      statuses.push((await behindOneProxy.call('/nothing', { ip, headers })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  it('the client address behind a range of proxies is the last address outside of it', async () => {
    const ips = [
      '203.0.113.1, 10.1.2.3',
      '6.6.6.6, 203.0.113.1, 10.9.9.9, 10.1.1.1',
      '203.0.113.1',
      '7.7.7.7, 203.0.113.1',
    ];
    expect(await statusesFrom(behindRange, ips)).toEqual([404, 404, 404, 429]);
  });

  it('a request target in absolute form does not get a separate rate limit', async () => {
    const ip = freshAddress();
    const lines = [
      'GET http://a.example/scans',
      'GET http://b.example/scans',
      'GET /scans?x=1',
      'GET /scans',
    ];
    const statuses: number[] = [];
    for (const line of lines) {
      const { hostname, port } = new URL(behindOneProxy.url);
      const url = `http://${hostname}:${port}`;
      const reply = await rawRequest(url, {
        line: `${line} HTTP/1.1`,
        headers: [`X-Forwarded-For: ${ip}`],
      });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});

describe('a limit', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ config: { rateLimit: 12 } });
  });

  afterAll(() => server.close());

  afterEach(() => {
    vi.useRealTimers();
  });

  it('a limit that is used up is full again when its window ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const ip = freshAddress();
    const login = () => server.call('/auth/login', { method: 'POST', ip });
    for (let count = 0; count < 5; count += 1) expect((await login()).status).toBe(400);
    const refused = await login();
    expect(refused).toMatchObject({ status: 429, json: { limit: 'login' } });
    const seconds = Number(refused.headers.get('retry-after'));
    vi.setSystemTime(Date.now() + seconds * 1000 - 1);
    expect((await login()).status).toBe(429);
    vi.setSystemTime(Date.now() + 1);
    expect((await login()).status).toBe(400);
  });

  it('a client that has used up a limit is admitted after the clock was set back by more than a window', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const ip = freshAddress();
    const login = () => server.call('/auth/login', { method: 'POST', ip });
    for (let count = 0; count < 5; count += 1) expect((await login()).status).toBe(400);
    expect((await login()).status).toBe(429);
    vi.setSystemTime(Date.now() - 3_600_000);
    for (let count = 0; count < 5; count += 1) expect((await login()).status).toBe(400);
    expect((await login()).status).toBe(429);
  });

  it('a limit counts successful and failed requests alike: a correct password does not extend it', async () => {
    const user = await server.people.user();
    const ip = freshAddress();
    const login = (password: string) =>
      server.call('/auth/login', { method: 'POST', ip, body: { email: user.email, password } });
    const statuses: number[] = [];
    for (const password of ['a', 'b', user.password, user.password, 'c', user.password]) {
      statuses.push((await login(password)).status);
    }
    expect(statuses).toEqual([401, 401, 200, 200, 401, 429]);
  });

  it('a limit of one endpoint does not affect other endpoints, and the general limit counts them all', async () => {
    const ip = freshAddress();
    const ask = async (path: string) => {
      const reply = await server.call(path, { method: 'POST', ip });
      return `${reply.status} ${reply.json.limit ?? ''}`.trim();
    };
    for (let count = 0; count < 5; count += 1) expect(await ask('/auth/login')).toBe('400');
    expect(await ask('/auth/login')).toBe('429 login');
    for (let count = 0; count < 6; count += 1) expect(await ask('/auth/refresh')).toBe('400');
    expect(await ask('/auth/refresh')).toBe('429 default');
    expect(await ask('/nothing')).toBe('429 default');
    expect(await ask('/auth/login')).toBe('429 login');
  });

  it('a limit applies equally with and without a valid credential', async () => {
    const user = await server.people.user();
    const ip = freshAddress();
    for (let count = 0; count < 10; count += 1)
      await server.call('/preflight', { method: 'POST', ip });
    const reply = await server.call('/preflight', { method: 'POST', ip, headers: user.key });
    expect(reply).toMatchObject({ status: 429, json: { limit: 'preflight' } });
    expect(reply.headers.has('x-tenant-id')).toBe(false);
  });

  it('a limit applies to fifty concurrent requests', async () => {
    const ip = freshAddress();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => server.call('/scans', { method: 'POST', ip })),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('a limit is described in structured fields with its quota and its remaining requests', async () => {
    const reply = await server.call('/scans', { method: 'POST' });
    const fields = (name: string) => (reply.headers.get(name) ?? '').replaceAll(' ', '');
    expect(fields('ratelimit')).toMatch(/^"default";r=11;t=60,"scans";r=9;t=60$/);
    expect(fields('ratelimit-policy')).toMatch(
      /^"default";q=12;w=60(;pk=:[A-Za-z0-9+/]+=*:)?,"scans";q=10;w=60(;pk=:[A-Za-z0-9+/]+=*:)?$/,
    );
  });

  it('a 429 asks the client to wait until the last of the exhausted limits is full again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const ip = freshAddress();
    const ask = (path: string) => server.call(path, { method: 'POST', ip });
    await ask('/nothing');
    vi.setSystemTime(Date.now() + 30_000);
    for (let count = 0; count < 11; count += 1) await ask('/scans');
    const refused = await ask('/scans');
    expect(refused.json.limit).toBe('scans');
    expect(refused.headers.get('retry-after')).toBe('60');
  });
});
