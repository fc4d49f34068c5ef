import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem, type Received, type Step } from '../conformance/server.ts';
import {
  AbortError,
  ConnectionError,
  ForbiddenError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';

const GET = `GET /scans/${SCAN_ID}`;
const REFRESH = 'POST /auth/refresh';
const expired = problem(401, 'UNAUTHORIZED');

function tokens(generation: number) {
  return {
    accessToken: `access-${generation}`,
    refreshToken: `refresh-${generation}`,
    tokenType: 'Bearer',
    expiresIn: 900,
  };
}

/** Lets only the token of a generation in. */
function guarded(generation: number): Step {
  return ({ headers }) =>
    headers.authorization === `Bearer access-${generation}` ? { body: scan() } : expired;
}

/** Answers each refresh token with the pair after it. */
function rotate({ body }: Received): Step {
  const { refreshToken } = JSON.parse(body) as { refreshToken: string };
  return { body: tokens(Number(refreshToken.split('-')[1]) + 1) };
}

const session = tokens(1);

describe('a refused token', () => {
  test('is renewed once for ten calls that met the 401 together', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, rotate);
    const calls = Array.from({ length: 10 }, () => cspm.scans.get({ id: SCAN_ID }));
    await Promise.all(calls);
    expect(server.to(REFRESH)).toHaveLength(1);
    expect(server.to(GET)).toHaveLength(20);
  });

  test('is not renewed for a late 401: the newer token is used', async () => {
    const { server, cspm } = await arrange({ session });
    const late: Step = { ...expired, afterMs: 80 };
    server.on(REFRESH, rotate);
    server.on(GET, late, expired, guarded(2));
    const slow = cspm.scans.get({ id: SCAN_ID });
    await cspm.scans.get({ id: SCAN_ID });
    await slow;
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('is replayed once: a second 401 ends the call', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, expired);
    server.on(REFRESH, rotate);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(error.attempts.map(({ status }) => status)).toEqual([401, 401]);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('is not counted as an attempt, and costs no retry', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, { status: 503 }, expired, { status: 503 }, { body: scan() });
    server.on(REFRESH, rotate);
    const { attempts } = await cspm.scans.get({ id: SCAN_ID }).withResponse();
    expect(attempts.map(({ status }) => status)).toEqual([503, 401, 503, 200]);
  });

  test('is replayed under the same Idempotency-Key', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /api-keys', expired, { status: 201, body: { key: 'cspm_x' } });
    server.on(REFRESH, rotate);
    await cspm.apiKeys.create({ name: 'nightly' });
    const keys = server.to('POST /api-keys').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('is left alone on a 403', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(403, 'MFA_REQUIRED'));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }));
    expect(error.name).toBe('MfaRequiredError');
    server.on(GET, problem(403, 'FORBIDDEN'));
    await failureOf(cspm.scans.get({ id: SCAN_ID }), ForbiddenError);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('is left alone on a 401 that is about something else', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(401, 'INVALID_CODE'));
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('can be renewed again and again over the life of a client', async () => {
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
  test('gets the new pair and is awaited before any replay, also that of a late 401', async () => {
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

describe('a renewal that fails', () => {
  test('with a 401 ends the call with its own 401: the session is over', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, problem(401, 'UNAUTHORIZED', { 'x-correlation-id': 'of-the-call' }));
    server.on(REFRESH, expired);
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(error.correlationId).toBe('of-the-call');
    expect(error.attempts).toHaveLength(1);
  });

  test('for a passing reason ends the call with that reason, and the next call tries again', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, problem(503, 'SERVICE_UNAVAILABLE'), rotate);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnavailableError);
    await cspm.scans.get({ id: SCAN_ID });
  });

  test('by a reset is not repeated: the refresh token may be spent', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, expired);
    server.on(REFRESH, 'reset');
    await failureOf(cspm.scans.get({ id: SCAN_ID }), ConnectionError);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('in time leaves each waiting call its own deadline and signal', async () => {
    const { server, cspm } = await arrange({ session });
    server.on(GET, guarded(2));
    server.on(REFRESH, { body: tokens(2), afterMs: 150 });
    const controller = new AbortController();
    setTimeout(() => controller.abort('bored'), 60);
    const input = { id: SCAN_ID };
    const [aborted, timedOut, patient] = await Promise.all([
      failureOf(cspm.scans.get(input, { signal: controller.signal }), AbortError),
      failureOf(cspm.scans.get(input, { timeoutMs: 80 }), TimeoutError),
      cspm.scans.get(input),
    ]);
    expect(aborted.cause).toBe('bored');
    expect(timedOut.attempts.map(({ status }) => status)).toEqual([401]);
    expect(patient.id).toBe(SCAN_ID);
    expect(server.to(REFRESH)).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('gives a client without a credential the session', async () => {
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

  test('a refused sign-in is no refused token', async () => {
    const { server, cspm } = await arrange({ session });
    server.on('POST /auth/login', problem(401, 'INVALID_CREDENTIALS'));
    const login = cspm.auth.login({ email: 'ada@example.com', password: 'wrong' });
    await failureOf(login, UnauthorizedError);
    expect(server.requests).toHaveLength(1);
  });

  test('where no credential is looked at, none is sent', async () => {
    const { server, cspm } = await arrange({ session, tenantId: SCAN_ID });
    server.on('POST /auth/login', { body: tokens(2) });
    server.on('GET /health/live', { body: { status: 'ok', checks: {} } });
    await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
    await cspm.meta.live();
    for (const { headers } of server.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-tenant-id']).toBeUndefined();
    }
  });

  test('signing out lets go of the tokens', async () => {
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
