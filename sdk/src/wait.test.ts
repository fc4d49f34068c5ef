import { describe, expect, test } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { fixedWindow, problem, type Received, type Step } from '../conformance/server.ts';
import type { Scan } from './client.gen.ts';
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
    expect(clock.sleeps.slice(0, 8)).toEqual([0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  test('never meets the general limit: a poll is held until the window ends', async () => {
    const { server, cspm, clock } = await arrange();
    const inWindow = fixedWindow('default', 4, 60, clock.now);
    const polls = [running, running, running, running, running, completed];
    server.on(
      GET,
      inWindow(() => polls.shift() ?? completed),
    );
    await cspm.scans.wait(SCAN_ID);
    expect(clock.now()).toBeGreaterThan(60_000);
    expect(server.to(GET)).toHaveLength(6);
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

  test('ends without harm to a wait for the same scan that begins right then', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { ...running, afterMs: 60 }, completed);
    const controller = new AbortController();
    const aborted = failureOf(cspm.scans.wait(SCAN_ID, { signal: controller.signal }), AbortError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    const again = cspm.scans.wait(SCAN_ID);
    await aborted;
    expect(await again).toMatchObject({ status: 'completed' });
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
    expect(server.to(GET)).toHaveLength(2);
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
    const error = await failureOf(cspm.scans.wait(SCAN_ID), UnavailableError);
    expect(error.attempts).toHaveLength(12);
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
    server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '50' }), running);
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

describe('the events of a scan', () => {
  const EVENTS = `GET /scans/${SCAN_ID}/events`;
  const half = scan({ status: 'running', startedAt: '2026-11-20T08:00:01.000Z' });
  const done = scan({ status: 'partial' });

  function event(id: number, data: Scan) {
    return `id: ${id}\nevent: progress\ndata: ${JSON.stringify(data)}\n\n`;
  }

  test('are followed in place of a poll, once it is seen that the scan goes on', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    server.on(EVENTS, { pieces: [event(1, half), event(2, done)], everyMs: 700 });
    const seen: string[] = [];
    const end = await cspm.scans.wait(SCAN_ID, {
      onProgress: ({ status, startedAt }) => void seen.push(`${status} ${startedAt !== null}`),
    });
    expect(end).toEqual(done);
    expect(seen).toEqual(['running false', 'running true', 'partial false']);
    expect(server.to(GET)).toHaveLength(1);
    expect(server.to(EVENTS)).toHaveLength(1);
  });

  test('are not asked for where the scan is finished at the first look', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(server.requests).toHaveLength(1);
  });

  test.each([404, 405, 406, 501])('that are refused with %i are done without', async (status) => {
    const { server, cspm } = await arrange();
    server.on(GET, running, running, running, completed);
    server.on(EVENTS, { status });
    await cspm.scans.wait(SCAN_ID);
    server.on(GET, running, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(server.to(EVENTS)).toHaveLength(1);
  });

  test('that are held up by a proxy do not hold up the wait', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, running, running, completed);
    server.on(EVENTS, { pieces: [], unfinished: true });
    await cspm.scans.wait(SCAN_ID);
    await server.to(EVENTS)[0]?.over;
  });

  test('that break off for good leave the rest to the poll', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    server.on(GET, () => (server.to(EVENTS).length > 1 ? completed : running));
    server.on(EVENTS, { pieces: [event(1, half)], everyMs: 20, broken: true }, { status: 404 });
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
    expect(server.to(EVENTS)[1]?.headers['last-event-id']).toBe('1');
  });

  test('that are a page of a proxy are done without', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, running, completed);
    server.on(EVENTS, { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' });
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
  });

  test('are followed for two scans at most; a crowd shares one poll', async () => {
    const { server, cspm } = await arrange();
    const [one = '', two = '', three = ''] = ids(3);
    server.on(LIST, batch('running'), batch('completed'));
    for (const id of [one, two, three]) server.on(`GET /scans/${id}/events`, 'hang');
    await Promise.all([one, two, three].map((id) => cspm.scans.wait(id)));
    expect(server.requests.map(({ path }) => path)).toEqual(['/scans', '/scans']);
  });

  test('are let go of when nobody waits any more', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    server.on(EVENTS, { pieces: [event(1, half)], unfinished: true });
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ startedAt }: Scan) => {
      if (startedAt) controller.abort();
    };
    await failureOf(cspm.scans.wait(SCAN_ID, { signal, onProgress }), AbortError);
    await server.to(EVENTS)[0]?.over;
  });

  test(
    'serve all who wait for the scan, and those who join are told of it at once',
    BUSY,
    async () => {
      const { server, cspm } = await arrangeInRealTime();
      server.on(GET, running);
      server.on(EVENTS, { pieces: [event(1, half), event(2, done)], everyMs: 300 });
      let joined: Promise<Scan> | undefined;
      const told: string[] = [];
      const first = await cspm.scans.wait(SCAN_ID, {
        onProgress({ startedAt }) {
          if (startedAt)
            joined ??= cspm.scans.wait(SCAN_ID, {
              onProgress: ({ status }) => void told.push(status),
            });
        },
      });
      expect(await joined).toEqual(first);
      expect(told).toEqual(['running', 'partial']);
      expect(server.to(EVENTS)).toHaveLength(1);
    },
  );
});
