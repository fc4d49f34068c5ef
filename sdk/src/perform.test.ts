import { describe, expect, test } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem } from '../conformance/server.ts';
import { AbortError, ApiError, RateLimitError, TimeoutError, UnavailableError } from './errors.ts';

/** A machine that is busy with other tests may be late once. */
const BUSY = { retry: 2 };

const GET = `GET /scans/${SCAN_ID}`;

describe('Retry-After', () => {
  test('is never undercut, and exceeded by a fifth at most', async () => {
    const { server, cspm, clock } = await arrange();
    for (const chance of [0, 0.5, 0.999]) {
      clock.chance = () => chance;
      clock.sleeps.length = 0;
      server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '7' }), { body: scan() });
      await cspm.scans.get({ id: SCAN_ID });
      expect(clock.sleeps).toHaveLength(1);
      expect(clock.sleeps[0]).toBeGreaterThanOrEqual(7000);
      expect(clock.sleeps[0]).toBeLessThanOrEqual(8400);
    }
  });

  test('is kept in real time', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { status: 503, headers: { 'retry-after': '1' } }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(1400);
  });

  test('as a date is read by the clock of the server', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    const headers = {
      date: 'Sun, 06 Nov 1994 08:49:37 GMT',
      'retry-after': 'Sun, 06 Nov 1994 08:49:42 GMT',
    };
    server.on(GET, { status: 503, headers }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([5000]);
  });

  test('past the deadline ends the call at once, and the error says how long it is', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '90' }));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), RateLimitError);
    expect(error.retryAfterMs).toBe(90_000);
    expect(error.attempts).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test('past the deadline ends a 503 with its own error', async () => {
    const { server, cspm } = await arrange({ timeoutMs: 1000 });
    server.on(GET, problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '5' }));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    expect(error.retryAfterMs).toBe(5000);
    expect(server.requests).toHaveLength(1);
  });

  test('comes before spent limits, and these before the backoff', async () => {
    const { server, cspm, clock } = await arrange({ pacing: 'off' });
    clock.chance = () => 0;
    const spent = { ratelimit: '"default";r=0;t=30' };
    server.on(GET, { status: 429, headers: { ...spent, 'retry-after': '3' } }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([3000]);
    server.on(GET, { status: 429, headers: spent }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    expect(clock.sleeps).toEqual([3000, 30_000]);
  });
});

describe('the deadline', () => {
  test('spans all attempts and sleeps', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime({ timeoutMs: 150, attemptTimeoutMs: 60 });
    server.on(GET, 'hang');
    const before = performance.now();
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), TimeoutError);
    expect(performance.now() - before).toBeLessThan(400);
    expect(error.code).toBe('TIMEOUT');
    expect(error.attempts.length).toBeGreaterThanOrEqual(1);
  });

  test('of the call comes before that of the client', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime({ timeoutMs: 60_000 });
    server.on(GET, 'hang');
    const before = performance.now();
    await failureOf(cspm.scans.get({ id: SCAN_ID }, { timeoutMs: 80 }), TimeoutError);
    expect(performance.now() - before).toBeLessThan(400);
  });

  test('counts the body too: an answer that never ends is cut off', async () => {
    const { server, cspm } = await arrangeInRealTime({ timeoutMs: 100 });
    const slow = { headers: { 'content-length': '10' }, body: '{"id":' };
    server.on(GET, slow);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), TimeoutError);
  });
});

describe('abort', () => {
  test('before the call sends nothing', async () => {
    const { server, cspm } = await arrange();
    const reason = new Error('changed my mind');
    const signal = AbortSignal.abort(reason);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }, { signal }), AbortError);
    expect(error.cause).toBe(reason);
    expect(error.attempts).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('ends a sleep within 10 ms, with the reason as cause', BUSY, async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { status: 429, headers: { 'retry-after': '30' } });
    const controller = new AbortController();
    const call = failureOf(
      cspm.scans.get({ id: SCAN_ID }, { signal: controller.signal }),
      AbortError,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.requests).toHaveLength(1);
    const before = performance.now();
    controller.abort('gone home');
    const error = await call;
    expect(performance.now() - before).toBeLessThan(10);
    expect(error.cause).toBe('gone home');
    expect(error.attempts.map(({ status }) => status)).toEqual([429]);
  });

  test('ends a request under way, which is not repeated', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, 'hang');
    const controller = new AbortController();
    const call = failureOf(
      cspm.scans.get({ id: SCAN_ID }, { signal: controller.signal }),
      AbortError,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    expect((await call).cause).toBe(controller.signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  test("by a timeout of the caller's own is a TimeoutError and not repeated", async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, 'hang');
    const signal = AbortSignal.timeout(50);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }, { signal }), TimeoutError);
    expect(error.cause).toBe(signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  test('puts one listener on a signal, however many calls it is given to', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { status: 503 }, { body: scan() });
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    const call = () => cspm.scans.get({ id: SCAN_ID }, { signal });
    await Promise.all(Array.from({ length: 20 }, call));
    expect(server.requests).toHaveLength(21);
    expect(listeners).toBe(1);
  });
});

describe('what comes back', () => {
  test('a problem document becomes an error with all that it says', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, problem(404, 'NOT_FOUND', { ratelimit: '"default";r=57;t=42' }));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), ApiError);
    expect(error).toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: 'NOT_FOUND',
      message: 'NOT_FOUND: It is NOT_FOUND.',
      correlationId: 'test-correlation',
      problem: { code: 'NOT_FOUND' },
      rateLimit: [{ name: 'default', remaining: 57, resetSeconds: 42 }],
    });
  });

  test('the page of a proxy becomes an error of its status', async () => {
    const { server, cspm } = await arrange({ retry: false });
    server.on(GET, { status: 502, body: '<html>Bad Gateway</html>' });
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    expect(error).toMatchObject({ status: 502, code: 'HTTP_502', problem: undefined });
  });

  test('a success that is not JSON is an error, and not repeated', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, { body: 'Welcome to the hotel network' });
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), ApiError);
    expect(error).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
    expect(server.requests).toHaveLength(1);
  });

  test('a redirect is not followed, so no key reaches another host', async () => {
    const { server, cspm } = await arrange();
    const { server: other } = await arrange();
    server.on(GET, { status: 307, headers: { location: `${other.url}/scans/${SCAN_ID}` } });
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), ApiError);
    expect(error.code).toBe('HTTP_307');
    expect(other.requests).toEqual([]);
  });
});
