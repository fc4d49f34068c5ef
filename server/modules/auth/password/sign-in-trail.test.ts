import { contract } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { newId } from '../../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const login = (body: object) => server.call('/auth/login', { method: 'POST', body });

async function setStatus(user: TestUser, status: string, tenantId = user.tenant.id) {
  await server.database.owner.query(
    'UPDATE identity.memberships SET status = $3 WHERE user_id = $1 AND tenant_id = $2',
    [user.id, tenantId, status],
  );
}

/** The audit rows of a request, as an admin of the tenant sees them. */
async function readIn(tenant: TestUser['tenant'], reply: Reply) {
  const admin = await server.people.user({ tenant });
  const { json } = await server.call('/audit-events?action=auth.login', {
    headers: admin.session,
  });
  const correlationId = reply.headers.get('x-correlation-id');
  return json.items.filter(
    (event: { correlationId: string }) => event.correlationId === correlationId,
  );
}

describe('the audit trail lists a refused sign-in', () => {
  it('a refused sign-in is audited in the tenant where the member is disabled', async () => {
    const user = await server.people.user();
    await setStatus(user, 'disabled');
    const { email, password, tenant } = user;
    for (const body of [
      { email, password },
      { email, password, tenantId: tenant.id },
      { email, password: 'wrong' },
    ]) {
      const reply = await login(body);
      expect(reply.json.code).toBe('INVALID_CREDENTIALS');
      expect(await readIn(tenant, reply)).toMatchObject([
        { outcome: 'failure', actor: { id: user.id, label: email } },
      ]);
    }
  });

  it('a refused sign-in that names a tenant is audited there for a member who is active elsewhere', async () => {
    const user = await server.people.user();
    const named = await server.people.tenant();
    await server.people.join(user, named, 'viewer');
    await setStatus(user, 'disabled', named.id);
    const { email, password } = user;
    const reply = await login({ email, password, tenantId: named.id });
    expect(await readIn(named, reply)).toMatchObject([{ actor: { id: user.id } }]);
    expect(await readIn(user.tenant, reply)).toEqual([]);
  });

  it("a sign-in that names a foreign tenant is audited in the person's own tenant only", async () => {
    const user = await server.people.user();
    const { email, password } = user;
    for (const tenantId of [(await server.people.user()).tenant.id, newId()]) {
      const reply = await login({ email, password, tenantId });
      expect(reply.json.code).toBe('INVALID_CREDENTIALS');
      expect(await readIn(user.tenant, reply)).toMatchObject([
        { outcome: 'failure', actor: { id: user.id, label: email } },
      ]);
    }
    const foreign = await server.people.tenant();
    const reply = await login({ email, password, tenantId: foreign.id });
    expect(await readIn(foreign, reply)).toEqual([]);
  });

  it('a refused sign-in is not audited in a tenant that merely invited the person', async () => {
    const user = await server.people.user();
    await setStatus(user, 'disabled');
    const inviting = await server.people.tenant();
    await server.people.join(user, inviting, 'viewer');
    await setStatus(user, 'invited', inviting.id);
    const { email, password } = user;
    const reply = await login({ email, password, tenantId: inviting.id });
    expect(await readIn(inviting, reply)).toEqual([]);
    expect(await readIn(user.tenant, reply)).toHaveLength(1);
  });

  it('a refused sign-in with an unknown address is audited in no tenant', async () => {
    const tenant = await server.people.tenant();
    const body = { email: `${newId()}@example.com`, password: 'wrong', tenantId: tenant.id };
    expect(await readIn(tenant, await login(body))).toEqual([]);
  });
});

describe('a NUL in a password or token', () => {
  it('a NUL in a password or token is rejected with 400 before hashing, because bcrypt treats P and P, NUL, P alike', async () => {
    const user = await server.people.user();
    const { email, password } = user;
    const secret = `${password}\0${password}`;
    expect((await login({ email, password })).status).toBe(200);
    const headers = user.session;
    for (const [path, body] of [
      ['/auth/login', { email, password: secret }],
      ['/auth/login', { email, password, recoveryCode: 'a\0b' }],
      ['/auth/register', { email: 'new@example.com', password: secret, tenantName: 'T' }],
      ['/auth/reset-password', { token: 'x', password: secret }],
      ['/auth/reset-password', { token: 'x\0', password }],
      ['/auth/change-password', { currentPassword: secret, newPassword: 'a new password' }],
      ['/auth/change-password', { currentPassword: password, newPassword: secret }],
      ['/auth/2fa/setup', { password: secret }],
      ['/auth/2fa/enable', { password: secret, code: '000000' }],
      ['/auth/2fa/disable', { password: secret, code: '000000' }],
      ['/auth/confirm', { token: 'x', password: secret }],
      ['/auth/confirm', { token: 'x', mailToken: 'x\0' }],
      ['/auth/refresh', { refreshToken: 'x\0' }],
      ['/auth/logout', { refreshToken: 'x\0' }],
      ['/auth/exchange', { code: 'x\0' }],
      ['/auth/google', { credential: 'x\0' }],
    ] as const) {
      const reply = await server.call(path, { method: 'POST', headers, body });
      expect({ path, status: reply.status, code: reply.json.code }).toEqual({
        path,
        status: 400,
        code: 'VALIDATION_FAILED',
      });
    }
  });

  it('every request body with a secret rejects a NUL in it', () => {
    const routes = [contract.auth, contract.twoFactor].flatMap((all) => Object.values(all));
    const bodies = routes.flatMap((route) =>
      'body' in route && route.body instanceof z.ZodObject ? [route.body] : [],
    );
    expect(bodies.length).toBeGreaterThan(15);
    for (const { shape } of bodies) {
      for (const [name, schema] of Object.entries(shape)) {
        const { success } = (schema as z.ZodType).safeParse('a password\0');
        expect({ [name]: success }).toEqual({ [name]: false });
      }
    }
  });
});
