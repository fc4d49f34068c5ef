import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../tests/kit/redis.ts';
import { until } from '../../tests/kit/until.ts';
import { createLogger } from './logger.ts';
import { RedisLink } from './redis-connection.ts';

const TIMEOUT_MS = 200;
/** Longer than the timeout of a Redis command. */
const BUSY_MS = 400;

describe.skipIf(!hasRedis())('a link to Redis (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let link: RedisLink;

  beforeAll(async () => {
    redis = await startRedis();
    const settings = {
      mode: 'single' as const,
      ...{ url: redis.url, sentinelMaster: null, sentinelPassword: null },
    };
    link = new RedisLink(settings, createLogger('silent'), TIMEOUT_MS);
    await link.start();
    await until('the link is up', async () => link.isUp);
  });

  afterAll(async () => {
    await link.close();
    await redis.kill();
  });

  it('a busy process does not take a Redis answer that it reads late for a timeout', async () => {
    const asked = link.ask('key', () => link.send(undefined, ['ECHO', 'in time']));
    // The command is sent in the next turn of the event loop, and then the loop is blocked.
    await turn();
    const busyUntil = performance.now() + BUSY_MS;
    do {
      // Redis processes commands in order, so this one was answered after ours.
      execFileSync('redis-cli', ['-u', redis.url, 'PING']);
    } while (performance.now() < busyUntil);
    expect(await asked).toBe('in time');
    expect(link.unanswered).toBe(0);
  });
});
