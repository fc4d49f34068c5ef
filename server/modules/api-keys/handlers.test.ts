import { API_KEYS_MAX } from '@cspm/contract';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../tests/kit/people.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let admin: TestUser;
let viewer: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  admin = await server.people.user();
  viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
});

const create = (user: TestUser, body: unknown = { name: 'nightly' }, headers = {}) =>
  server.call('/api-keys', { method: 'POST', headers: { ...user.session, ...headers }, body });

const list = (user: TestUser, search = '') =>
  server.call(`/api-keys${search}`, { headers: user.session });

const revoke = (user: TestUser, id: string) =>
  server.call(`/api-keys/${id}`, { method: 'DELETE', headers: user.session });

const idsOf = (reply: { json: { items: { id: string }[] } }) =>
  reply.json.items.map(({ id }) => id);

describe('a new API key', () => {
  it('a new API key is shown in full once, works immediately, and authenticates its creator', async () => {
    const reply = await create(viewer);
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'nightly',
      prefix: reply.json.key.slice(0, 17),
      key: expect.stringMatching(/^cspm_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
    });
    const me = await server.call('/auth/me', { headers: { 'x-api-key': reply.json.key } });
    expect(me.json).toMatchObject({
      user: { id: viewer.id },
      tenant: { id: admin.tenant.id },
      role: 'viewer',
      credential: { kind: 'api_key' },
    });
  });

  it('a new API key is never shown again', async () => {
    const { json: made } = await create(admin);
    const { text, json } = await list(admin);
    expect(idsOf({ json })).toContain(made.id);
    expect(text).not.toContain(made.key);
    expect(text).not.toContain(made.key.split('_')[2]);
  });

  it('a new API key is different each time', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create(admin)));
    expect(new Set(made.map(({ json }) => json.key)).size).toBe(5);
  });

  it('a new API key cannot create another key, because that requires a session', async () => {
    const { json } = await create(admin);
    const reply = await server.call('/api-keys', {
      method: 'POST',
      headers: { 'x-api-key': json.key },
      body: { name: 'bred' },
    });
    expect(reply).toMatchObject({
      status: 403,
      json: {
        code: 'CREDENTIAL_NOT_ALLOWED',
        accepts: ['jwt'],
        detail:
          'This endpoint does not accept your credential. Send an access token (Authorization: Bearer …, from POST /auth/login).',
      },
    });
  });

  it('a new API key is rejected after it expires', async () => {
    const later = await startTestServer({ database: server.database });
    try {
      const expiresAt = new Date(later.clock.now().getTime() + 3600_000).toISOString();
      const { json } = await create(admin, { name: 'short', expiresAt });
      expect(json.expiresAt).toBe(expiresAt);
      const headers = { 'x-api-key': json.key };
      expect((await later.call('/auth/me', { headers })).status).toBe(200);
      later.clock.advance({ hours: 1, seconds: 1 });
      expect((await later.call('/auth/me', { headers })).status).toBe(401);
    } finally {
      await later.close();
    }
  });

  it('a new API key belongs to the tenant that the session had selected', async () => {
    const other = await server.people.user();
    await server.people.join(admin, other.tenant, 'viewer');
    const { json } = await create(admin, { name: 'there' }, { 'x-tenant-id': other.tenant.id });
    const me = await server.call('/auth/me', { headers: { 'x-api-key': json.key } });
    expect(me.json).toMatchObject({ tenant: { id: other.tenant.id }, role: 'viewer' });
    expect(idsOf(await list(admin))).not.toContain(json.id);
  });

  it.each([
    ['in the past', '2020-01-01T00:00:00.000Z'],
    ['without a zone', '2999-01-01T00:00:00.000'],
    ['on a day that is none', '2999-02-30T00:00:00Z'],
    ['that is not a time', 'tomorrow'],
  ])('an API key cannot be created with an expiry %s', async (_when, expiresAt) => {
    const reply = await create(admin, { name: 'never', expiresAt });
    expect(reply).toMatchObject({ status: 400, json: { errors: [{ path: 'body.expiresAt' }] } });
  });

  it('the expiry of a new API key may have any time zone, and is stored in UTC', async () => {
    const { status, json } = await create(admin, {
      name: 'far',
      expiresAt: '2999-01-01T00:00:00+02:00',
    });
    expect(status).toBe(201);
    expect(json.expiresAt).toBe('2998-12-31T22:00:00.000Z');
  });

  it('a new API key is audited with its id, name and prefix only', async () => {
    const { json } = await create(admin, { name: 'audited' });
    const [row] = await trail();
    expect(row).toMatchObject({
      action: 'api_key.created',
      actor_kind: 'jwt',
      actor_id: admin.id,
      subject: json.id,
      detail: { name: 'audited', prefix: json.prefix },
    });
  });
});

describe('the list of API keys', () => {
  it("the list of API keys shows one's own keys, newest first, page by page", async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await create(viewer)).json.id);
    const all = [...made, viewer.keyId];
    expect(idsOf(await list(viewer))).toEqual(all);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        viewer,
        `?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...idsOf(page));
      cursor = page.json.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  it("listing another user's API keys requires admin.users", async () => {
    const reply = await list(viewer, `?userId=${admin.id}`);
    expect(reply).toMatchObject({ status: 403, json: { permission: 'admin.users' } });
    expect((await list(viewer, `?userId=${viewer.id}`)).status).toBe(200);
    expect(idsOf(await list(admin, `?userId=${viewer.id}`))).toEqual([viewer.keyId]);
  });

  it('listing their own API keys requires no permission of users, with their id in either letter case', async () => {
    const reply = await list(viewer, `?userId=${viewer.id.toUpperCase()}`);
    expect(reply.status).toBe(200);
    expect(idsOf(reply)).toEqual([viewer.keyId]);
  });

  it("the list of API keys contains none of another tenant's user, even for an admin who knows the id", async () => {
    const foreign = await server.people.user();
    expect((await list(admin, `?userId=${foreign.id}`)).json.items).toEqual([]);
  });

  it('the list of API keys of a user with two tenants contains only those of this tenant', async () => {
    const foreign = await server.people.user();
    await server.people.join(foreign, admin.tenant, 'viewer');
    expect((await list(admin, `?userId=${foreign.id}`)).json.items).toEqual([]);
  });

  it('the list of API keys omits revoked keys', async () => {
    await revoke(viewer, viewer.keyId);
    expect((await list(viewer)).json.items).toEqual([]);
  });

  it('the list of API keys requested with a key shows the keys of its owner', async () => {
    const reply = await server.call('/api-keys', { headers: viewer.key });
    expect(idsOf(reply)).toEqual([viewer.keyId]);
  });

  it.each(['AAAA', 'not-base64!', '%00', '=', 'x'.repeat(201)])(
    'the list of API keys rejects an invalid cursor: %s',
    async (cursor) => {
      const reply = await list(admin, `?cursor=${cursor}`);
      expect(reply).toMatchObject({ status: 400, json: { errors: [{ path: 'query.cursor' }] } });
    },
  );

  it.each(['0', '101', '-1', '1.5', '1e1', 'x', '', '99999999999999999999', '1&limit=2'])(
    'the list of API keys rejects the limit %s',
    async (limit) => {
      const reply = await list(admin, `?limit=${limit}`);
      expect(reply).toMatchObject({ status: 400, json: { errors: [{ path: 'query.limit' }] } });
    },
  );
});

describe('a revoked API key', () => {
  it('a revoked API key is rejected on the next request', async () => {
    expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(200);
    expect((await revoke(viewer, viewer.keyId)).status).toBe(204);
    expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(401);
    const [row] = await trail();
    expect(row).toMatchObject({
      action: 'api_key.revoked',
      actor_id: viewer.id,
      subject: viewer.keyId,
      detail: { userId: viewer.id },
    });
  });

  it('an API key may revoke itself', async () => {
    const reply = await server.call(`/api-keys/${viewer.keyId}`, {
      method: 'DELETE',
      headers: viewer.key,
    });
    expect(reply.status).toBe(204);
    expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(401);
  });

  it('an API key can be revoked by its owner or by a user administrator of the tenant', async () => {
    expect((await revoke(viewer, admin.keyId)).status).toBe(404);
    expect((await server.call('/auth/me', { headers: admin.key })).status).toBe(200);
    expect((await revoke(admin, viewer.keyId)).status).toBe(204);
    expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(401);
  });

  it('a revoked API key cannot be revoked again', async () => {
    expect((await revoke(admin, admin.keyId)).status).toBe(204);
    expect((await revoke(admin, admin.keyId)).status).toBe(404);
    const done = (await trail()).filter(({ outcome }) => outcome === 'success');
    expect(done.map(({ action }) => action)).toEqual(['api_key.revoked']);
  });

  it('revoking an API key does not affect other keys', async () => {
    const { json } = await create(viewer);
    await revoke(viewer, json.id);
    expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(200);
  });

  it.each(['PATCH', 'PUT', 'GET'])(
    'an API key cannot be changed or read with %s',
    async (method) => {
      const reply = await server.call(`/api-keys/${newId()}`, { method, headers: admin.session });
      expect(reply.status).toBe(405);
    },
  );
});

describe('the last use of an API key', () => {
  const lastUse = async () => {
    await server.services.authenticator.keyUse.settle();
    return (await list(viewer)).json.items[0].lastUsedAt;
  };
  const use = () => server.call('/auth/me', { headers: viewer.key });

  it('the last use of an API key is recorded to the minute', async () => {
    expect(await lastUse()).toBeNull();
    const before = server.clock.now();
    await use();
    const first = await lastUse();
    expect(new Date(first).getTime()).toBeGreaterThanOrEqual(before.getTime() - 1);
    server.clock.advance({ seconds: 50 });
    for (let count = 0; count < 5; count += 1) await use();
    expect(await lastUse()).toBe(first);
    server.clock.advance({ seconds: 11 });
    await use();
    expect(new Date(await lastUse()).getTime()).toBeGreaterThan(new Date(first).getTime() + 60_000);
  });

  it('the last use of an API key does not change when a request with it is rejected', async () => {
    await server.database.owner.query(
      'UPDATE identity.users SET disabled_at = now() WHERE id = $1',
      [viewer.id],
    );
    expect((await use()).status).toBe(401);
    await server.services.authenticator.keyUse.settle();
    const { rows } = await server.database.owner.query(
      'SELECT last_used_at FROM identity.api_keys WHERE id = $1',
      [viewer.keyId],
    );
    expect(rows).toEqual([{ last_used_at: null }]);
  });
});

/** Audit rows, newest first. */
function trail() {
  return server.services.tenants.read(admin.tenant.id, (db) =>
    db.sql<QueryResultRow>({
      name: 'test-keys-trail',
      text: 'SELECT * FROM audit_events ORDER BY id DESC',
    }),
  );
}

describe('many API keys', () => {
  /** Inserts keys of a person, without the limit of the API. */
  const plant = (
    user: TestUser,
    count: number,
    member: 'expires_at' | 'revoked_at' | null,
    days = 0,
  ) =>
    server.database.owner.query(
      `INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at${member === null ? '' : `, ${member}`})
       SELECT id, left(replace(id::text, '-', ''), 12), $1, $2, 'planted', '', $4${member === null ? '' : ', $4 - make_interval(days => $5)'}
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $3::int)) n`.replaceAll(
        '$4',
        '$4::timestamptz',
      ),
      [user.tenant.id, user.id, count, server.clock.now(), ...(member === null ? [] : [days])],
    );

  const keysOf = async (user: TestUser) => {
    const { rows } = await server.database.owner.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM identity.api_keys WHERE user_id = $1',
      [user.id],
    );
    return rows[0]?.count;
  };

  it('a person cannot have more than 100 active API keys in a tenant, even with requests at the same moment', async () => {
    await plant(viewer, 5, 'revoked_at');
    await plant(viewer, 5, 'expires_at');
    // The fixture made one key.
    await plant(viewer, API_KEYS_MAX - 3, null);
    const replies = await Promise.all(Array.from({ length: 4 }, () => create(viewer)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const refused = await create(viewer);
    expect(refused.json).toMatchObject({
      code: 'CONFLICT',
      detail: 'You have 100 active API keys in this tenant, which is the limit. Revoke one first.',
    });
    expect((await create(admin)).status).toBe(201);
    const created = replies.find(({ status }) => status === 201);
    expect((await revoke(viewer, created?.json.id)).status).toBe(204);
    expect((await create(viewer)).status).toBe(201);
  });

  it('API keys are deleted 90 days after they were revoked or expired, and active ones never', async () => {
    const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
    try {
      const before = (await keysOf(viewer)) ?? 0;
      await plant(viewer, 1, 'revoked_at', 91);
      await plant(viewer, 1, 'expires_at', 91);
      await plant(viewer, 1, 'revoked_at', 89);
      await plant(viewer, 1, 'expires_at', 89);
      await retentionOf(server, pool)();
      expect(await keysOf(viewer)).toBe(before + 2);
    } finally {
      await pool.end();
    }
  });
});
