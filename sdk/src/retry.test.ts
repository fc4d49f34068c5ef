import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem, startServer } from '../conformance/server.ts';
import {
  ApiError,
  ConnectionError,
  IdempotencyError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';

const LAUNCH = { projects: ['shop-prod'], profile: 'full' };
const LOGIN = { email: 'ada@example.com', password: 'correct horse' };
const TOKENS = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 900 };

describe('the client retries', () => {
  test.each([408, 429, 500, 502, 503, 504])(
    'the client retries a read that was answered %i',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on(`GET /scans/${SCAN_ID}`, { status }, { body: scan() });
      await cspm.scans.get({ id: SCAN_ID });
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each([408, 429, 500, 502, 503, 504])(
    'the client retries a launch that was answered %i, with its key',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on('POST /scans', { status }, { status: 202, body: scan() });
      await cspm.scans.launch(LAUNCH);
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each(['reset', 'cut'] as const)(
    'the client retries a POST whose connection broke (%s), with its key',
    async (how) => {
      const { server, cspm } = await arrange();
      server.on('POST /scans', how, { status: 202, body: scan() });
      await cspm.scans.launch(LAUNCH);
      const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test('the client retries a POST that the contract declares safe after a connection reset', async () => {
    const { server, cspm } = await arrange();
    server.on('POST /preflight', 'reset', { body: { decision: 'ready' } });
    expect(await cspm.preflight.run(LAUNCH)).toEqual({ decision: 'ready' });
  });

  test('the client retries a DELETE, which is idempotent, after a connection reset', async () => {
    const { server, cspm } = await arrange();
    server.on('DELETE /projects/shop-prod', 'reset', { status: 204 });
    expect(await cspm.projects.delete({ name: 'shop-prod' })).toBeUndefined();
  });

  test('the client retries a request whose Idempotency-Key is in use', async () => {
    const { server, cspm } = await arrange();
    const running = problem(409, 'IDEMPOTENCY_KEY_IN_USE');
    server.on('POST /scans', running, { status: 202, body: scan() });
    await cspm.scans.launch(LAUNCH);
    expect(server.requests).toHaveLength(2);
  });

  test('the client retries any call that was answered 429, even one that must not be repeated otherwise', async () => {
    const { server, cspm } = await arrange();
    server.on('POST /auth/login', problem(429, 'RATE_LIMITED'), { body: TOKENS });
    await cspm.auth.login(LOGIN);
    expect(server.requests).toHaveLength(2);
  });

  test('the client retries any call whose connection was refused, because nothing was sent', async () => {
    const gone = await startServer();
    await gone.close();
    const { client } = await arrange();
    const cspm = client({ baseUrl: gone.url });
    const error = await failureOf(cspm.auth.login(LOGIN), ConnectionError);
    expect(error.attempts).toHaveLength(3);
    expect(error.status).toBeUndefined();
  });

  test.each([
    'connect ECONNREFUSED 127.0.0.1:1',
    'getaddrinfo ENOTFOUND service.example',
    'connect ETIMEDOUT 192.0.2.1:443',
    'client error (Connect): tcp connect error',
  ])('the client retries any call that failed with "%s", with any fetch', async (message) => {
    const { client } = await arrange();
    let calls = 0;
    const refusing = async () => {
      calls += 1;
      throw new TypeError('fetch failed', { cause: new Error(message) });
    };
    await failureOf(client({ fetch: refusing }).auth.login(LOGIN), ConnectionError);
    expect(calls).toBe(3);
  });

  test('the client retries an attempt that timed out if a repetition does no harm', async () => {
    const { server, cspm } = await arrange({ attemptTimeoutMs: 2_000 });
    server.on(`GET /scans/${SCAN_ID}`, 'hang', { body: scan() });
    const { attempts } = await cspm.scans.get({ id: SCAN_ID }).withResponse();
    expect(attempts.map(({ status }) => status)).toEqual([undefined, 200]);
    expect(attempts[0]?.error?.name).toBe('TimeoutError');
  });
});

describe('the client does not retry', () => {
  test.each([408, 500, 502, 503, 504])(
    'the client does not retry a sign-in that was answered %i',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on('POST /auth/login', { status });
      await failureOf(cspm.auth.login(LOGIN), ApiError);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each(['reset', 'cut'] as const)(
    'the client does not retry a sign-in whose connection broke: %s',
    async (how) => {
      const { server, cspm } = await arrange();
      server.on('POST /auth/login', how);
      await failureOf(cspm.auth.login(LOGIN), ConnectionError);
      expect(server.requests).toHaveLength(1);
    },
  );

  test('the client does not retry a sign-in that timed out', async () => {
    // Long enough for the request to arrive on a busy machine.
    const { server, cspm } = await arrange({ attemptTimeoutMs: 2_000 });
    server.on('POST /auth/login', 'hang');
    await failureOf(cspm.auth.login(LOGIN), TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [422, 'IDEMPOTENCY_KEY_MISMATCH'],
    [422, 'PREFLIGHT_BLOCKED'],
    [501, 'INTERNAL'],
  ])('the client does not retry a refusal with %i %s', async (status, code) => {
    const { server, cspm } = await arrange();
    server.on('POST /scans', problem(status, code));
    const error = await failureOf(cspm.scans.launch(LAUNCH), ApiError);
    expect([error.status, error.code]).toEqual([status, code]);
    expect(server.requests).toHaveLength(1);
  });

  test('the client does not retry a probe that was answered, whatever the status', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /health/ready', { status: 503, body: { status: 'unavailable', checks: {} } });
    await failureOf(cspm.meta.ready(), UnavailableError);
    expect(server.requests).toHaveLength(1);
    server.on('GET /health/ready', 'reset', { body: { status: 'ok', checks: {} } });
    await cspm.meta.ready();
    expect(server.requests).toHaveLength(3);
  });

  test('the client does not retry anything with `retry: false` on the client or the call', async () => {
    const { server, cspm, client } = await arrange();
    server.on(`GET /scans/${SCAN_ID}`, { status: 503 });
    await failureOf(cspm.scans.get({ id: SCAN_ID }, { retry: false }));
    await failureOf(client({ retry: false }).scans.get({ id: SCAN_ID }));
    expect(server.requests).toHaveLength(2);
  });
});

describe('a retried call', () => {
  test('a call makes three attempts by default, each listed in the error', async () => {
    const { server, cspm } = await arrange();
    server.on('POST /scans', 'reset', { status: 503 }, problem(409, 'IDEMPOTENCY_KEY_IN_USE'));
    const error = await failureOf(cspm.scans.launch(LAUNCH), IdempotencyError);
    expect(error.attempts.map(({ status }) => status)).toEqual([undefined, 503, 409]);
    expect(error.attempts[0]?.error).toBeInstanceOf(Error);
  });

  test('a call uses its own retry options before those of the client', async () => {
    const { server, cspm } = await arrange({ retry: { maxAttempts: 2, budget: false } });
    server.on(`GET /scans/${SCAN_ID}`, { status: 503 });
    await failureOf(cspm.scans.get({ id: SCAN_ID }));
    await failureOf(cspm.scans.get({ id: SCAN_ID }, { retry: { maxAttempts: 5 } }));
    expect(server.requests).toHaveLength(2 + 5);
  });

  test('a retried call has a backoff bound of 100 ms that doubles, and of one second after a 429', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0.999;
    server.on(`GET /scans/${SCAN_ID}`, { status: 503 });
    await failureOf(cspm.scans.get({ id: SCAN_ID }));
    server.on(`GET /scans/${SCAN_ID}`, { status: 429 });
    await failureOf(cspm.scans.get({ id: SCAN_ID }));
    expect(clock.sleeps.map(Math.round)).toEqual([100, 200, 999, 1998]);
  });

  test('a retried call passes number, delay and reason to the observers', async () => {
    const seen: string[] = [];
    const note =
      (what: string) =>
      (event: { attempt: number; delayMs: number; reason?: string | undefined }) =>
        void seen.push(`${what} ${event.attempt} ${event.delayMs} ${event.reason}`);
    const { server, cspm, clock } = await arrange({
      hooks: { onRequest: note('request'), onResponse: note('response'), onRetry: note('retry') },
    });
    clock.chance = () => 0.5;
    server.on('POST /scans', { status: 503 }, 'reset', { status: 202, body: scan() });
    await cspm.scans.launch(LAUNCH);
    expect(seen).toEqual([
      'request 1 0 undefined',
      'response 1 0 undefined',
      'retry 2 50 HTTP_503',
      'request 2 50 HTTP_503',
      'response 2 50 HTTP_503',
      'retry 3 100 CONNECTION_FAILED',
      'request 3 100 CONNECTION_FAILED',
      'response 3 100 CONNECTION_FAILED',
    ]);
    const numbers = server.requests.map(({ headers }) => headers['x-retry-attempt']);
    expect(numbers).toEqual([undefined, '1', '2']);
  });

  test('a retried call lists its attempts in the result when it succeeds', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0.5;
    server.on(`GET /scans/${SCAN_ID}`, { status: 503 }, { status: 500 }, { body: scan() });
    const result = await cspm.scans.get({ id: SCAN_ID }).withResponse();
    expect(result.attempts.map(({ status, delayMs }) => [status, delayMs])).toEqual([
      [503, 0],
      [500, 50],
      [200, 100],
    ]);
    expect(result.retryDelayMs).toBe(150);
    expect(result.correlationId).toBe('test-correlation');
    expect(result.response.status).toBe(200);
  });
});
