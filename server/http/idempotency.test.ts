import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../tests/kit/fixtures.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { rawRequest } from '../../tests/kit/raw-request.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

interface Keyed {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly on?: TestServer;
}

/** Sends POST /projects with an Idempotency-Key. */
function create(
  key: string,
  body: unknown,
  { path = '/projects', headers, on = server }: Keyed = {},
) {
  return on.call(path, {
    method: 'POST',
    headers: { ...user.key, 'idempotency-key': key, ...headers },
    body,
  });
}

const isReplay = (reply: Reply) => reply.headers.get('idempotency-replayed') === 'true';

async function countOf(table: string, tenantId = user.tenant.id): Promise<unknown> {
  const [row] = await server.services.tenants.read(tenantId, (db) =>
    db.sql<{ n: number }>({
      name: `test-count-${table}`,
      text: `SELECT count(*)::int AS n FROM ${table}`,
    }),
  );
  return row?.n;
}

describe('a repetition with the same key', () => {
  it('a repetition with the same key gets the bytes of the first response, marked as replayed, and has no effect', async () => {
    const first = await create('k', { name: 'once' });
    const second = await create('k', { name: 'once' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.text).toBe(first.text);
    expect(await countOf('projects')).toBe(1);
    expect(await countOf('audit_events')).toBe(1);
  });

  it('a repetition with the same key and another payload is refused, and the stored response remains', async () => {
    await create('k', { name: 'first' });
    for (const body of [{ name: 'second' }, { name: 'first', description: 'more' }]) {
      const reply = await create('k', body);
      expect(reply).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_MISMATCH' } });
      expect(isReplay(reply)).toBe(false);
    }
    expect(isReplay(await create('k', { name: 'first' }))).toBe(true);
    expect(await countOf('projects')).toBe(1);
  });

  it('a payload is the same with its members in another order or with other white space', async () => {
    await create('k', '{"name":"a","description":"b"}', { headers: json });
    const reordered = await create('k', '{ "description" : "\\u0062", "name":"a" }', {
      headers: json,
    });
    expect(isReplay(reordered)).toBe(true);
  });

  it('a payload with its items in another order is a different payload', async () => {
    const has = new Belongings(server.services, server.database, user.tenant);
    const [a, b] = [(await has.project()).name, (await has.project()).name];
    const launch = (projects: string[]) =>
      create('k', { projects, profile: 'full' }, { path: '/scans' });
    expect((await launch([a, b])).status).toBe(202);
    expect((await launch([b, a])).status).toBe(422);
  });

  it.each([
    ['under /api/v1', 'k', '/api/v1/projects'],
    ['in other letter case and with a slash', 'k', '/API/v1/Projects/'],
    ['with the key in quotes', '"k"', '/projects'],
  ])('a repetition with the same key is recognized %s', async (_what, key, path) => {
    await create('k', { name: 'a' });
    expect(isReplay(await create(key, { name: 'a' }, { path }))).toBe(true);
    expect(await countOf('projects')).toBe(1);
  });

  it('a repetition with the same key is recognized with another credential of the same user', async () => {
    await create('k', { name: 'a' });
    const { tenants } = server.services;
    const reply = await server.call('/projects', {
      method: 'POST',
      headers: { ...user.session, 'idempotency-key': 'k' },
      body: { name: 'a' },
    });
    expect(isReplay(reply)).toBe(true);
    expect(await tenants.read(user.tenant.id, ({ prisma }) => prisma.project.count())).toBe(1);
  });

  it('a repetition gets the stored response only if the caller may still use the operation', async () => {
    await create('k', { name: 'a' });
    await server.people.join(user, user.tenant, 'viewer');
    expect((await create('k', { name: 'a' })).status).toBe(403);
  });

  it('a repetition with the same key is counted against the rate limits like any other request', async () => {
    const has = new Belongings(server.services, server.database, user.tenant);
    const { name } = await has.project();
    const launch = () =>
      server.call('/scans', {
        method: 'POST',
        ip: '192.0.2.77',
        headers: { ...user.key, 'idempotency-key': 'k' },
        body: { projects: [name], profile: 'full' },
      });
    for (let count = 0; count < 10; count += 1) expect((await launch()).status).toBe(202);
    expect((await launch()).status).toBe(429);
  });
});

const json = { 'content-type': 'application/json' };

describe('one idempotency key is independent', () => {
  it('two users of one tenant can use the same idempotency key', async () => {
    const other = await server.people.user({ tenant: user.tenant });
    expect((await create('k', { name: 'mine' })).status).toBe(201);
    const theirs = await create('k', { name: 'theirs' }, { headers: other.key });
    expect(theirs.status).toBe(201);
    expect(isReplay(theirs)).toBe(false);
  });

  it('two tenants of one user can use the same idempotency key', async () => {
    const other = await server.people.user();
    await server.people.join(user, other.tenant, 'admin');
    await create('k', { name: 'a' });
    const theirs = await create('k', { name: 'a' }, { headers: other.key });
    const switched = await server.call('/projects', {
      method: 'POST',
      headers: { ...user.session, 'x-tenant-id': other.tenant.id, 'idempotency-key': 'k' },
      body: { name: 'b' },
    });
    expect([theirs.status, switched.status]).toEqual([201, 201]);
    expect([isReplay(theirs), isReplay(switched)]).toEqual([false, false]);
  });

  it('the same idempotency key at two endpoints of one user has two effects', async () => {
    await create('k', { name: 'a' });
    const reply = await server.call('/api-keys', {
      method: 'POST',
      headers: { ...user.session, 'idempotency-key': 'k' },
      body: { name: 'a' },
    });
    expect(reply.status).toBe(201);
    expect(isReplay(reply)).toBe(false);
  });

  it('an idempotency key in another letter case is a different key', async () => {
    await create('k', { name: 'a' });
    expect((await create('K', { name: 'b' })).status).toBe(201);
  });
});

describe('a key', () => {
  it.each([
    ['of one character', 'x'],
    ['of 255', 'x'.repeat(255)],
    ['of 255 in quotes', `"${'x'.repeat(255)}"`],
    ['of every sign but comma and quotation mark', "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~"],
  ])('an idempotency key %s is accepted', async (_what, key) => {
    expect((await create(key, { name: 'a' })).status).toBe(201);
  });

  it.each([
    ['that is empty', ''],
    ['that is empty in quotes', '""'],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['with a comma', 'a,b'],
    ['with a quotation mark inside', 'a"b'],
    ['with one quotation mark', '"a'],
    ['in two pairs of quotation marks', '""a""'],
    ['beyond ASCII', 'caf\u00e9'],
  ])('an idempotency key %s is answered 400 and has no effect', async (_what, key) => {
    const body = JSON.stringify({ name: 'a' });
    const reply = await rawRequest(server.url, {
      line: 'POST /projects HTTP/1.1',
      headers: [
        `X-API-Key: ${user.key['x-api-key']}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `Idempotency-Key: ${key}`,
      ],
      body,
    });
    expect(reply).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'headers.idempotency-key' }] },
    });
    expect(await countOf('projects')).toBe(0);
  });

  it('an idempotency key is ignored by an endpoint that accepts none', async () => {
    const headers = { ...user.key, 'idempotency-key': 'k' };
    for (let count = 0; count < 2; count += 1) {
      expect(isReplay(await server.call('/projects', { headers }))).toBe(false);
    }
    expect(await countOf('idempotency_records')).toBe(0);
  });

  it.each([
    ['400', { name: 'NOT A NAME' }],
    ['409', { name: 'taken' }],
  ])(
    'an idempotency key can be used again after a request that was refused with %s',
    async (status, body) => {
      await server.call('/projects', {
        method: 'POST',
        headers: user.key,
        body: { name: 'taken' },
      });
      expect((await create('k', body)).status).toBe(Number(status));
      expect(await countOf('idempotency_records')).toBe(0);
      const reply = await create('k', { name: 'now-right' });
      expect(reply.status).toBe(201);
      expect(isReplay(reply)).toBe(false);
    },
  );

  it('the idempotency key of a launch that preflight blocked can be used again once the project is ready', async () => {
    const launch = (projects: string[]) =>
      create('k', { projects, profile: 'full' }, { path: '/scans' });
    expect((await launch(['none'])).status).toBe(422);
    const { name } = await new Belongings(server.services, server.database, user.tenant).project();
    expect((await launch([name])).status).toBe(202);
  });

  it('an idempotency key is forgotten after 24 hours, and not before', async () => {
    const later = await startTestServer({ database: server.database });
    try {
      await create('k', { name: 'a' }, { on: later });
      later.clock.advance({ hours: 23, minutes: 59 });
      expect(isReplay(await create('k', { name: 'a' }, { on: later }))).toBe(true);
      later.clock.advance({ minutes: 1, seconds: 1 });
      const reply = await create('k', { name: 'b' }, { on: later });
      expect(reply.status).toBe(201);
      expect(isReplay(reply)).toBe(false);
      expect(isReplay(await create('k', { name: 'b' }, { on: later }))).toBe(true);
    } finally {
      await later.close();
    }
  });
});
