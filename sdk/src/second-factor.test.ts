import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID } from '../conformance/arrange.ts';
import { problem, type Step } from '../conformance/server.ts';
import { expired, REFRESH, rotate, session, tokens } from '../conformance/session-steps.ts';
import { ConflictError, MfaRequiredError, TimeoutError } from './errors.ts';
import type { SessionTokens } from './options.ts';

describe('a required second factor', () => {
  const VERIFY = 'POST /auth/2fa/verify';
  const CREATE = 'POST /users';
  const input = { email: 'bo@example.com', role: 'viewer' };
  const wanted = problem(403, 'MFA_REQUIRED');
  /** Accepts only tokens of a session that passed the second factor. */
  const raised: Step = ({ headers }) =>
    headers.authorization === 'Bearer access-9' ? { status: 201, body: { id: SCAN_ID } } : wanted;
  const verified: Step = { body: tokens(9) };

  test('a required second factor is requested, and the call is repeated once with the same key', async () => {
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

  test('a required second factor is requested once for ten calls refused together, and not for later ones', async () => {
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

  test('a second factor is not requested after a late refusal: the newer token is used', async () => {
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

  test('the tokens of a second factor are passed to onRefresh before the call is repeated', async () => {
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

  test('a second factor that is still missing after the repeated call ends the call', async () => {
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
  ])(
    'a call that requires a second factor ends with its own error when the answer is %s',
    async (_, onStepUp, why) => {
      const { server, cspm } = await arrange({ session, onStepUp });
      server.on(CREATE, wanted);
      const error = await failureOf(cspm.users.create(input), MfaRequiredError);
      expect(error.cause).toBe(why);
      expect(error.attempts).toHaveLength(1);
      expect(server.requests).toHaveLength(1);
    },
  );

  test('a wrong second-factor code ends the call with its own error, and the next call asks again', async () => {
    const codes = ['000000', '123456'];
    const { server, cspm } = await arrange({ session, onStepUp: () => codes.shift() });
    server.on(CREATE, raised);
    server.on(VERIFY, problem(401, 'INVALID_CODE'), verified);
    const error = await failureOf(cspm.users.create(input), MfaRequiredError);
    expect(error.operation).toBe('users.create');
    expect(error.cause).toMatchObject({ code: 'INVALID_CODE', operation: 'twoFactor.verify' });
    await cspm.users.create(input);
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('a second factor that fails for another reason than a wrong code ends the call with the failed request', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => '123456' });
    server.on(CREATE, wanted);
    server.on(VERIFY, problem(409, 'CONFLICT'));
    const error = await failureOf(cspm.users.create(input), ConflictError);
    expect(error).toMatchObject({ operation: 'twoFactor.verify', method: 'POST' });
    expect(error.url).toMatch(/\/auth\/2fa\/verify$/);
    expect(error.attempts.map(({ status }) => status)).toEqual([409]);
  });

  test('a second factor does not delay a call beyond its own deadline', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => new Promise(() => {}) });
    server.on(CREATE, wanted);
    await failureOf(cspm.users.create(input, { timeoutMs: 50 }), TimeoutError);
  });

  test('a token that expired during a second factor is refreshed', async () => {
    const { server, cspm } = await arrange({ session, onStepUp: () => '123456' });
    server.on(CREATE, raised);
    server.on(REFRESH, rotate);
    server.on(VERIFY, ({ headers }) =>
      headers.authorization === 'Bearer access-2' ? verified : expired,
    );
    await cspm.users.create(input);
    expect(server.to(REFRESH)).toHaveLength(1);
  });

  test('a second factor is not requested for a client with an API key', async () => {
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

  test('a second factor that is passed explicitly gives the client the new tokens', async () => {
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
