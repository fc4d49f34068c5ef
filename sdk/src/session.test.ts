import { describe, expect, test, vi } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem, type Step } from '../conformance/server.ts';
import {
  expired,
  GET,
  guarded,
  REFRESH,
  rotate,
  session,
  tokens,
} from '../conformance/session-steps.ts';
import {
  AbortError,
  ConnectionError,
  ForbiddenError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';

describe('a refused token', () => {
  test('a refused token is refreshed once for ten calls that got 401 together', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, rotate);
    const calls = Array.from({ length: 10 }, () => cspm.scans.get({ id: SCAN_ID }));
    await Promise.all(calls);
    expect(server.to(REFRESH)).toHaveLength(1);
    expect(server.to(GET)).toHaveLength(20);
  });

  test('a refused token is not refreshed after a late 401: the newer token is used', async () => {
    const { server, cspm } = await arrange({ session });
    const late: Step = { ...expired, afterMs: 80 };
    server.on(REFRESH, rotate);
    server.on(GET, late, expired, guarded(2));
    const slow = cspm.scans.get({ id: SCAN_ID });
    await cspm.scans.get({ id: SCAN_ID });
    await slow;
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('a refused token is retried once: a second 401 ends the call', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, expired);
    server.on(REFRESH, rotate);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(error.attempts.map(({ status }) => status)).toEqual([401, 401]);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('refreshing a refused token does not count as an attempt and costs no retry', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, { status: 503 }, expired, { status: 503 }, { body: scan() });
    server.on(REFRESH, rotate);
    const { attempts } = await cspm.scans.get({ id: SCAN_ID }).withResponse();
    expect(attempts.map(({ status }) => status)).toEqual([503, 401, 503, 200]);
  });

  test('a call with a refused token is retried with the same Idempotency-Key', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /api-keys', expired, { status: 201, body: { key: 'cspm_x' } });
    server.on(REFRESH, rotate);
    await cspm.apiKeys.create({ name: 'nightly' });
    const keys = server.to('POST /api-keys').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('a token is not refreshed after a 403', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(403, 'MFA_REQUIRED'));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }));
    expect(error.name).toBe('MfaRequiredError');
    server.on(GET, problem(403, 'FORBIDDEN'));
    await failureOf(cspm.scans.get({ id: SCAN_ID }), ForbiddenError);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('a token is not refreshed after a 401 with another cause', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(401, 'INVALID_CODE'));
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('the token of a client can be refreshed repeatedly', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(REFRESH, rotate);
    for (const generation of [2, 3, 4]) {
      server.on(GET, guarded(generation));
      await cspm.scans.get({ id: SCAN_ID });
    }
    expect(server.to(REFRESH)).toHaveLength(3);
  });
});

describe('onRefresh', () => {
  test('onRefresh gets the new pair and is awaited before every retry, including that of a late 401', async () => {
    const order: string[] = [];
    const { server, cspm } = await arrange({
      session: {
        ...session,
        async onRefresh(pair) {
          await new Promise((resolve) => setTimeout(resolve, 60));
          order.push(`stored ${pair.accessToken} ${pair.refreshToken}`);
        },
      },
    });
    const replayed: Step = () => {
      order.push('replayed');
      return { body: scan() };
    };
    server.on(GET, expired, { ...expired, afterMs: 30 }, replayed);
    server.on(REFRESH, rotate);
    await Promise.all([cspm.scans.get({ id: SCAN_ID }), cspm.scans.get({ id: SCAN_ID })]);
    expect(order).toEqual(['stored access-2 refresh-2', 'replayed', 'replayed']);
  });
});

describe('a failing refresh', () => {
  test('a refresh that is refused with 401 ends the call with its own 401', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(401, 'UNAUTHORIZED', { 'x-correlation-id': 'of-the-call' }));
    server.on(REFRESH, expired);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(error.correlationId).toBe('of-the-call');
    expect(error.attempts).toHaveLength(1);
    expect(error.cause).toMatchObject({ code: 'UNAUTHORIZED', operation: 'auth.refresh' });
  });

  test('a refresh with a temporary error ends the call with that error, and the next call tries again', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, problem(503, 'SERVICE_UNAVAILABLE'), rotate);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    expect(error.operation).toBe('auth.refresh');
    await cspm.scans.get({ id: SCAN_ID });
  });

  test('a refresh with a connection reset is not repeated, because the refresh token may be spent', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, expired);
    server.on(REFRESH, 'reset');
    await failureOf(cspm.scans.get({ id: SCAN_ID }), ConnectionError);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('a failing refresh keeps the deadline and signal of each waiting call', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    // The refresh waits until both other requests have been sent.
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    server.on(REFRESH, async () => {
      await vi.waitFor(() => expect(server.to(GET)).toHaveLength(3), { timeout: 60_000 });
      await Promise.all(server.to(GET).map(({ over }) => over));
      controller.abort('bored');
      await finished;
      return { body: tokens(2) };
    });
    const controller = new AbortController();
    const input = { id: SCAN_ID };
    const patiently = cspm.scans.get(input);
    const [aborted, timedOut] = await Promise.all([
      failureOf(cspm.scans.get(input, { signal: controller.signal }), AbortError),
      failureOf(cspm.scans.get(input, { timeoutMs: 3_000 }), TimeoutError),
    ]);
    finish();
    const patient = await patiently;
    expect(aborted.cause).toBe('bored');
    expect(timedOut.attempts.map(({ status }) => status)).toEqual([401]);
    expect(patient.id).toBe(SCAN_ID);
    expect(server.to(REFRESH)).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('signing in gives the session to a client without a credential', async () => {
    const { server, client } = await arrange();
    const cspm = client({ apiKey: undefined });
    server.on('POST /auth/login', { body: tokens(5) });
    server.on(REFRESH, rotate);
    server.on(GET, guarded(6));
    await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(GET).map(({ headers }) => headers.authorization)).toEqual([
      'Bearer access-5',
      'Bearer access-6',
    ]);
  });

  test('a wrong password does not count as a refused token', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /auth/login', problem(401, 'INVALID_CREDENTIALS'));
    const login = cspm.auth.login({ email: 'ada@example.com', password: 'wrong' });
    await failureOf(login, UnauthorizedError);
    expect(server.requests).toHaveLength(1);
  });

  test('a client sends no credential to operations that need none', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /auth/login', { body: tokens(2) });
    server.on('GET /health/live', { body: { status: 'ok', checks: {} } });
    await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
    await cspm.meta.live();
    for (const { headers } of server.requests) {
      expect(headers.authorization).toBeUndefined();
    }
  });

  test('a client discards its tokens after sign-out', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /auth/logout', { status: 204 });
    server.on(GET, expired);
    await cspm.auth.logout({ refreshToken: 'of-another-session' });
    await cspm.auth.logout({ refreshToken: session.refreshToken });
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(server.to(GET).map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('a client with an API key keeps using it after a sign-in', async () => {
    const { server, cspm } = await arrange({ apiKey: 'cspm_key' });
    server.on('POST /auth/login', { body: tokens(2) });
    server.on(GET, { body: scan() });
    await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
    await cspm.scans.get({ id: SCAN_ID });
    const { headers } = server.to(GET)[0] ?? {};
    expect(headers?.['x-api-key']).toBe('cspm_key');
    expect(headers?.authorization).toBeUndefined();
  });
});
