import { describe, expect, test } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem, type Received, type Step } from '../conformance/server.ts';
import {
  AbortError,
  ForbiddenError,
  NotFoundError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';

/** A machine that is busy with other tests may be late once. */
const BUSY = { retry: 2 };

const GET = `GET /scans/${SCAN_ID}`;
const LIST = 'GET /scans';
const running = { body: scan({ status: 'running' }) };
const completed = { body: scan({ status: 'completed' }) };

function ids(count: number) {
  return Array.from(
    { length: count },
    (_, at) => `0199c2a4-0000-7000-8000-${`${at}`.padStart(12, '0')}`,
  );
}

/** Answers a batch of scans, all with one status. */
function batch(status: 'running' | 'completed'): Step {
  return ({ query }: Received) => ({
    body: { items: query.getAll('ids').map((id) => scan({ id, status })), nextCursor: null },
  });
}

describe('waiting for a scan', () => {
  test.each(['completed', 'partial', 'failed', 'cancelled'] as const)(
    'resolves with it when it is %s',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on(GET, running, { body: scan({ status }) });
      expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ id: SCAN_ID, status });
    },
  );

  test('tells of progress at first and whenever something has changed', async () => {
    const { server, cspm } = await arrange();
    const half = { body: scan({ status: 'running', startedAt: '2026-11-20T08:00:01.000Z' }) };
    server.on(GET, { body: scan() }, running, running, half, half, completed);
    const seen: string[] = [];
    await cspm.scans.wait(SCAN_ID, {
      onProgress: ({ status, startedAt }) => void seen.push(`${status} ${startedAt !== null}`),
    });
    expect(seen).toEqual(['queued false', 'running false', 'running true', 'completed false']);
  });

  test('looks soon at first and then every four seconds', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, running, running, running, running, running, running, running, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(clock.sleeps).toEqual([0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  test('takes no more than half of the general limit', async () => {
    const { server, cspm, clock } = await arrange();
    const tight = { ...running, headers: { ratelimit: '"default";r=6;t=60' } };
    server.on(GET, tight, tight, tight, tight, tight, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(clock.sleeps[4]).toBeGreaterThan(15_000);
  });

  test('a scan that does not exist is refused', async () => {
    const { cspm } = await arrange();
    await failureOf(cspm.scans.wait(SCAN_ID), NotFoundError);
  });

  test('what onProgress throws ends the wait', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running);
    const thrown = new Error('disk full');
    const onProgress = () => {
      throw thrown;
    };
    expect(await failureOf(cspm.scans.wait(SCAN_ID, { onProgress }))).toBe(thrown);
  });

  test('ends on abort within 10 ms, with the reason as cause', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    const controller = new AbortController();
    const wait = failureOf(cspm.scans.wait(SCAN_ID, { signal: controller.signal }), AbortError);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = performance.now();
    controller.abort('enough');
    expect((await wait).cause).toBe('enough');
    expect(performance.now() - before).toBeLessThan(10);
    const polls = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(server.requests).toHaveLength(polls);
  });

  test('ends when its time is over', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    await failureOf(cspm.scans.wait(SCAN_ID, { timeoutMs: 100 }), TimeoutError);
  });
});

describe('waiting for many scans', () => {
  test('costs one request a poll', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, batch('running'), batch('running'), batch('completed'));
    const scans = await Promise.all(ids(100).map((id) => cspm.scans.wait(id)));
    expect(scans.map(({ id }) => id)).toEqual(ids(100));
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]?.query.get('limit')).toBe('100');
  });

  test('asks for a hundred at a time', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, batch('completed'));
    await Promise.all(ids(250).map((id) => cspm.scans.wait(id)));
    expect(server.requests.map(({ query }) => query.getAll('ids').length)).toEqual([100, 100, 50]);
  });

  test('one that does not exist fails alone', async () => {
    const { server, cspm } = await arrange();
    const [known = '', unknown = ''] = ids(2);
    server.on(LIST, { body: { items: [scan({ id: known })], nextCursor: null } });
    server.on(`GET /scans/${unknown}`, problem(404, 'NOT_FOUND'));
    server.on(`GET /scans/${known}`, { body: scan({ id: known, status: 'completed' }) });
    const [first, second] = await Promise.allSettled(
      [known, unknown].map((id) => cspm.scans.wait(id)),
    );
    expect(first).toMatchObject({ status: 'fulfilled', value: { status: 'completed' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
  });

  test('two waits for one scan are both told', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, completed);
    const both = await Promise.all([cspm.scans.wait(SCAN_ID), cspm.scans.wait(SCAN_ID)]);
    expect(both.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(server.requests).toHaveLength(2);
  });

  test('who joins is looked at at once', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, running);
    const [other = ''] = ids(1);
    server.on(LIST, ({ query }) => {
      const items = query.getAll('ids').map((id) => scan({ id, status: 'completed' }));
      return { body: { items, nextCursor: null } };
    });
    let joined: Promise<unknown> | undefined;
    await cspm.scans.wait(SCAN_ID, {
      onProgress() {
        joined ??= Promise.resolve().then(() => cspm.scans.wait(other));
      },
    });
    await joined;
    expect(server.to(LIST)).toHaveLength(1);
    expect(Math.max(...clock.sleeps)).toBeLessThanOrEqual(250);
  });
});

describe('a service that is away', () => {
  test('for less than a minute does not end the wait', async () => {
    const { server, cspm } = await arrange({ retry: { maxAttempts: 1 } });
    const away = problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '10' });
    server.on(GET, running, away, 'reset', away, away, completed);
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
  });

  test('for longer ends it with the last error', async () => {
    const { server, cspm } = await arrange({ retry: { maxAttempts: 1 } });
    server.on(GET, running, problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '25' }));
    await failureOf(cspm.scans.wait(SCAN_ID), UnavailableError);
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });

  test('is something else than a permission that was taken away', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, problem(403, 'FORBIDDEN'));
    await failureOf(cspm.scans.wait(SCAN_ID), ForbiddenError);
  });
});

describe('what the server tells', () => {
  test('is not undercut by who joins', async () => {
    const { server, cspm, clock } = await arrange({ retry: false, timeoutMs: 5000 });
    server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '50' }));
    const [other = ''] = ids(1);
    const first = cspm.scans.wait(SCAN_ID);
    await new Promise((resolve) => setTimeout(resolve, 5));
    server.on(LIST, batch('completed'));
    const toldAt = clock.now();
    await Promise.all([first, cspm.scans.wait(other)]);
    expect(clock.now() - toldAt).toBeGreaterThanOrEqual(50_000);
    expect(server.to(LIST)).toHaveLength(1);
  });

  test('a rate limit is waited out, however long it is', async () => {
    const { server, cspm } = await arrange({ retry: false });
    const limited = problem(429, 'RATE_LIMITED', { 'retry-after': '600' });
    server.on(GET, running, limited, limited, completed);
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
  });
});
