import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../../tests/kit/breakable-database.ts';
import { inOwnTime } from '../../tests/kit/cpu-time.ts';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { replyFaults } from '../../tests/kit/reply-faults.ts';
import { FragileLink } from '../../tests/kit/tcp-proxy.ts';
import {
  type Call,
  type Reply,
  startTestServer,
  type TestServer,
} from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

/** The default of a server. */
const DATABASE_TIMEOUT_MS = 2_000;
/** The latest response time. */
const SOON_MS = 2_500;

let real: TestDatabase;
let way: BreakableDatabase;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  real = await cloneDatabase();
  way = await breakable(real);
  server = await startTestServer({
    database: way.database,
    config: { databaseTimeoutMs: DATABASE_TIMEOUT_MS },
  });
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
        // All earlier connections are closed.
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
  ])(
    'while the database is silent %s, every request is refused with 503 within 2.5 s',
    async (_how, begin) => {
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
    },
  );
});

describe('while the way to the database is slow', () => {
  let link: FragileLink;
  let distant: TestServer;

  beforeAll(async () => {
    link = await FragileLink.to(real.appUrl);
    distant = await startTestServer({
      database: { ...real, appUrl: link.url },
      config: { databaseTimeoutMs: DATABASE_TIMEOUT_MS },
    });
  });

  afterAll(async () => {
    await distant.close();
    await link.cut();
  });

  it('requests are served while the database is slow but answers in time', async () => {
    link.slow(40);
    const reply = await distant.call('/projects', { headers: user.key });
    expect(reply.status).toBe(200);
  });

  it('requests are answered 503 while the database is too slow, and served once it is quicker', async () => {
    // Longer than the time after which a silent Postgres is detected, so no statement is answered in time and the next
    // one starts.
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
