import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BreakableDatabase, breakable } from '../../tests/kit/breakable-database.ts';
import { ownerOf } from '../../tests/kit/case-inputs.ts';
import { contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { MARKED_HEADERS, MARKER, markedBody } from '../../tests/kit/marked-requests.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

/** About fifteen sequential requests to each operation: minutes on a busy machine. */
const WALK_MS = 900_000;

const cases = contractCases();

describe('the log, at its most talkative,', () => {
  let real: TestDatabase;
  let way: BreakableDatabase;
  let server: TestServer;
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line) };

  beforeAll(async () => {
    real = await cloneDatabase();
    way = await breakable(real);
    server = await startTestServer({ database: way.database, log });
  });

  afterAll(async () => {
    await server.close();
    await way.close();
    await real.drop();
  });

  beforeEach(() => {
    lines.length = 0;
  });

  const linesWith = (secret: string) =>
    lines.filter((line) => line.toLowerCase().includes(secret.toLowerCase()));

  /** Puts the marker into the query, the path, every member of every body, and the given headers. */
  async function sendMarkerEverywhere(
    credential: Record<string, string>,
    marked: readonly Record<string, string>[],
  ) {
    for (const subject of cases) {
      const { method, metadata: policy } = subject.route;
      const path = pathOf(subject, Object.fromEntries(subject.parameters.map((p) => [p, MARKER])));
      const body = markedBody(subject.route);
      const send = (headers: Record<string, string>, search = '') =>
        server.call(path + search, {
          method,
          headers: { ...credential, ...headers },
          ...(policy.body === 'none' ? {} : { body }),
        });
      await send({}, `?cursor=${MARKER}&token=${MARKER}`);
      await send({ 'content-type': MARKER });
      for (const headers of marked) await send(headers);
    }
  }

  it('the log has the operation, the caller and the outcome of each request', async () => {
    const user = await server.people.user();
    lines.length = 0;
    const reply = await server.call(`/projects?limit=1`, { headers: user.key });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-/),
        correlationId: reply.headers.get('x-correlation-id'),
        operation: 'projects.list',
        route: '/projects',
        tenant: user.tenant.id,
        principal: user.id,
        method: 'GET',
        status: 200,
        durationMs: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  it(
    'the log never contains a value of a request, wherever it was sent',
    async () => {
      const user = await server.people.user();
      const oneByOne = Object.entries(MARKED_HEADERS).map(([name, value]) => ({ [name]: value }));
      await sendMarkerEverywhere(user.session, [{}, ...oneByOne]);
      await sendMarkerEverywhere({}, [{}, MARKED_HEADERS]);
      expect(lines.length).toBe(cases.length * (3 + oneByOne.length + 4));
      expect(linesWith(MARKER.slice(0, 12))).toEqual([]);
    },
    WALK_MS,
  );

  it('the log never contains a secret that the server issued', async () => {
    const user = await server.people.user();
    const { json: tokens } = await server.call('/auth/login', {
      method: 'POST',
      body: { email: user.email, password: user.password },
    });
    const { json: renewed } = await server.call('/auth/refresh', {
      method: 'POST',
      body: { refreshToken: tokens.refreshToken },
    });
    const { json: made } = await server.call('/api-keys', {
      method: 'POST',
      headers: { authorization: `Bearer ${renewed.accessToken}`, 'idempotency-key': 'once' },
      body: { name: 'logged' },
    });
    await server.call('/scans', { headers: { 'x-api-key': made.key } });
    const secrets = [tokens, renewed].flatMap((t) => [t.accessToken, t.refreshToken]);
    expect(lines).not.toEqual([]);
    for (const secret of [...secrets, made.key, made.key.split('_')[2], user.password]) {
      expect(linesWith(secret)).toEqual([]);
    }
  });

  it(
    'the log contains no value of a request while the database is unreachable, but the reason of the refusal',
    async () => {
      const owner = ownerOf(server, await server.people.user());
      await way.cut();
      try {
        await sendMarkerEverywhere(owner.user.session, [
          {},
          { cookie: MARKER, 'user-agent': MARKER },
        ]);
      } finally {
        await way.mend();
      }
      const errors = lines.filter((line) => JSON.parse(line).level === 'error');
      expect(errors.length).toBeGreaterThan(cases.length);
      expect(linesWith(MARKER.slice(0, 12))).toEqual([]);
      expect(linesWith('Bearer ')).toEqual([]);
    },
    WALK_MS,
  );

  it('a correlation id with a line break is replaced in the log', async () => {
    const reply = await server.call('/rules', { headers: { 'x-correlation-id': 'a b' } });
    expect(JSON.parse(lines[0] ?? '{}').correlationId).toBe(reply.headers.get('x-correlation-id'));
    expect(lines.join('')).not.toContain('a b');
  });
});

/** Finds members by name at any depth of a schema. */
const SECRET_NAMES = /password|token$|^key$|secret|codes?$|^credential$|totp|otpauth|saml/i;

describe('the members of the contract that carry a secret', () => {
  it('the list of contract members with secrets is complete: a new one must be reviewed', () => {
    const named = cases.flatMap(({ name, route }) => {
      const body = 'body' in route ? route.body : undefined;
      const shapes: [string, unknown][] = [['request', body], ...Object.entries(route.responses)];
      return shapes.flatMap(([where, schema]) => {
        const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
        const secret = members.filter((member) => SECRET_NAMES.test(member));
        return secret.length === 0 ? [] : [`${name} ${where}: ${secret.join(' ')}`];
      });
    });
    expect(named).toEqual([
      'auth.login request: password totp recoveryCode',
      'auth.login 200: accessToken refreshToken',
      'auth.refresh request: refreshToken',
      'auth.refresh 200: accessToken refreshToken',
      'auth.logout request: refreshToken',
      'auth.register request: password',
      'auth.verifyEmail request: token',
      'auth.resetPassword request: token password',
      'auth.acceptInvite request: token',
      'auth.changePassword request: currentPassword newPassword',
      'auth.google request: credential',
      'auth.google 200: accessToken refreshToken',
      'auth.googleCallback request: id_token',
      'auth.exchange request: code',
      'auth.exchange 200: accessToken refreshToken',
      'auth.confirm request: token password code mailToken',
      'auth.confirm 200: accessToken refreshToken',
      'auth.confirmMail request: token',
      // Whether people can sign in with a password, and with SAML.
      'auth.methods 200: password saml',
      'auth.me 200: credential',
      'twoFactor.setup request: password',
      'twoFactor.setup 200: secret otpauthUri',
      'twoFactor.enable request: password code',
      'twoFactor.enable 200: recoveryCodes',
      'twoFactor.verify request: code',
      'twoFactor.verify 200: accessToken refreshToken',
      'twoFactor.disable request: password code',
      'twoFactor.recoveryCodes request: password code',
      'twoFactor.recoveryCodes 200: recoveryCodes',
      'apiKeys.create 201: key',
      'saml.acs request: SAMLResponse',
      'sources.set request: credential',
      // Why a pull failed.
      'pulls.start 202: problemCode',
      'pulls.get 200: problemCode',
      // Until when the previous secret signs.
      'webhooks.create 201: previousSecretUntil secret',
      'webhooks.get 200: previousSecretUntil',
      'webhooks.update 200: previousSecretUntil',
      'webhooks.rotateSecret 201: secret previousSecretUntil',
      'meta.problem 200: code',
    ]);
  });
});
