import { FEATURES } from '@cspm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../../tests/kit/breakable-database.ts';
import { ownerOf } from '../../tests/kit/case-inputs.ts';
import { type ContractCase, contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import { inOwnTime } from '../../tests/kit/cpu-time.ts';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { Operator } from '../../tests/kit/operator.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { replyFaults } from '../../tests/kit/reply-faults.ts';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import {
  type Call,
  type Reply,
  startTestServer,
  type TestServer,
} from '../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../tests/kit/token-issuer.ts';

/** The default of a server. */
const DATABASE_TIMEOUT_MS = 2_000;
/** The latest response time on a quiet machine. */
const SOON_MS = 2_500;
/** A request that waits for the database until its statement times out. */
const HANG_MS = 12_000;

let real: TestDatabase;
let way: BreakableDatabase;
let server: TestServer;
let user: TestUser;
let operator: Operator;
let issuer: TokenIssuer;

beforeAll(async () => {
  real = await cloneDatabase();
  operator = await Operator.at(real);
  way = await breakable(real);
  // Without one, sign-ins with Google are refused before they need the database.
  issuer = await TokenIssuer.start();
  server = await startTestServer({
    issuer,
    database: way.database,
    config: { databaseTimeoutMs: DATABASE_TIMEOUT_MS },
  });
  user = await server.people.user({ tenant: await server.people.tenant(FEATURES) });
});

afterAll(async () => {
  await server.close();
  await issuer.close();
  await way.close();
  await operator.leave();
  await real.drop();
});

async function timed(path: string, call: Call): Promise<{ reply: Reply; tookMs: number }> {
  const { result: reply, tookMs } = await inOwnTime(server.call(path, call));
  return { reply, tookMs };
}

describe('while the database is out of reach', () => {
  /** Created in advance, because nothing can be created during the outage. */
  const requests: { subject: ContractCase; path: string; call: Call }[] = [];

  beforeAll(async () => {
    const owner = ownerOf(server, user);
    for (const subject of contractCases()) {
      const params = await subject.example.params?.(owner);
      const query = await subject.example.query?.(owner);
      const body = await subject.example.body?.(owner);
      const type = subject.example.contentType;
      const headers = {
        ...user.session,
        ...(type === undefined ? {} : { 'content-type': type }),
        ...subject.example.headers?.(),
      };
      const { method, metadata: policy } = subject.route;
      const sent = policy.body === 'none' ? {} : { body };
      const path = pathOf(subject, params, query);
      requests.push({ subject, path, call: { method, headers, ...sent } });
    }
  });

  afterEach(() => way.mend());

  it('operations answer 503 with Retry-After while the database is unreachable, and recover without a restart', async () => {
    await way.cut();
    for (const { subject, path, call } of requests) {
      const { reply, tookMs } = await timed(path, call);
      expect(tookMs, path).toBeLessThan(deadlineMs(SOON_MS, HANG_MS));
      expect(replyFaults(reply, subject.route)).toEqual([]);
      const isPublic = subject.route.metadata.credentials === 'public';
      if (!isPublic) expect(reply.json.code).toBe('AUTH_UNAVAILABLE');
      if (subject.name.startsWith('auth.') && isPublic) {
        expect(reply.json.code).toBe('SERVICE_UNAVAILABLE');
      }
    }
    await way.mend();
    for (const { path, call } of requests.filter(({ call: { method } }) => method === 'GET')) {
      const { status, text } = await server.call(path, call);
      expect(status, `${path}: ${text}`).toBeLessThan(400);
    }
  });

  it('while the database is unreachable, a credential is answered 503 and never accepted or called invalid', async () => {
    await way.cut();
    const both = { ...user.session, ...user.key };
    for (const headers of [user.key, user.session, both]) {
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
      expect(reply.headers.has('x-tenant-id')).toBe(false);
    }
  });

  it('while the database is unreachable, a malformed credential is refused as usual', async () => {
    await way.cut();
    for (const headers of [
      {},
      { authorization: 'Bearer none', ...user.key },
      { authorization: 'Basic YTpi' },
      { 'x-api-key': 'cspm_short' },
      { 'x-master-key': 'any', ...user.key },
    ]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
  });

  it('while the database is unreachable, the process reports that it is alive and not ready', async () => {
    // The server checks for missing migrations until it has found none.
    expect((await server.call('/health/ready')).json.status).toBe('ok');
    await way.cut();
    expect((await server.call('/health/live')).json).toEqual({ status: 'ok', checks: {} });
    const ready = await server.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.json).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      health: { database: 'failing', migrations: 'ok', traffic: 'ok' },
    });
    expect((await server.call('/docs')).status).toBe(200);
    await way.mend();
    expect((await server.call('/health/ready')).json.status).toBe('ok');
  });
});

describe('when the backend of a request is killed', () => {
  it.each<[string, string, Call, string]>([
    ['while it reads', 'projects', {}, 'SERVICE_UNAVAILABLE'],
    [
      'while it writes',
      'projects',
      { method: 'POST', body: { name: 'killed' } },
      'SERVICE_UNAVAILABLE',
    ],
    [
      'while it audits',
      'audit_events',
      { method: 'POST', body: { name: 'killed' } },
      'SERVICE_UNAVAILABLE',
    ],
    ['while its credential is looked up', 'identity.api_keys', {}, 'AUTH_UNAVAILABLE'],
  ])(
    'a request whose database connection is killed %s is answered 503, and the next one is served',
    async (_when, table, call, code) => {
      const { owner } = real;
      await owner.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const hanging = server.call('/projects', { ...call, headers: user.key });
      await operator.kill(await operator.waiting(1));
      const reply = await hanging;
      await owner.query('ROLLBACK');
      expect(reply).toMatchObject({ status: 503, json: { code } });
      expect(replyFaults(reply, null)).toEqual([]);
      const next = await server.call('/projects', { headers: user.key });
      expect(next).toMatchObject({ status: 200, json: { items: expect.any(Array) } });
      expect(next.text).not.toContain('killed');
    },
  );

  it('a killed idle database connection affects no request', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => server.call('/projects', { headers: user.key })),
    );
    await operator.killAll();
    const replies: Reply[] = [];
    for (let count = 0; count < 10; count += 1) {
      replies.push(await server.call('/projects', { headers: user.key }));
    }
    expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(replies.at(-1)?.status).toBe(200);
  });
});

describe('when one tenant has taken its share of connections', () => {
  it('a tenant that uses its share of connections is refused with 503 while others are served, and recovers', async () => {
    const { owner } = real;
    const other = await server.people.user();
    await owner.query('BEGIN; LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
    // Changes may run longer: their statement timeout exceeds the time that a request waits for a connection.
    const ask = (name: string) =>
      server.call('/projects', { method: 'POST', headers: user.key, body: { name } });
    const hanging = Array.from({ length: 10 }, (_, number) => ask(`hanging-${number}`));
    await operator.waiting(7);
    const reply = await ask('one-too-many');
    expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(reply.json.detail).toContain('Your tenant has too many requests waiting');
    expect(reply.headers.get('retry-after')).toBe('1');
    for (const headers of [other.key, other.session]) {
      expect((await server.call('/scans', { headers })).status).toBe(200);
    }
    expect((await server.call('/health/ready')).status).toBe(200);
    await owner.query('ROLLBACK');
    const held = (await Promise.all(hanging)).map(({ status }) => status);
    expect(held.every((status) => status === 201 || status === 503)).toBe(true);
    expect((await ask('afterwards')).status).toBe(201);
  });
});
