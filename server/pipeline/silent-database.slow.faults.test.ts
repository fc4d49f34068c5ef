import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../testing/breakable-database.ts';
import { cloneDatabase, type TestDatabase } from '../testing/database.ts';
import { FragileLink } from '../testing/fragile-link.ts';
import { inOwnTime } from '../testing/own-time.ts';
import type { TestUser } from '../testing/people.ts';
import { replyFaults } from '../testing/reply-faults.ts';
import { type Call, type Reply, startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

/** In which a client is told, at the latest. */
const SOON_MS = 2_500;

let real: TestDatabase;
let way: BreakableDatabase;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  real = await cloneDatabase();
  way = await breakable(real);
  server = await startTestServer({ database: way.database });
  user = await server.people.user();
});

afterAll(async () => {
  await server.close();
  await way.close();
  await real.drop();
});

async function timed(
  at: TestServer,
  path: string,
  call: Call,
): Promise<{ reply: Reply; tookMs: number }> {
  const { result: reply, tookMs } = await inOwnTime(at.call(path, call));
  return { reply, tookMs };
}

describe('while the database is silent', () => {
  afterEach(() => way.mend());

  it.each<[string, () => Promise<unknown>]>([
    [
      'from the beginning of a connection',
      async () => {
        // No connection is left from before.
        await way.cut();
        await way.mend();
      },
    ],
    [
      'on the connections that are open',
      () =>
        Promise.all(
          Array.from({ length: 10 }, () => timed(server, '/scans', { headers: user.key })),
        ),
    ],
  ])('%s, everybody is told as soon', async (_how, begin) => {
    await begin();
    way.stall();
    const asked = [
      timed(server, '/auth/me', { headers: user.key }),
      timed(server, '/auth/me', { headers: user.session }),
      timed(server, '/health/ready', {}),
      ...Array.from({ length: 20 }, () => timed(server, '/scans', { headers: user.key })),
    ];
    for (const { reply, tookMs } of await Promise.all(asked)) {
      expect(reply.status).toBe(503);
      expect(tookMs).toBeLessThan(SOON_MS);
    }
    await way.mend();
    expect((await server.call('/auth/me', { headers: user.key })).status).toBe(200);
  });
});

describe('while the way to the database is slow', () => {
  let link: FragileLink;
  let distant: TestServer;

  beforeAll(async () => {
    link = await FragileLink.to(real.appUrl);
    distant = await startTestServer({ database: { ...real, appUrl: link.url } });
  });

  afterAll(async () => {
    await distant.close();
    await link.cut();
  });

  it('but bearable, requests are served', async () => {
    link.slow(40);
    const reply = await distant.call('/projects', { headers: user.key });
    expect(reply.status).toBe(200);
  });

  it('beyond that, requests are answered 503 soon, and served again once it is quicker', async () => {
    // Longer than a silent Postgres is waited for, so that no statement is answered in time and another one begun.
    link.slow(1_500);
    const ask = (call: Call) => timed(distant, '/projects', { headers: user.key, ...call });
    const asked = Array.from({ length: 20 }, (_, number) =>
      ask(number % 2 === 0 ? {} : { method: 'POST', body: { name: `distant-${number}` } }),
    );
    for (const { reply, tookMs } of await Promise.all(asked)) {
      expect(reply.status).toBe(503);
      expect(replyFaults(reply, null)).toEqual([]);
      expect(tookMs).toBeLessThan(SOON_MS);
    }
    link.slow(0);
    await until('recovery', async () => (await ask({})).reply.status === 200);
    const { reply } = await ask({});
    expect(reply.text).not.toContain('distant-');
  });
});
