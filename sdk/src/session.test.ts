import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem, type Received, type Step } from '../conformance/server.ts';
import {
  AbortError,
  ConnectionError,
  ForbiddenError,
  MfaRequiredError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
import type { SessionTokens } from './options.ts';

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
    const { server, cspm } = await arrange({ session });
    server.on('POST /auth/login', { body: tokens(2) });
    server.on('GET /health/live', { body: { status: 'ok', checks: {} } });
    await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse' });
    await cspm.meta.live();
    for (const { headers } of server.requests) {
      expect(headers.authorization).toBeUndefined();
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

describe('a second factor that is wanted', () => {
  const VERIFY = 'POST /auth/2fa/verify';
  const CREATE = 'POST /users';
  const input = { email: 'bo@example.com', role: 'viewer' };
  const wanted = problem(403, 'MFA_REQUIRED');
  /** Opens only to the tokens that the second factor was passed with. */
  const raised: Step = ({ headers }) =>
    headers.authorization === 'Bearer access-9' ? { status: 201, body: { id: SCAN_ID } } : wanted;
  const verified: Step = { body: tokens(9) };

  test('is asked for, and the call is replayed once under the same key', async () => {
    const asked: unknown[] = [];
    const { server, cspm } = await arrange({
      session,
      retry: { maxAttempts: 1 },
      onStepUp: (error) => {
        asked.push(error.code);
        return '123456';
      },
    });
    server.on(CREATE, raised);
    server.on(VERIFY, verified);
    const { attempts } = await cspm.users.create(input).withResponse();
    expect(asked).toEqual(['MFA_REQUIRED']);
    expect(attempts.map(({ status }) => status)).toEqual([403, 201]);
    const [verify] = server.to(VERIFY);
    expect(verify?.headers.authorization).toBe('Bearer access-1');
    expect(JSON.parse(verify?.body ?? '')).toEqual({ code: '123456' });
    const keys = server.to(CREATE).map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/./);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('is asked for once by ten calls that are refused together, and by none after them', async () => {
    let asked = 0;
    const { server, cspm } = await arrange({
      session,
      onStepUp: async () => {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, 30));
        return '123456';
      },
    });
    server.on(CREATE, raised);
    server.on(VERIFY, verified);
    await Promise.all(Array.from({ length: 10 }, () => cspm.users.create(input)));
    await cspm.users.create(input);
    expect([asked, server.to(VERIFY).length]).toEqual([1, 1]);
    expect(server.to(CREATE)).toHaveLength(21);
  });

  test('is not asked for by a late refusal: the newer token is used', async () => {
    let asked = 0;
    const { server, cspm } = await arrange({
      session,
      onStepUp: () => {
        asked += 1;
        return '123456';
      },
    });
    server.on(CREATE, { ...wanted, afterMs: 80 }, raised);
    server.on(VERIFY, verified);
    const slow = cspm.users.create(input);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await cspm.users.create(input);
    await slow;
    expect(asked).toBe(1);
  });

  test('leaves its tokens with onRefresh before the replay', async () => {
    const order: string[] = [];
    const { server, cspm } = await arrange({
      session: {
        ...session,
        async onRefresh({ refreshToken }) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          order.push(`stored ${refreshToken}`);
        },
      },
      onStepUp: () => '123456',
    });
    server.on(CREATE, wanted, () => {
      order.push('replayed');
      return { status: 201, body: { id: SCAN_ID } };
    });
    server.on(VERIFY, verified);
    await cspm.users.create(input);
    expect(order).toEqual(['stored refresh-9', 'replayed']);
  });

  test('that is still wanted after the replay ends the call', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => '123456' });
    server.on(CREATE, wanted);
    server.on(VERIFY, verified);
    const error = await failureOf(cspm.users.create(input), MfaRequiredError);
    expect(error.attempts).toHaveLength(2);
    expect(server.to(VERIFY)).toHaveLength(1);
  });

  const cause = new Error('no terminal');
  test.each<[string, () => string | undefined, unknown]>([
    ['undefined', () => undefined, undefined],
    [
      'an error, its cause',
      () => {
        throw cause;
      },
      cause,
    ],
  ])('and is answered with %s ends the call with its own error', async (_, onStepUp, why) => {
    const { server, cspm } = await arrange({ session, onStepUp });
    server.on(CREATE, wanted);
    const error = await failureOf(cspm.users.create(input), MfaRequiredError);
    expect(error.cause).toBe(why);
    expect(error.attempts).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('and is answered with a wrong code ends the call with its own error; the next call asks again', async () => {
    const codes = ['000000', '123456'];
    const { server, cspm } = await arrange({ session, onStepUp: () => codes.shift() });
    server.on(CREATE, raised);
    server.on(VERIFY, problem(401, 'INVALID_CODE'), verified);
    await failureOf(cspm.users.create(input), MfaRequiredError);
    await cspm.users.create(input);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('waits for nobody longer than the call that wants it', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => new Promise(() => {}) });
    server.on(CREATE, wanted);
    await failureOf(cspm.users.create(input, { timeoutMs: 50 }), TimeoutError);
  });

  test('renews a token that has died meanwhile', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => '123456' });
    server.on(CREATE, raised);
    server.on(REFRESH, rotate);
    server.on(VERIFY, ({ headers }) =>
      headers.authorization === 'Bearer access-2' ? verified : expired,
    );
    await cspm.users.create(input);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('is no matter of a client with an API key', async () => {
    let asked = 0;
    const { server, cspm } = await arrange({
      onStepUp: () => {
        asked += 1;
        return '123456';
      },
    });
    server.on(CREATE, wanted);
    await failureOf(cspm.users.create(input), MfaRequiredError);
    expect(asked).toBe(0);
  });

  test('and is passed by hand gives the client the new tokens', async () => {
    const stored: string[] = [];
    const onRefresh = ({ accessToken }: SessionTokens) => void stored.push(accessToken);
    const { server, cspm } = await arrange({ session: { ...session, onRefresh } });
    server.on(VERIFY, verified);
    server.on(CREATE, raised);
    await cspm.twoFactor.verify({ code: '123456' });
    await cspm.users.create(input);
    expect(stored).toEqual(['access-9']);
  });
});
