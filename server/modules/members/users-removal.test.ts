import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';

const amr = ['pwd', 'otp'];
let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.people.user({ amr });
});

afterAll(() => server.close());

function ask(by: TestUser, method: string, path: string, body?: unknown) {
  return server.call(path, {
    method,
    headers: by.session,
    ...(body === undefined ? {} : { body }),
  });
}

const member = (tenant: TestTenant = admin.tenant) =>
  server.people.user({ tenant, role: 'analyst', amr });
const remove = (id: string, by = admin) => ask(by, 'DELETE', `/users/${id}`);
const launch = (by: TestUser, project: string) =>
  ask(by, 'POST', '/scans', { projects: [project], profile: 'full' });
const labelOf = async (tenant: TestTenant, id: string) =>
  (
    await rowsOf(server.database, tenant.id, 'SELECT label FROM audit_labels WHERE actor_id = $1', [
      id,
    ])
  )[0]?.['label'];

describe('a removed member', () => {
  it('a removed member is rejected from the next request on, by session, key, refresh token and sign-in', async () => {
    const person = await member();
    expect((await remove(person.id)).status).toBe(204);
    const { email, password, refreshToken } = person;
    const replies = [
      await server.call('/auth/me', { headers: person.session }),
      await server.call('/auth/me', { headers: person.key }),
      await server.call('/auth/refresh', { method: 'POST', body: { refreshToken } }),
      await server.call('/auth/login', { method: 'POST', body: { email, password } }),
      await ask(admin, 'GET', `/users/${person.id}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 404]);
  });

  it('removing a member leaves only an id in the audit trail of this tenant', async () => {
    const person = await member();
    const { name } = await new Belongings(server.services, server.database, admin.tenant).project();
    const scan = await launch(person, name);
    expect(scan.json.createdBy.label).toBe(person.email);
    expect(await labelOf(admin.tenant, person.id)).toBe(person.email);
    // Create a mail token and a federated identity, which have no foreign key to the membership.
    await ask(person, 'POST', '/auth/forgot-password', { email: person.email });
    expect(tokenIn((await mailsTo(server, person.email)).at(-1))).not.toBe('');
    await remove(person.id);

    const { rows: tables } = await server.database.owner.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('public', 'identity') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const table of tables) {
      const [row] = await rowsOf(
        server.database,
        admin.tenant.id,
        `SELECT count(*)::int AS rows FROM ${table.name} t WHERE t::text LIKE '%' || $1 || '%'`,
        [person.email],
      );
      expect({ [table.name]: row?.['rows'] }).toEqual({ [table.name]: 0 });
    }
    const trail = await rowsOf(
      server.database,
      admin.tenant.id,
      'SELECT action FROM audit_events WHERE actor_id = $1 ORDER BY id',
      [person.id],
    );
    expect(trail.map(({ action }) => action)).toContain('scan.launched');
    expect((await ask(admin, 'GET', `/scans/${scan.json.id}`)).json.createdBy).toEqual({
      kind: 'jwt',
      id: person.id,
      label: 'removed user',
    });
  });

  it.each(['identity.remove_member', 'cells.erase_member'])(
    'a removed member leaves only an id in the sources and pulls they created (%s)',
    async (erase) => {
      const person = await member();
      const has = new Belongings(server.services, server.database, admin.tenant);
      const { id, project } = await has.pull();
      const query = (sql: string, values: readonly unknown[]) =>
        rowsOf(server.database, admin.tenant.id, sql, values);
      const by = [person.id, person.email];
      const set = 'SET created_by_id = $2, created_by_label = $3';
      await query(`UPDATE sources ${set} WHERE project_id = $1`, [project.id, ...by]);
      await query(`UPDATE pulls ${set} WHERE id = $1`, [id, ...by]);
      await query(`SELECT ${erase}($1)`, [person.id]);
      for (const table of ['sources', 'pulls']) {
        const sql = `SELECT created_by_label AS label FROM ${table} WHERE created_by_id = $1`;
        expect(await query(sql, [person.id])).toEqual([{ label: 'removed user' }]);
      }
    },
  );

  it.each(['identity.remove_member', 'cells.erase_member'])(
    'a removed member leaves only an id in the stored events of webhooks, and others keep their addresses (%s)',
    async (erase) => {
      const [person, other] = [await member(), await member()];
      const query = (sql: string, values: readonly unknown[]) =>
        rowsOf(server.database, admin.tenant.id, sql, values);
      for (const { id, email } of [person, other]) {
        for (const type of ['api_key.created', 'sign_in.locked']) {
          const body = { type, data: { name: 'nightly', user: { id, email } } };
          await query(
            `INSERT INTO webhook_events (tenant_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, now())`,
            [admin.tenant.id, newId(), type, JSON.stringify(body)],
          );
        }
      }
      await query(`SELECT ${erase}($1)`, [person.id]);
      const users = async (id: string) => {
        const sql = `SELECT body::jsonb #> '{data,user}' AS user FROM webhook_events
                     WHERE body::jsonb #>> '{data,user,id}' = $1`;
        return (await query(sql, [id])).map((row) => row['user']);
      };
      const erased = { id: person.id, email: 'removed user' };
      expect(await users(person.id)).toEqual([erased, erased]);
      const { id, email } = other;
      expect(await users(other.id)).toEqual([
        { id, email },
        { id, email },
      ]);
    },
  );

  it("a removed member with another tenant keeps a name in that tenant's audit trail only", async () => {
    const other = await server.people.user({ amr });
    const person = await member();
    await server.people.join(person, other.tenant, 'analyst');
    const there = await server.people.session({ id: person.id, tenant: other.tenant });
    const make = (headers: Record<string, string>) =>
      server.call('/projects', { method: 'POST', headers, body: { name: `p-${newId()}` } });
    await make(person.session);
    await make(there.headers);
    expect((await remove(person.id)).status).toBe(204);
    expect(await labelOf(admin.tenant, person.id)).toBeUndefined();
    expect(await labelOf(other.tenant, person.id)).toBe(person.email);
    expect((await make(there.headers)).status).toBe(201);
    const { email, password } = person;
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.status).toBe(200);
  });

  it("a request that was running during a member's removal does not write their name again", async () => {
    const person = await member();
    const { owner } = server.database;
    // Hold their request just before it writes its audit row, until they are removed.
    await owner.query('BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE');
    const underWay = ask(person, 'POST', '/projects', { name: `p-${newId()}` });
    await until('the request to wait', async () => {
      const { rows } = await server.services.authenticator.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND usename = current_user`,
      );
      return rows.length === 1;
    });
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [admin.tenant.id]);
    await owner.query('SELECT identity.remove_member($1)', [person.id]);
    await owner.query('COMMIT');
    expect((await underWay).status).toBe(201);
    expect(await labelOf(admin.tenant, person.id)).toBeUndefined();
  });

  it('removing a member of another tenant is answered like removing an unknown member, and changes nothing', async () => {
    const stranger = await server.people.user();
    const theirs = await member(stranger.tenant);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { role: 'viewer' }],
      ['DELETE', undefined],
    ] as const) {
      const texts = [];
      for (const id of [theirs.id, newId()]) {
        const reply = await server.call(`/users/${id}`, {
          method,
          headers: { ...admin.session, 'x-correlation-id': 'same' },
          ...(body === undefined ? {} : { body }),
        });
        texts.push(`${reply.status} ${reply.text}`);
      }
      expect(texts[0]).toMatch(/^404 /);
      expect(texts[0]).toBe(texts[1]);
    }
    expect((await server.call('/auth/me', { headers: theirs.key })).json.role).toBe('analyst');
  });
});

describe('the permissions of an API key', () => {
  it('the permissions of an API key never exceed the current permissions of its owner', async () => {
    const person = await member();
    const permissions = async () =>
      (await server.call('/auth/me', { headers: person.key })).json.permissions;
    expect(await permissions()).toContain('scans.launch');
    const role = await server.people.role(admin.tenant, ['rules.read', 'keys.own']);
    await ask(admin, 'PATCH', `/users/${person.id}`, { role });
    expect(await permissions()).toEqual(['rules.read', 'keys.own']);
    await ask(admin, 'PUT', `/roles/${role}`, { permissions: ['rules.read'] });
    expect(await permissions()).toEqual(['rules.read']);
  });

  it('the permissions of an API key are not extended by naming another user, tenant or role at creation', async () => {
    const person = await member();
    for (const more of [
      { userId: admin.id },
      { tenantId: newId() },
      { role: 'admin' },
      { permissions: ['admin.users'] },
    ]) {
      const reply = await ask(person, 'POST', '/api-keys', { name: 'wide', ...more });
      expect(reply.json.code).toBe('VALIDATION_FAILED');
    }
  });
});

describe('the audit trail', () => {
  it('the audit trail stores no e-mail address of a failed sign-in', async () => {
    const email = `nobody-${newId()}@example.com`;
    await server.call('/auth/login', {
      method: 'POST',
      body: { email, password: 'whatever it is' },
    });
    const nobody = '00000000-0000-0000-0000-000000000000';
    const rows = await rowsOf(
      server.database,
      nobody,
      'SELECT e::text AS whole FROM audit_events e',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { whole } of rows) expect(whole).not.toContain(email);
  });

  it("the server's database role cannot change the audit trail or the names beside it", async () => {
    for (const statement of [
      "UPDATE audit_labels SET label = 'x'",
      'DELETE FROM audit_labels',
      'DELETE FROM audit_events',
      "UPDATE audit_events SET action = 'x'",
    ]) {
      const { pool } = server.services.authenticator;
      await expect(pool.query(statement)).rejects.toThrow('permission denied');
    }
  });
});
