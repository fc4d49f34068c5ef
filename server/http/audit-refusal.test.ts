import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { newId } from '../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** The audit rows that a request left in the tenant of a user. */
function rowsAbout(user: TestUser, reply: Reply) {
  return rowsOf(
    server.database,
    user.tenant.id,
    `SELECT action, outcome, subject, detail, target_tenant_id AS target FROM audit_events
     WHERE correlation_id = $1`,
    [reply.headers.get('x-correlation-id')],
  );
}

async function refused(user: TestUser, line: string, headers: Record<string, string>) {
  const [method = '', path = ''] = line.split(' ');
  const reply = await server.call(path, { method, headers, body: {} });
  const rows = await rowsAbout(user, reply);
  return { status: reply.status, code: reply.json.code, subjects: rows.map((row) => row.subject) };
}

describe('the audit row of a refused change', () => {
  const id = newId();

  it.each([
    ['user', `DELETE /users/${id}`, id],
    ['user, in the letter case of its id', `DELETE /users/${id.toUpperCase()}`, id],
    ['project', 'DELETE /projects/shop', 'shop'],
    ['role', 'PUT /roles/auditor', 'auditor'],
    ['domain, in the letter case of its name', 'DELETE /tenant/domains/Example.COM', 'example.com'],
    ['webhook of a delivery', `POST /webhooks/${id}/deliveries/${newId()}/redeliver`, id],
  ])(
    'the audit row of a refused change names its target when a permission is missing: %s',
    async (_kind, line, subject) => {
      const viewer = await server.people.user({ role: 'viewer' });
      for (const headers of [viewer.key, viewer.session]) {
        expect(await refused(viewer, line, headers)).toEqual({
          status: 403,
          code: 'FORBIDDEN',
          subjects: [subject],
        });
      }
    },
  );

  it('the audit row of a refused change names its target when a second factor is missing', async () => {
    const admin = await server.people.user();
    expect(await refused(admin, `DELETE /users/${id}`, admin.session)).toEqual({
      status: 403,
      code: 'MFA_REQUIRED',
      subjects: [id],
    });
  });

  it('the audit row of a refused change names its target when the kind of credential is wrong', async () => {
    const admin = await server.people.user();
    expect(await refused(admin, `DELETE /sessions/${id}`, admin.key)).toEqual({
      status: 403,
      code: 'CREDENTIAL_NOT_ALLOWED',
      subjects: [id],
    });
  });

  it('the audit row of a refused change names no target when the path holds no valid id', async () => {
    const viewer = await server.people.user({ role: 'viewer' });
    for (const path of ['no-uuid', 'x'.repeat(5000), '%00']) {
      expect(await refused(viewer, `DELETE /users/${path}`, viewer.key)).toEqual({
        status: 403,
        code: 'FORBIDDEN',
        subjects: [null],
      });
    }
  });
});

describe('the audit row of a change in a tenant in which the person is not a member', () => {
  it.each([
    ['a foreign tenant', async () => (await server.people.tenant()).id],
    ['an unknown tenant', async () => newId()],
    ['a malformed id', async () => 'x'.repeat(2000)],
  ])(
    'the audit row of a change in a tenant without the person is written at home, with the requested id: %s',
    async (kind, make) => {
      const admin = await server.people.user({ amr: ['pwd', 'otp'] });
      const requested = await make();
      for (const [method, path, action, subject] of [
        ['POST', '/projects', 'project.created', null],
        ['DELETE', '/projects/shop', 'project.deleted', 'shop'],
      ] as const) {
        const headers = { ...admin.session, 'x-tenant-id': requested.toUpperCase() };
        const reply = await server.call(path, { method, headers, body: { name: 'shop' } });
        expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
        expect(reply.text).not.toContain('requestedTenantId');
        const detail = {
          code: 'FORBIDDEN',
          requestedTenantId: kind === 'a malformed id' ? null : requested,
        };
        expect(await rowsAbout(admin, reply)).toEqual([
          { action, outcome: 'failure', subject, target: null, detail },
        ]);
      }
      expect((await server.call('/projects/shop', { headers: admin.session })).status).toBe(404);
    },
  );

  it('a read in a tenant in which the person is not a member leaves no audit row', async () => {
    const admin = await server.people.user();
    const headers = { ...admin.session, 'x-tenant-id': newId() };
    const reply = await server.call('/projects', { headers });
    expect(reply.status).toBe(403);
    expect(await rowsAbout(admin, reply)).toEqual([]);
  });
});
