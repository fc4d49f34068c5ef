import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { endsAtOnce } from '../conformance/at-once.ts';
import { fixedWindow, problem, type Received, type Step } from '../conformance/server.ts';
import {
  AbortError,
  ForbiddenError,
  NotFoundError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';
import type { Scan } from './models.gen.ts';

/** Time limit for requests on a busy machine. */
const PATIENCE = { timeout: 60_000 };

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

/** A response with a batch of scans of one status. */
function batch(status: 'running' | 'completed'): Step {
  return (request: Received) => ({ body: batchOf(request, status) });
}

function batchOf({ query }: Received, status: 'running' | 'completed') {
  return { items: query.getAll('ids').map((id) => scan({ id, status })), nextCursor: null };
}

describe('waiting for a scan', () => {
  test.each(['completed', 'partial', 'failed', 'cancelled'] as const)(
    'waiting for a scan resolves with the scan when it is %s',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on(GET, running, { body: scan({ status }) });
      expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ id: SCAN_ID, status });
    },
  );

  test('waiting for a scan reports progress at first and after every change', async () => {
    const { server, cspm } = await arrange();
    const half = { body: scan({ status: 'running', startedAt: '2026-11-20T08:00:01.000Z' }) };
    server.on(GET, { body: scan() }, running, running, half, half, completed);
    const seen: string[] = [];
    await cspm.scans.wait(SCAN_ID, {
      onProgress: ({ status, startedAt }) => void seen.push(`${status} ${startedAt !== null}`),
    });
    expect(seen).toEqual(['queued false', 'running false', 'running true', 'completed false']);
  });

  test('waiting for a scan polls quickly at first and then every four seconds', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, running, running, running, running, running, running, running, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(clock.sleeps.slice(0, 8)).toEqual([0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  test('waiting for a scan respects the general limit by delaying a poll until the window ends', async () => {
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

  test('waiting for an unknown scan fails', async () => {
    const { cspm } = await arrange();
    await failureOf(cspm.scans.wait(SCAN_ID), NotFoundError);
  });

  test('waiting for a scan ends with an exception in onProgress', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running);
    const thrown = new Error('disk full');
    const onProgress = () => {
      throw thrown;
    };
    expect(await failureOf(cspm.scans.wait(SCAN_ID, { onProgress }))).toBe(thrown);
  });

  test('waiting for a scan ends immediately on abort, with the reason as cause', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    const controller = new AbortController();
    const wait = failureOf(cspm.scans.wait(SCAN_ID, { signal: controller.signal }), AbortError);
    await vi.waitFor(() => expect(server.to(GET)).not.toEqual([]), PATIENCE);
    expect(await endsAtOnce(wait, () => controller.abort('enough'))).toBe(true);
    expect((await wait).cause).toBe('enough');
    const polls = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(server.requests).toHaveLength(polls);
  });

  test('an aborted wait does not affect a wait for the same scan that starts then', async () => {
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

  test('waiting for a scan ends at its time limit', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    await failureOf(cspm.scans.wait(SCAN_ID, { timeoutMs: 100 }), TimeoutError);
    await failureOf(cspm.scans.wait(SCAN_ID, { timeoutMs: 0 }), TimeoutError);
  });
});

describe('waiting for many scans', () => {
  test('waiting for many scans costs one request per poll', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, batch('running'), batch('running'), batch('completed'));
    const scans = await Promise.all(ids(100).map((id) => cspm.scans.wait(id)));
    expect(scans.map(({ id }) => id)).toEqual(ids(100));
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]?.query.get('limit')).toBe('100');
  });

  test('waiting for many scans requests a hundred at a time', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, batch('completed'));
    await Promise.all(ids(250).map((id) => cspm.scans.wait(id)));
    expect(server.requests.map(({ query }) => query.getAll('ids').length)).toEqual([100, 100, 50]);
  });

  test('an unknown scan fails only its own wait', async () => {
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

  test.each([400, 404])(
    'an id that the service refuses with %i fails only its own wait',
    async (status) => {
      const { server, cspm } = await arrange();
      const good = ids(5);
      server.on(LIST, (request) =>
        request.query.getAll('ids').includes('zzz')
          ? problem(status, 'VALIDATION_FAILED')
          : { body: batchOf(request, 'completed') },
      );
      server.on('GET /scans/zzz', problem(status, 'VALIDATION_FAILED'));
      for (const id of good) server.on(`GET /scans/${id}`, { body: scan({ id }) });
      const bad = failureOf(cspm.scans.wait('zzz'));
      const scans = await Promise.all(good.map((id) => cspm.scans.wait(id)));
      expect(scans.map(({ id }) => id)).toEqual(good);
      expect(await bad).toMatchObject({ status });
    },
  );

  test('one scan is reported to both of two waits for it', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, completed);
    const both = await Promise.all([cspm.scans.wait(SCAN_ID), cspm.scans.wait(SCAN_ID)]);
    expect(both.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(server.to(GET)).toHaveLength(2);
  });

  test('a wait that is added polls immediately', async () => {
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

describe('an unavailable service', () => {
  test('a service that is unavailable for less than a minute does not end the wait', async () => {
    const { server, cspm } = await arrange({ retry: { maxAttempts: 1 } });
    const away = problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '10' });
    server.on(GET, running, away, 'reset', away, away, completed);
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
  });

  test('a wait ends with the last error after a minute without the service', async () => {
    const { server, cspm } = await arrange({ retry: { maxAttempts: 1 } });
    server.on(GET, running, problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '25' }));
    const error = await failureOf(cspm.scans.wait(SCAN_ID), UnavailableError);
    expect(error.attempts).toHaveLength(12);
  });

  test('a revoked permission ends the wait immediately, unlike an unavailable service', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, problem(403, 'FORBIDDEN'));
    await failureOf(cspm.scans.wait(SCAN_ID), ForbiddenError);
  });
});

describe('the wait that the server asks for', () => {
  test('a Retry-After is not shortened by an added wait', async () => {
    const { server, cspm, clock } = await arrange({ retry: false, timeoutMs: 5000 });
    server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '50' }), running);
    const [other = ''] = ids(1);
    const first = cspm.scans.wait(SCAN_ID);
    // The clock jumps in a timer, so not before this has seen the wait.
    while (!clock.sleeps.some((ms) => ms >= 50_000)) await turn();
    server.on(LIST, batch('completed'));
    const toldAt = clock.now();
    await Promise.all([first, cspm.scans.wait(other)]);
    expect(clock.now() - toldAt).toBeGreaterThanOrEqual(50_000);
    expect(server.to(LIST)).toHaveLength(1);
  });

  test('a Retry-After of any length is respected while waiting', async () => {
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

  test('the events of a scan replace polling once the scan is seen to continue', async () => {
    const { server, cspm } = await arrangeInRealTime();
    const seen: string[] = [];
    let pollsSince = 0;
    // A poll sent before the stream opened does not count.
    server.on(GET, running, () => {
      if (!seen.includes('running true')) return 'hang';
      pollsSince += 1;
      return { body: half };
    });
    server.on(EVENTS, { pieces: [event(1, half), event(2, done)], everyMs: 1_500 });
    const end = await cspm.scans.wait(SCAN_ID, {
      onProgress: ({ status, startedAt }) => void seen.push(`${status} ${startedAt !== null}`),
    });
    expect(end).toEqual(done);
    expect(seen).toEqual(['running false', 'running true', 'partial false']);
    // One request may have been in flight.
    expect(pollsSince).toBeLessThanOrEqual(1);
    expect(server.to(EVENTS)).toHaveLength(1);
  });

  test('the events of a scan are not requested when the scan is already finished', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, completed);
    await cspm.scans.wait(SCAN_ID);
    expect(server.requests).toHaveLength(1);
  });

  test.each([404, 405, 406, 501])(
    'the events of a scan are replaced by polling when the stream is refused with %i',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on(GET, running, running, running, completed);
      server.on(EVENTS, { status });
      await cspm.scans.wait(SCAN_ID);
      server.on(GET, running, completed);
      await cspm.scans.wait(SCAN_ID);
      expect(server.to(EVENTS)).toHaveLength(1);
    },
  );

  test('the events of a scan do not delay the wait when a proxy delays them', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, running, running, completed);
    server.on(EVENTS, { pieces: [], unfinished: true });
    await cspm.scans.wait(SCAN_ID);
    await server.to(EVENTS)[0]?.over;
  });

  test('the events of a scan are replaced by polling when the stream breaks off for good', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    server.on(GET, () => (server.to(EVENTS).length > 1 ? completed : running));
    server.on(EVENTS, { pieces: [event(1, half)], everyMs: 20, broken: true }, { status: 404 });
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
    expect(server.to(EVENTS)[1]?.headers['last-event-id']).toBe('1');
  });

  test('the events of a scan are replaced by polling when a proxy answers with a page', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, running, running, completed);
    server.on(EVENTS, { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' });
    expect(await cspm.scans.wait(SCAN_ID)).toMatchObject({ status: 'completed' });
  });

  test('the events of at most two scans are followed; more share one poll', async () => {
    const { server, cspm } = await arrange();
    const [one = '', two = '', three = ''] = ids(3);
    server.on(LIST, batch('running'), batch('completed'));
    for (const id of [one, two, three]) server.on(`GET /scans/${id}/events`, 'hang');
    await Promise.all([one, two, three].map((id) => cspm.scans.wait(id)));
    expect(server.requests.map(({ path }) => path)).toEqual(['/scans', '/scans']);
  });

  test('the events of a scan are closed when nobody waits for them', async () => {
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

  test('the events of a scan serve all waits for the scan, and are reported immediately to added ones', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, running);
    let joined: Promise<Scan> | undefined;
    const told: string[] = [];
    async function* pieces() {
      yield event(1, half);
      await vi.waitFor(() => expect(told).not.toEqual([]), PATIENCE);
      yield event(2, done);
    }
    server.on(EVENTS, { awaitedPieces: pieces() });
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
  });
});
