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
    link = newLink();
    await link.start();
    await until('the link is up', async () => link.isUp);
  });

  afterAll(async () => {
    await link.close();
    await redis.kill();
  });

  function newLink(lines: string[] = [], url = redis.url): RedisLink {
    const settings = {
      mode: 'single' as const,
      ...{ url, sentinelMaster: null, sentinelPassword: null },
    };
    const log = createLogger('info', { write: (line: string) => void lines.push(line) });
    return new RedisLink(settings, log, TIMEOUT_MS);
  }

  const cli = (...command: string[]) =>
    execFileSync('redis-cli', ['-u', redis.url, ...command], { encoding: 'utf8' });
  const count = (key: string) => link.ask(key, () => link.send(key, ['INCR', key]));
  const refusals = () =>
    Number(/errorstat_(?:OOM|READONLY):count=(\d+)/.exec(cli('INFO'))?.[1] ?? 0);

  it('a busy process does not treat a Redis answer that it reads late as a timeout', async () => {
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

  it('a start with an unreachable Redis logs the warning and its reason once, before any request', async () => {
    const gone = await startRedis();
    await gone.kill();
    const lines: string[] = [];
    const unreachable = newLink(lines, gone.url);
    await unreachable.start();
    await until('the warning', async () => lines.length > 0);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: expect.stringMatching(/^Redis is unreachable/),
        err: expect.objectContaining({ code: 'ECONNREFUSED' }),
        unanswered: 0,
      }),
    ]);
    await unreachable.close();
  });

  it.each([
    ['is out of memory', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is a read-only replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])(
    'a Redis that %s does not count as up until it counts again',
    async (_state, refuse, accept) => {
      const lines: string[] = [];
      cli('CONFIG', 'RESETSTAT');
      cli(...refuse);
      expect(await count('cspm:limit:one')).toBeNull();
      const later = newLink(lines);
      await later.start();
      const isUp = () => link.isUp || later.isUp;
      await until('some probes of both', async () => isUp() || refusals() >= 6);
      expect(isUp()).toBe(false);
      expect(lines.join('')).not.toContain('shared through Redis');
      cli(...accept);
      await until('both links to be up', async () => link.isUp && later.isUp);
      expect(lines.join('')).toContain('shared through Redis');
      expect(await count('cspm:limit:one')).toBe(1);
      expect(await count('cspm:limit:one')).toBe(2);
      cli('DEL', 'cspm:limit:one');
      await later.close();
    },
  );
});
