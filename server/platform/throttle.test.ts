import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { breakable } from '../../tests/kit/breakable-database.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { createPool } from './database/pool.ts';
import { newId } from './ids.ts';
import { type Attempts, passwordAttempts, THROTTLES, Throttles } from './throttle.ts';

let server: TestServer;
let throttles: Throttles;
let count: Attempts;

beforeAll(async () => {
  server = await startTestServer();
  throttles = new Throttles(server.services.authenticator.pool, server.clock);
});

afterAll(() => server.close());

beforeEach(() => {
  count = { name: 'code', of: [newId()] };
});

const attempt = (outcome: string | null) => throttles.guard([count], async () => outcome);

/** Counts the remaining attempts by using them up. */
async function left({ name, of }: Attempts): Promise<number> {
  let found = 0;
  while (await throttles.reserve(name, ...of)) found += 1;
  return found;
}

describe('a guarded attempt', () => {
  it('a throttled attempt counts when it fails', async () => {
    expect(await attempt(null)).toBeNull();
    expect(await left(count)).toBe(THROTTLES.code - 1);
  });

  it('a throttled attempt does not count when it passes', async () => {
    expect(await attempt('passed')).toBe('passed');
    expect(await left(count)).toBe(THROTTLES.code);
  });

  it('a throttled attempt that throws does not count, so server errors use up no attempts', async () => {
    const broken = throttles.guard([count], () => Promise.reject(new Error('out of order')));
    await expect(broken).rejects.toThrow('out of order');
    expect(await left(count)).toBe(THROTTLES.code);
  });

  it('a throttled attempt fails immediately when the database is unreachable', async () => {
    const way = await breakable(server.database);
    const pool = createPool({
      url: way.database.appUrl,
      name: 'cspm test',
      maxConnections: 4,
      statementTimeoutMs: 10_000,
      connectWithinMs: 60_000,
      onError: () => undefined,
    });
    try {
      const told = new Throttles(pool, server.clock).guard([count], async () => {
        await way.cut();
        await until('no connection is left', async () => pool.totalCount === 0);
        await way.mend();
        // From now on every request for a connection waits for a minute.
        way.stall();
        throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      });
      const outcome = told.catch((error: Error) => error.message);
      await until('a connection is asked for', async () => pool.totalCount > 0);
      const waiting = delay(30_000, 'kept waiting', { ref: false });
      expect(await Promise.race([outcome, waiting])).toBe('gone');
    } finally {
      await way.close();
      await pool.end();
    }
  });

  it('an attempt beyond the throttle still runs, learns that it is refused, and always fails', async () => {
    await left(count);
    const told: boolean[] = [];
    const outcome = await throttles.guard([count], async (allowed) => {
      told.push(allowed);
      return 'passed';
    });
    expect(outcome).toBeNull();
    expect(told).toEqual([false]);
  });

  it('throttled attempts are reserved in advance: of thirty concurrent ones, five are allowed', async () => {
    const allowed = await Promise.all(
      Array.from({ length: 30 }, async () => {
        let was = false;
        await throttles.guard([count], async (is) => {
          was = is;
          return null;
        });
        return was;
      }),
    );
    expect(allowed.filter(Boolean)).toHaveLength(THROTTLES.code);
  });

  it('an attempt refused by the first throttle is not counted by the second', async () => {
    const email = `${newId()}@example.com`;
    const [byAddress, byAccount] = passwordAttempts(email, '192.0.2.1') as [Attempts, Attempts];
    for (let tries = 0; tries < 15; tries += 1) {
      await throttles.guard([byAddress, byAccount], async () => null);
    }
    expect(await left(byAccount)).toBe(
      THROTTLES['login-account'] - THROTTLES['login-account-address'],
    );
  });
});

describe('a window', () => {
  it('a throttle window ends 15 minutes after its first attempt', async () => {
    await attempt(null);
    server.clock.advance({ minutes: 14 });
    await left(count);
    expect(await left(count)).toBe(0);
    server.clock.advance({ minutes: 1, seconds: 1 });
    expect(await left(count)).toBe(THROTTLES.code);
  });

  it('throttle windows of different subjects never collide', async () => {
    await left({ name: 'code', of: ['ab', 'c'] });
    expect(await left({ name: 'code', of: ['a', 'bc'] })).toBe(THROTTLES.code);
    expect(await left({ name: 'mail', of: ['ab', 'c'] })).toBe(THROTTLES.mail);
  });

  it('a throttle window is stored without the address of its client', async () => {
    await throttles.reserve('mail', 'ada@example.com');
    const { rows } = await server.database.owner.query('SELECT key FROM identity.throttles');
    expect(JSON.stringify(rows)).not.toContain('ada');
  });
});
