import { FEATURES } from '@cspm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../testing/breakable-database.ts';
import { type ContractCase, contractCases, ownerOf, pathOf } from '../testing/contract-cases.ts';
import { cloneDatabase, type TestDatabase } from '../testing/database.ts';
import { Operator } from '../testing/operator.ts';
import { inOwnTime } from '../testing/own-time.ts';
import type { TestUser } from '../testing/people.ts';
import { replyFaults } from '../testing/reply-faults.ts';
import { type Call, type Reply, startTestServer, type TestServer } from '../testing/test-server.ts';

/** In which a client is told, at the latest. */
const SOON_MS = 2_500;

let real: TestDatabase;
let way: BreakableDatabase;
let server: TestServer;
let user: TestUser;
let operator: Operator;

beforeAll(async () => {
  real = await cloneDatabase();
  operator = await Operator.at(real);
  way = await breakable(real);
  server = await startTestServer({ database: way.database });
  user = await server.people.user({ tenant: await server.people.tenant(FEATURES) });
});

afterAll(async () => {
  await server.close();
  await way.close();
  await operator.leave();
  await real.drop();
});

async function timed(path: string, call: Call): Promise<{ reply: Reply; tookMs: number }> {
  const { result: reply, tookMs } = await inOwnTime(server.call(path, call));
  return { reply, tookMs };
}

describe('while the database is out of reach', () => {
  /** Made beforehand: nothing can be made while it is away. */
  const requests: { subject: ContractCase; path: string; call: Call }[] = [];

  beforeAll(async () => {
    const owner = ownerOf(server, user);
    for (const subject of contractCases()) {
      const params = await subject.example.params?.(owner);
      const query = await subject.example.query?.(owner);
      const body = await subject.example.body?.(owner);
      const type = subject.example.contentType;
      const headers = { ...user.session, ...(type === undefined ? {} : { 'content-type': type }) };
      const { method, metadata: policy } = subject.route;
      const sent = policy.body === 'none' ? {} : { body };
      const path = pathOf(subject, params, query);
      requests.push({ subject, path, call: { method, headers, ...sent } });
    }
  });

  afterEach(() => way.mend());

  it('every operation that needs it answers 503 with Retry-After, soon, and recovers without a restart', async () => {
    await way.cut();
    for (const { subject, path, call } of requests) {
      const { reply, tookMs } = await timed(path, call);
      expect(tookMs).toBeLessThan(SOON_MS);
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

  it('no credential is taken for another or called invalid: it fails closed', async () => {
    await way.cut();
    const both = { ...user.session, ...user.key };
    for (const headers of [user.key, user.session, both]) {
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
      expect(reply.headers.has('x-tenant-id')).toBe(false);
    }
  });

  it('what is no credential by its form is refused as ever', async () => {
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

  it('the process says that it lives and that it cannot serve', async () => {
    await way.cut();
    expect((await server.call('/health/live')).json).toEqual({ status: 'ok', checks: {} });
    const ready = await server.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.json).toEqual({
      status: 'unavailable',
      checks: { database: 'failing', migrations: 'ok', traffic: 'ok' },
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
  ])('%s, that one is answered 503 and the next is served', async (_when, table, call, code) => {
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
  });

  it('while nobody uses it, nobody is the worse for it', async () => {
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

describe('when every connection is taken', () => {
  it('whoever waits too long is answered 503, and all is well once they are free', async () => {
    const { owner } = real;
    await owner.query('BEGIN; LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
    const ask = () => timed('/projects', { headers: user.key });
    const hanging = Array.from({ length: 10 }, ask);
    await operator.waiting(10);
    const { reply, tookMs } = await ask();
    expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
    expect(tookMs).toBeLessThan(SOON_MS);
    expect((await server.call('/health/live')).status).toBe(200);
    await owner.query('ROLLBACK');
    for (const held of await Promise.all(hanging)) expect(held.reply.status).toBe(200);
    expect((await ask()).reply.status).toBe(200);
  });
});
