import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../tests/kit/fixtures.ts';
import { Operator } from '../../tests/kit/operator.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import {
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../tests/kit/test-server.ts';
import { newId } from '../platform/ids.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

/** Sends POST /projects with an Idempotency-Key. */
function create(key: string, body: unknown, on = server) {
  return on.call('/projects', {
    method: 'POST',
    headers: { ...user.key, 'idempotency-key': key },
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

async function jobsOf(tenantId: string): Promise<unknown> {
  const { rows } = await server.database.owner.query(
    `SELECT count(*)::int AS n FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = $1`,
    [tenantId],
  );
  return rows[0]?.n;
}

describe('fifty concurrent launches with one key', () => {
  it('fifty concurrent launches with one key start one scan with one job and one audit row; the others get 409 or its response', async () => {
    const { name } = await new Belongings(server.services, server.database, user.tenant).project();
    const launch = () =>
      server.call('/scans', {
        method: 'POST',
        headers: { ...user.key, 'idempotency-key': 'launch-once' },
        body: { projects: [name], profile: 'full' },
      });
    const replies = await Promise.all(Array.from({ length: 50 }, launch));
    const launched = replies.filter(({ status }) => status === 202);
    const waiting = replies.filter(({ status }) => status === 409);
    expect(launched.length + waiting.length).toBe(50);
    expect(launched.filter((reply) => !isReplay(reply))).toHaveLength(1);
    for (const reply of waiting) {
      expect(reply.json.code).toBe('IDEMPOTENCY_KEY_IN_USE');
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    const late = await launch();
    expect(isReplay(late)).toBe(true);
    for (const reply of [...launched, late]) {
      expect(reply.text).toBe(launched[0]?.text);
      expect(reply.headers.get('location')).toBe(`/scans/${late.json.id}`);
      expect(reply.headers.get('content-type')).toBe(launched[0]?.headers.get('content-type'));
    }
    expect(await countOf('scans')).toBe(1);
    expect(await countOf('scan_projects')).toBe(1);
    expect(await countOf('audit_events')).toBe(1);
    expect(await countOf('idempotency_records')).toBe(1);
    expect(await jobsOf(user.tenant.id)).toBe(1);
  });

  it('fifty concurrent repetitions of a completed launch all get its response', async () => {
    const first = await create('k', { name: 'a' });
    const repeats = await Promise.all(Array.from({ length: 20 }, () => create('k', { name: 'a' })));
    for (const repeat of repeats) {
      expect(repeat.text).toBe(first.text);
      expect(isReplay(repeat)).toBe(true);
    }
    const others = await Promise.all(Array.from({ length: 5 }, () => create('k', { name: 'b' })));
    expect(others.map(({ json }) => json.code)).toEqual(Array(5).fill('IDEMPOTENCY_KEY_MISMATCH'));
  });

  it('fifty concurrent launches with one key over two servers start one scan', async () => {
    const other = await startTestServer({ database: server.database });
    try {
      const name = `two-servers-${newId()}`;
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => create('k', { name }, n % 2 ? other : server)),
      );
      expect(replies.filter((reply) => reply.status === 201 && !isReplay(reply))).toHaveLength(1);
      expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await countOf('projects')).toBe(1);
    } finally {
      await other.close();
    }
  });
});

describe('a stored answer', () => {
  const makeKey = (on: TestServer, headers: Record<string, string>) =>
    on.call('/api-keys', {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'key-once' },
      body: { name: 'nightly' },
    });

  async function withSecrets(appSecrets: string[], use: (on: TestServer) => Promise<void>) {
    const on = await startTestServer({ database: server.database, config: { appSecrets } });
    await use(on).finally(() => on.close());
  }

  it('a stored response is encrypted: a created key is nowhere in the database in plaintext', async () => {
    const made = await makeKey(server, user.session);
    expect(made.status).toBe(201);
    const rows = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql<{ response: Buffer }>({
        name: 'test-sealed',
        text: 'SELECT response, r::text AS all FROM idempotency_records r',
      }),
    );
    const kept = JSON.stringify(rows) + rows.map(({ response }) => response.toString('latin1'));
    for (const part of [made.json.key, made.json.key.split('_')[2], 'nightly']) {
      expect(kept).not.toContain(part);
    }
    const { rows: keys } = await server.database.owner.query(
      `SELECT k::text, encode(k.secret_hash, 'escape') FROM identity.api_keys k`,
    );
    expect(JSON.stringify(keys)).not.toContain(made.json.key.split('_')[2]);
    const audit = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql({ name: 'test-audit-text', text: 'SELECT a::text FROM audit_events a' }),
    );
    expect(JSON.stringify(audit)).not.toContain(made.json.key.split('_')[2]);
  });

  it('a stored response is decrypted by a server that has the old secret and a new one', async () => {
    const made = await makeKey(server, user.session);
    const next = 'the next secret of the application, also long';
    await withSecrets([next, TEST_APP_SECRET], async (on) => {
      const again = await makeKey(on, user.session);
      expect(isReplay(again)).toBe(true);
      expect(again.text).toBe(made.text);
    });
  });

  it('a stored response is lost when the secret that encrypted it is lost', async () => {
    const made = await makeKey(server, user.session);
    await withSecrets(['another secret altogether, and long enough'], async (on) => {
      const { headers } = await on.people.session(user);
      const again = await makeKey(on, headers);
      expect(again.status).toBe(201);
      expect(isReplay(again)).toBe(false);
      expect(again.json.key).not.toBe(made.json.key);
    });
  });

  it('a stored response can be decrypted only for the request that it was stored for', async () => {
    await create('k', { name: 'a' });
    await create('l', { name: 'b' });
    await server.database.owner.query(`
      SELECT set_config('app.tenant_id', '${user.tenant.id}', true);
      UPDATE idempotency_records r SET response = o.response, payload_hash = o.payload_hash
      FROM idempotency_records o WHERE r.key = 'l' AND o.key = 'k'`);
    const reply = await create('l', { name: 'a' });
    expect(isReplay(reply)).toBe(false);
  });
});

describe('a repetition on a server of another release', () => {
  const schedule = { name: 'nightly', profile: 'full', cron: '0 0 1 1 *' };
  const validated = { ...schedule, timezone: 'UTC', pullFirst: false, enabled: true };

  async function launch(body: object) {
    return server.call('/schedules', {
      method: 'POST',
      headers: { ...user.key, 'idempotency-key': 'k' },
      body,
    });
  }

  /** Gives the record the hash that a release stores whose validation returns another body. */
  async function storedAs(body: object): Promise<void> {
    const sorted = Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
    const hash = createHash('sha256')
      .update(JSON.stringify({ body: sorted, params: {}, query: {} }))
      .digest();
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [user.tenant.id]);
    const { rowCount } = await owner.query('UPDATE idempotency_records SET payload_hash = $1', [
      hash,
    ]);
    expect(rowCount).toBe(1);
  }

  it.each([
    ['fewer defaults', ({ pullFirst: _later, ...earlier }: typeof validated) => earlier],
    ['more defaults', (body: typeof validated) => ({ ...body, later: true })],
  ])(
    'a repetition of a request that a release with %s has served gets its response, and another payload does not',
    async (_what, inRelease) => {
      const { name } = await new Belongings(
        server.services,
        server.database,
        user.tenant,
      ).project();
      const sent = { ...schedule, projects: [name] };
      const first = await launch(sent);
      expect(first.status).toBe(201);
      await storedAs(inRelease({ ...validated, ...sent }));
      const again = await launch(sent);
      expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
      expect(isReplay(again)).toBe(true);
      const other = await launch({ ...sent, pullFirst: true });
      expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_MISMATCH' } });
    },
  );

  it('a repetition gets the response that release 0.1.0 stored, which has no hash of the payload as it was sent', async () => {
    const { name } = await new Belongings(server.services, server.database, user.tenant).project();
    const { pullFirst: _later, ...body } = { ...validated, projects: [name] };
    const sorted = Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
    const payloadHash = createHash('sha256')
      .update(JSON.stringify({ body: sorted, params: {}, query: {} }))
      .digest();
    const { tenants, idempotency } = server.services;
    const request = { principal: `user:${user.id}`, operation: 'schedules.create', key: 'k' };
    await tenants.write(user.tenant.id, (db) =>
      idempotency.store(
        db,
        { ...request, payloadHash, sentHash: Buffer.alloc(32) },
        { status: 201, body: { stored: 'before' }, headers: {} },
      ),
    );
    const again = await launch(body);
    expect(again).toMatchObject({ status: 201, json: { stored: 'before' } });
  });
});

describe('a server that dies in the middle', () => {
  it('a server that dies during a request leaves the idempotency key free immediately, and no part of the effect', async () => {
    const other = await startTestServer({ database: server.database });
    const operator = await Operator.at(server.database);
    try {
      const { owner } = server.database;
      // Blocks writes to this table, so the request waits at its last step: the effect is done, the response is not
      // stored.
      await owner.query('BEGIN; LOCK TABLE idempotency_records IN SHARE MODE');
      const hanging = create('k', { name: 'a' });
      const blocked = await operator.waiting(1);
      const meanwhile = await create('k', { name: 'a' }, other);
      expect(meanwhile).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_KEY_IN_USE' } });
      await operator.kill(blocked);
      expect((await hanging).status).toBe(503);
      await owner.query('ROLLBACK');
      const reply = await create('k', { name: 'a' }, other);
      expect(reply.status).toBe(201);
      expect(isReplay(reply)).toBe(false);
      expect(await countOf('projects')).toBe(1);
      expect(await countOf('audit_events')).toBe(1);
    } finally {
      await operator.leave();
      await other.close();
    }
  });
});
