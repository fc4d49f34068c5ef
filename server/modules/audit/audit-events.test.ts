import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { type Call, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { personOf, writeAudit } from '../../platform/audit-writer.ts';
import { newId } from '../../platform/ids.ts';

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

describe('GET /audit-events', () => {
  it('GET /audit-events lists the events of this tenant, newest first, with actor and origin', async () => {
    admin = await newAdmin();
    const stranger = await newAdmin();
    await by(stranger, '/projects', { method: 'POST', body: { name: 'theirs' } });
    await by(admin, '/projects', { method: 'POST', body: { name: 'one' } });
    const ip = '203.0.113.77';
    const headers = { 'x-correlation-id': 'made-two' };
    await by(admin, '/projects', { method: 'POST', body: { name: 'two' }, ip, headers });
    const { json } = await by(admin, '/audit-events');
    expect(json.nextCursor).toBeNull();
    expect(json.items.map((event: { subject: string }) => event.subject)).toEqual(['two', 'one']);
    expect(json.items[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      action: 'project.created',
      outcome: 'success',
      actor: { kind: 'jwt', id: admin.id, label: admin.email },
      tenantId: admin.tenant.id,
      targetTenantId: null,
      ip,
      correlationId: 'made-two',
      subject: 'two',
      detail: { projectId: expect.any(String) },
    });
  });

  it('GET /audit-events and its export tell which API key of a user made or was refused a change', async () => {
    admin = await newAdmin();
    const body = { name: 'second' };
    const made = await by(admin, '/api-keys', { method: 'POST', body });
    const second = { 'x-api-key': made.json.key };
    for (const headers of [admin.key, second]) {
      for (const name of ['kept', 'dropped']) {
        await server.call('/projects', { method: 'POST', headers, body: { name } });
      }
      await server.call('/projects/dropped', { method: 'DELETE', headers });
    }
    const { items } = (await by(admin, '/audit-events?actor=api_key')).json;
    const ofKey = (id: string) =>
      items
        .filter((event: { detail: { apiKeyId: string } }) => event.detail.apiKeyId === id)
        .map(({ outcome, actor }: { outcome: string; actor: object }) => [outcome, actor])
        .reverse();
    const actor = { kind: 'api_key', id: admin.id, label: admin.email };
    const [success, failure] = [
      ['success', actor],
      ['failure', actor],
    ];
    expect(ofKey(admin.keyId)).toEqual([success, success, success]);
    expect(ofKey(made.json.id)).toEqual([failure, success, success]);
    expect(items).toHaveLength(6);
    const { text } = await by(admin, '/audit-events/export?actor=api_key');
    const exported = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported.reverse()).toEqual(items);
    const session = (await by(admin, `/audit-events?actor=jwt`)).json.items;
    expect(session[0].detail).not.toHaveProperty('apiKeyId');
  });

  it('GET /audit-events filters by several actors, actions and times', async () => {
    admin = await newAdmin();
    const other = await server.people.user({ tenant: admin.tenant });
    const create = (
      user: TestUser,
      name: string,
      headers = user.session as Record<string, string>,
    ) => server.call('/projects', { method: 'POST', headers, body: { name } });
    await create(admin, 'a');
    await create(other, 'b');
    await create(admin, 'c', { ...admin.key });
    await by(other, '/projects/b', { method: 'DELETE' });
    const ask = async (query: string) => {
      const { status, json } = await by(admin, `/audit-events?${query}`);
      return status === 200
        ? json.items.map((e: { subject: string }) => e.subject).join('')
        : json.code;
    };
    expect(await ask('')).toBe('bcba');
    expect(await ask(`actor=${admin.id}`)).toBe('ca');
    expect(await ask(`actor=${other.id}&actor=api_key`)).toBe('bcb');
    expect(await ask('action=project.deleted')).toBe('b');
    expect(await ask('action=project.deleted&action=scan.launched')).toBe('b');
    expect(await ask(`actor=${newId()}`)).toBe('');
    const { json } = await by(admin, '/audit-events');
    const [, , second] = json.items;
    expect(await ask(`from=${second.at}`)).toMatch(/^bcb/);
    expect(await ask(`to=${second.at}`)).toBe('a');
    expect(await ask('from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).toBe('bcba');
    expect(await ask('from=0000-01-01T00:00:00Z')).toBe('bcba');
    for (const bad of ['action=none', 'outcome=none', 'from=yesterday', "actor='", 'surplus=1']) {
      expect(await ask(bad)).toBe('VALIDATION_FAILED');
    }
  });

  it('GET /audit-events and its export accept the id of an actor in either letter case, also of a removed member', async () => {
    admin = await newAdmin();
    const person = await server.people.user({ tenant: admin.tenant });
    await by(person, '/projects', { method: 'POST', body: { name: 'p' } });
    const { headers } = await server.people.session(admin, ['pwd', 'otp']);
    await server.call(`/users/${person.id}`, { method: 'DELETE', headers });
    for (const id of [person.id, person.id.toUpperCase()]) {
      const { json } = await by(admin, `/audit-events?actor=${id}`);
      expect(json.items).toMatchObject([{ subject: 'p' }]);
      const { text } = await by(admin, `/audit-events/export?actor=${id}`);
      expect(JSON.parse(text)).toEqual(json.items[0]);
    }
  });

  it('GET /audit-events and its export filter by outcome', async () => {
    admin = await newAdmin();
    const create = (name: string) => by(admin, '/projects', { method: 'POST', body: { name } });
    expect((await create('a')).status).toBe(201);
    expect((await create('a')).status).toBe(409);
    const outcomes = async (query: string) => {
      const { items } = (await by(admin, `/audit-events?${query}`)).json;
      return items.map((event: { outcome: string }) => event.outcome);
    };
    expect(await outcomes('outcome=failure')).toEqual(['failure']);
    expect(await outcomes('outcome=success')).toEqual(['success']);
    expect(await outcomes('outcome=success&outcome=failure')).toEqual(['failure', 'success']);
    const { text } = await by(admin, '/audit-events/export?outcome=failure');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).outcome),
    ).toEqual(['failure']);
  });

  it('GET /audit-events is paged without repeated or missing rows while others are added', async () => {
    admin = await newAdmin();
    await fill(admin.tenant, 7);
    const subjects: string[] = [];
    let path = '/audit-events?limit=3';
    for (;;) {
      const { json } = await by(admin, path);
      subjects.push(...json.items.map((event: { subject: string }) => event.subject));
      if (json.nextCursor === null) break;
      path = `/audit-events?limit=3&cursor=${json.nextCursor}`;
      await fill(admin.tenant, 2);
    }
    expect(subjects).toEqual(['6', '5', '4', '3', '2', '1', '0']);
  });

  it('GET /audit-events drops the name of an erased person and keeps the id', async () => {
    admin = await newAdmin();
    const person = await server.people.user({ tenant: admin.tenant });
    await by(person, '/projects', { method: 'POST', body: { name: 'p' } });
    const strong = await server.people.session(admin, ['pwd', 'otp']);
    const gone = await server.call(`/users/${person.id}`, {
      method: 'DELETE',
      headers: strong.headers,
    });
    expect(gone.status).toBe(204);
    const { json, text } = await by(admin, `/audit-events?actor=${person.id}`);
    expect(json.items[0].actor).toEqual({ kind: 'jwt', id: person.id, label: null });
    expect(text).not.toContain(person.email);
  });
});

describe('the audit of a refused change', () => {
  it('a refused change is audited in one row with the actor, the action and the reason', async () => {
    admin = await newAdmin();
    const viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    await by(admin, '/projects', { method: 'POST', body: { name: 'there' } });
    const from = (await by(admin, '/audit-events')).json.items[0].id;
    const unknown = newId();
    const post = (body: unknown, headers = {}) => ({ method: 'POST', body, headers });
    await by(viewer, '/projects', post({ name: 'x' }));
    await by(viewer, '/users', post({ email: 'x@example.com', role: 'admin' }));
    await by(admin, '/users', post({ email: 'x@example.com', role: 'admin' }));
    await by(admin, '/projects', post({ name: 'there' }));
    await by(admin, '/projects/nothing', { method: 'DELETE' });
    await by(admin, `/api-keys/${unknown}`, { method: 'DELETE' });
    await by(admin, '/scans', post({ projects: ['nothing'], profile: 'full' }));
    await by(
      admin,
      '/auth/change-password',
      post({ currentPassword: 'wrong', newPassword: 'a whole new one' }),
    );
    const { json } = await by(admin, '/audit-events');
    const rows: {
      id: string;
      action: string;
      outcome: string;
      subject: string;
      detail: { code?: string };
    }[] = json.items;
    const added = rows
      .slice(
        0,
        rows.findIndex(({ id }) => id === from),
      )
      .reverse();
    expect(added.map(({ outcome }) => outcome)).toEqual(Array(8).fill('failure'));
    expect(added.map(({ action, subject, detail }) => [action, subject, detail.code])).toEqual([
      ['project.created', null, 'FORBIDDEN'],
      ['user.invited', null, 'FORBIDDEN'],
      ['user.invited', null, 'MFA_REQUIRED'],
      ['project.created', null, 'CONFLICT'],
      ['project.deleted', 'nothing', 'NOT_FOUND'],
      ['api_key.revoked', unknown, 'NOT_FOUND'],
      ['scan.launched', null, 'PREFLIGHT_BLOCKED'],
      ['auth.change_password', expect.anything(), undefined],
    ]);
    expect(added[0]).toMatchObject({
      actor: { id: viewer.id },
      detail: { permission: 'projects.write' },
    });
  });

  it('refused reads, invalid input and anonymous requests are not audited', async () => {
    admin = await newAdmin();
    const viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    await by(viewer, '/users');
    await by(admin, '/projects/nothing');
    await by(admin, '/projects', { method: 'POST', body: { name: '!' } });
    await by(admin, '/projects', { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } });
    await server.call('/projects', { method: 'POST', body: { name: 'x' } });
    expect((await by(admin, '/audit-events')).json.items).toEqual([]);
  });

  it('a refused change gets the same response when its audit row cannot be written', async () => {
    admin = await newAdmin();
    const { owner } = server.database;
    await owner.query(
      "ALTER TABLE audit_events ADD CONSTRAINT no_row CHECK (outcome <> 'failure') NOT VALID",
    );
    const reply = await by(admin, '/projects/nothing', { method: 'DELETE' });
    await owner.query('ALTER TABLE audit_events DROP CONSTRAINT no_row');
    expect(reply).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });
});
