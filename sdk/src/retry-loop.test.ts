import { describe, expect, test, vi } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { endsAtOnce } from '../conformance/at-once.ts';
import { problem } from '../conformance/server.ts';
import { AbortError, ApiError, RateLimitError, TimeoutError, UnavailableError } from './errors.ts';

/** Time limit for requests on a busy machine. */
const PATIENCE = { timeout: 60_000 };

const GET = `GET /scans/${SCAN_ID}`;

describe('Retry-After', () => {
  test('a wait of Retry-After is never shortened, and extended by at most a fifth', async () => {
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

  test('a wait of Retry-After is respected in real time', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { status: 503, headers: { 'retry-after': '1' } }, { body: scan() });
    await cspm.scans.get({ id: SCAN_ID });
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test("a date in Retry-After is read by the server's clock", async () => {
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

  test('a Retry-After beyond the deadline ends the call immediately with an error that has the wait', async () => {
    const { server, cspm, clock } = await arrange();
    server.on(GET, problem(429, 'RATE_LIMITED', { 'retry-after': '90' }));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), RateLimitError);
    expect(error.retryAfterMs).toBe(90_000);
    expect(error.attempts).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test('a Retry-After beyond the deadline ends a 503 with its own error', async () => {
    const { server, cspm } = await arrange({ timeoutMs: 1000 });
    server.on(GET, problem(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '5' }));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    expect(error.retryAfterMs).toBe(5000);
    expect(server.requests).toHaveLength(1);
  });

  test('Retry-After takes precedence over exhausted limits, and these over the backoff', async () => {
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
  test('the deadline of a call covers all attempts and waits', async () => {
    const { server, cspm } = await arrangeInRealTime({
      timeoutMs: 150,
      attemptTimeoutMs: 60,
      // Without an overall deadline, the call would never end.
      retry: { maxAttempts: 1_000_000 },
    });
    server.on(GET, 'hang');
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), TimeoutError);
    expect(error.code).toBe('TIMEOUT');
    expect(error.attempts.length).toBeGreaterThanOrEqual(1);
  });

  test('the deadline of a call overrides that of the client', async () => {
    const { server, cspm } = await arrangeInRealTime({
      timeoutMs: 600_000,
      attemptTimeoutMs: 600_000,
    });
    server.on(GET, 'hang');
    // The client's own deadline is longer than a test may take.
    await failureOf(cspm.scans.get({ id: SCAN_ID }, { timeoutMs: 80 }), TimeoutError);
  });

  test('the deadline of a call includes the body: a response that never ends is cut off', async () => {
    const { server, cspm } = await arrangeInRealTime({ timeoutMs: 100 });
    const slow = { headers: { 'content-length': '10' }, body: '{"id":' };
    server.on(GET, slow);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), TimeoutError);
  });
});

describe('aborting a call', () => {
  test('a call that is aborted before it starts sends nothing', async () => {
    const { server, cspm } = await arrange();
    const reason = new Error('changed my mind');
    const signal = AbortSignal.abort(reason);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }, { signal }), AbortError);
    expect(error.cause).toBe(reason);
    expect(error.attempts).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test('aborting a call ends its wait immediately, with the reason as cause', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, { status: 429, headers: { 'retry-after': '30' } });
    const controller = new AbortController();
    const call = failureOf(
      cspm.scans.get({ id: SCAN_ID }, { signal: controller.signal }),
      AbortError,
    );
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), PATIENCE);
    await server.requests[0]?.over;
    // Wait until the client has read the response and sleeps.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await endsAtOnce(call, () => controller.abort('gone home'))).toBe(true);
    const error = await call;
    expect(error.cause).toBe('gone home');
    expect(error.attempts.map(({ status }) => status)).toEqual([429]);
  });

  test('aborting a call ends its running request, which is not repeated', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, 'hang');
    const controller = new AbortController();
    const call = failureOf(
      cspm.scans.get({ id: SCAN_ID }, { signal: controller.signal }),
      AbortError,
    );
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), PATIENCE);
    controller.abort();
    expect((await call).cause).toBe(controller.signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  test("a call aborted by the caller's own timeout ends with a TimeoutError and is not retried", async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(GET, 'hang');
    const signal = AbortSignal.timeout(3_000);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }, { signal }), TimeoutError);
    expect(error.cause).toBe(signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  test('a call adds one listener to a signal for any number of attempts', async () => {
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

describe('the result of a call', () => {
  test('a problem document becomes an error with all its members', async () => {
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

  test("a proxy's error page becomes an error with its status", async () => {
    const { server, cspm } = await arrange({ retry: false });
    server.on(GET, { status: 502, body: '<html>Bad Gateway</html>' });
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    expect(error).toMatchObject({ status: 502, code: 'HTTP_502', problem: undefined });
  });

  test('a successful response that is not JSON becomes an error and is not retried', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, { body: 'Welcome to the hotel network' });
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), ApiError);
    expect(error).toMatchObject({
      status: 200,
      code: 'INVALID_RESPONSE',
      message: 'INVALID_RESPONSE: OK; check baseUrl',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a redirect that the browser hides fails at once and says so', async () => {
    // A browser replaces it by an opaque response, whose status is 0 too.
    const { cspm } = await arrange({ fetch: async () => Response.error() });
    const error = await failureOf(cspm.projects.list(), ApiError);
    expect(error).toMatchObject({
      code: 'INVALID_RESPONSE',
      message: 'INVALID_RESPONSE: redirected; check baseUrl',
    });
    expect(error.attempts).toHaveLength(1);
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
