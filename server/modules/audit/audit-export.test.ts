import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { type Call, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { personOf, writeAudit } from '../../platform/audit-writer.ts';
import { exportEvents } from './export.ts';

/** Longer than an export goes on without another authorization. */
const A_WHILE_MS = 1_100;

let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function newAdmin(): Promise<TestUser> {
  return server.people.user({ tenant: await server.people.tenant(['audit_export']) });
}

const by = (user: TestUser, path: string, call: Call = {}) =>
  server.call(path, { ...call, headers: { ...user.session, ...call.headers } });

/** Writes rows whose subject is their position. */
async function fill(tenant: TestTenant, count: number): Promise<void> {
  const origin = { ip: '192.0.2.1', correlationId: 'fill', at: server.clock.now() };
  await server.services.tenants.write(tenant.id, async (db) => {
    for (let at = 0; at < count; at += 1) {
      const actor = personOf(null, 'nobody@example.com');
      await writeAudit(db, origin, {
        action: 'auth.login',
        outcome: 'failure',
        actor,
        subject: `${at}`,
      });
    }
  });
}

describe('GET /audit-events/export', () => {
  it('GET /audit-events/export returns the whole trail as NDJSON, oldest first, in the format of the list', async () => {
    admin = await newAdmin();
    await fill(admin.tenant, 1_203);
    const reply = await by(admin, '/audit-events/export');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(reply.headers.get('x-tenant-id')).toBe(admin.tenant.id);
    expect(reply.text.endsWith('\n')).toBe(true);
    const events = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 1_203 }, (_, at) => `${at}`),
    );
    const { json } = await by(admin, '/audit-events?limit=1');
    expect(events.at(-1)).toEqual(json.items[0]);
  });

  it('GET /audit-events/export applies the filters, answers HEAD without a body, and is empty when nothing matches', async () => {
    admin = await newAdmin();
    await fill(admin.tenant, 2);
    await by(admin, '/projects', { method: 'POST', body: { name: 'x' } });
    const filtered = await by(admin, '/audit-events/export?action=project.created');
    expect(filtered.text.split('\n')).toHaveLength(2);
    const none = await by(admin, '/audit-events/export?actor=master_key');
    expect([none.status, none.text]).toEqual([200, '']);
    const head = await by(admin, '/audit-events/export', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await by(admin, '/audit-events/export?limit=1')).status).toBe(400);
  });

  it('GET /audit-events/export requires the feature and the permission', async () => {
    const unlicensed = await server.people.user();
    const reply = await by(unlicensed, '/audit-events/export');
    expect(reply).toMatchObject({ status: 403, json: { feature: 'audit_export' } });
    const analyst = await server.people.user({ tenant: admin.tenant, role: 'analyst' });
    expect((await by(analyst, '/audit-events/export')).json.permission).toBe('admin.audit');
  });

  it('GET /audit-events/export formats at most 50 events in one turn of the event loop', async () => {
    admin = await newAdmin();
    await fill(admin.tenant, 120);
    const counts: number[] = [];
    for await (const piece of exportEvents([server.services.tenants], admin.tenant.id, {})) {
      counts.push(piece.split('\n').length - 1);
    }
    expect(counts).toEqual([50, 50, 20]);
  });

  it('GET /audit-events/export answers with a problem when it fails before the first line', async () => {
    admin = await newAdmin();
    const reply = await torn(() => by(admin, '/audit-events/export'));
    expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('GET /audit-events/export closes the connection when it fails later, so that it does not look complete', async () => {
    const { socket, received } = await slowExport();
    const closed = once(socket, 'close');
    await torn(async () => {
      socket.resume();
    });
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 200 OK/);
    expect(received()).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('GET /audit-events/export ends within a second of the access of a client that reads slowly', async () => {
    const { socket, received } = await slowExport();
    const closed = once(socket, 'close');
    await by(admin, '/auth/logout-all', { method: 'POST' });
    await delay(A_WHILE_MS);
    socket.resume();
    await closed;
    expect(received()).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('GET /audit-events/export goes on while the client reads slowly and has access', async () => {
    const { socket, received } = await slowExport();
    const closed = once(socket, 'close');
    await delay(A_WHILE_MS);
    socket.resume();
    await until('the end', async () => /\r\n0\r\n\r\n$/.test(received()));
    socket.destroy();
    await closed;
  });

  it('GET /audit-events/export holds no connection while the client is slow, and ends when the client disconnects', async () => {
    const { socket } = await slowExport();
    const { pool } = server.services.authenticator;
    const isFree = async () => pool.idleCount === pool.totalCount;
    await until('every connection is free', isFree);
    socket.destroy();
    await until('every connection is free', isFree);
    expect((await by(admin, '/audit-events?limit=1')).status).toBe(200);
  });
});

/** Breaks the database connection while it reads the audit trail. */
async function torn<T>(begin: () => Promise<T>): Promise<T> {
  const { owner } = server.database;
  const { pool } = server.services.authenticator;
  await owner.query('BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE');
  const begun = begin();
  // `begin` may itself wait for the lock, so do not await it here.
  begun.catch(() => undefined);
  const pid = await until('somebody waits for the lock', async () => {
    const pids = await waitingFor(server.database, "l.locktype = 'relation'");
    return pids[0];
  });
  await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  const outcome = await begun;
  await owner.query('ROLLBACK');
  return outcome;
}

/** An export of several MB that the client has stopped reading. */
async function slowExport() {
  admin = await newAdmin();
  await server.services.tenants.write(admin.tenant.id, (db) => db.sql(MANY, [admin.tenant.id]));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    if (pieces.length === 0) socket.pause();
    pieces.push(piece);
  });
  socket.write(
    `GET /audit-events/export HTTP/1.1\r\nHost: x\r\nAuthorization: ${admin.session.authorization}\r\n\r\n`,
  );
  await until('the first piece is there', async () => pieces.length > 0);
  return { socket, received: () => Buffer.concat(pieces).toString('latin1') };
}

/** Several MB of rows, more than the sockets buffer. */
const MANY = {
  name: 'test-many-events',
  text: `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
         SELECT $1, gen_random_uuid(), now() - interval '1 minute', 'auth.login', 'success', 'jwt', '192.0.2.1', 'x',
                json_build_object('filler', repeat('x', 1000))
         FROM generate_series(1, 20000)`,
};
