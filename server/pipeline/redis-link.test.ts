import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../operations/logger.ts';
import { hasRedis, startRedis, type TestRedis } from '../testing/redis.ts';
import { until } from '../testing/until.ts';
import { RedisLink } from './redis-link.ts';

/** Longer than any answer of Redis is waited for. */
const BUSY_MS = 400;

describe.skipIf(!hasRedis())('a link to Redis (skipped where there is no redis-server)', () => {
  let redis: TestRedis;
  let link: RedisLink;

  beforeAll(async () => {
    redis = await startRedis();
    link = new RedisLink(redis.url, createLogger('silent'));
    await link.start();
    await until('the link is up', async () => link.isUp);
  });

  afterAll(async () => {
    await link.close();
    await redis.kill();
  });

  it('does not take its own busyness for silence: an answer that is there is taken, however late it is looked at', async () => {
    const asked = link.ask(() => link.send(['ECHO', 'in time']));
    // The command leaves with the next turn of the event loop, and then we have no time for anything else.
    await turn();
    const busyUntil = performance.now() + BUSY_MS;
    do {
      // One that Redis was asked after ours, and has answered.
      execFileSync('redis-cli', ['-u', redis.url, 'PING']);
    } while (performance.now() < busyUntil);
    expect(await asked).toBe('in time');
    expect(link.unanswered).toBe(0);
  });
});
