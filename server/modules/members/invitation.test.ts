import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_PASSWORD, type TestTenant } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

const NEW_PASSWORD = 'a password nobody has';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const post = (path: string, body: unknown) => server.call(path, { method: 'POST', body });
const accept = (token: string) => post('/auth/accept-invite', { token });
const reset = (token: string) => post('/auth/reset-password', { token, password: NEW_PASSWORD });
const login = (email: string, password: string, tenantId?: string) =>
  post('/auth/login', { email, password, tenantId });

/** Invites a person to another tenant. @returns the token of the mail. */
async function invite(user: { id: string; email: string }, tenant: TestTenant): Promise<string> {
  await server.people.join(user, tenant, 'viewer');
  await status(user, tenant, 'invited');
  return server.services.tenants.write(tenant.id, (db) =>
    server.services.mailTokens.issue(db, {
      purpose: 'invitation',
      userId: user.id,
      email: user.email,
    }),
  );
}

async function status(user: { id: string }, tenant: TestTenant, now: string): Promise<void> {
  await server.database.owner.query(
    'UPDATE identity.memberships SET status = $3 WHERE user_id = $1 AND tenant_id = $2',
    [user.id, tenant.id, now],
  );
}

describe('an invited person with an account', () => {
  it('an invited person with an account joins by the link, keeps the password, and is not a member before', async () => {
    const [user, tenant] = [await server.people.user(), await server.people.tenant()];
    const token = await invite(user, tenant);
    expect((await login(user.email, TEST_PASSWORD, tenant.id)).status).toBe(401);
    expect((await accept(token)).status).toBe(204);
    expect((await login(user.email, TEST_PASSWORD, tenant.id)).status).toBe(200);
    expect((await accept(token)).json).toMatchObject({ status: 400, code: 'INVALID_TOKEN' });
  });

  it('an invited person with an account joins once when the link is used several times concurrently', async () => {
    const token = await invite(await server.people.user(), await server.people.tenant());
    const replies = await Promise.all([1, 2, 3].map(() => accept(token)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 400, 400]);
  });

  it('an invited person with an account cannot have the password set by the link, which remains valid for joining', async () => {
    const [user, tenant] = [await server.people.user(), await server.people.tenant()];
    const token = await invite(user, tenant);
    expect((await reset(token)).json.code).toBe('INVALID_TOKEN');
    expect((await login(user.email, TEST_PASSWORD)).status).toBe(200);
    expect((await accept(token)).status).toBe(204);
  });

  it('an invited person with an account cannot join by a withdrawn, foreign or expired invitation', async () => {
    const [user, tenant] = [await server.people.user(), await server.people.tenant()];
    const other = await server.people.tenant();
    const token = await invite(user, tenant);
    const late = await invite(user, other);
    await status(user, tenant, 'disabled');
    expect((await accept(token)).json.code).toBe('INVALID_TOKEN');
    await server.database.owner.query(
      'DELETE FROM identity.memberships WHERE user_id = $1 AND tenant_id = $2',
      [user.id, tenant.id],
    );
    expect((await accept(token)).json.code).toBe('INVALID_TOKEN');
    server.clock.advance({ days: 8 });
    expect((await accept(late)).json.code).toBe('INVALID_TOKEN');
  });
});

describe('an invited person without a verified address', () => {
  it('an invited person without a verified address joins by setting the first password, which verifies the address', async () => {
    const person = await server.people.user({ verified: false });
    const tenant = await server.people.tenant();
    const token = await invite(person, tenant);
    expect((await reset(token)).status).toBe(204);
    expect((await login(person.email, NEW_PASSWORD, tenant.id)).status).toBe(200);
    expect((await reset(token)).json.code).toBe('INVALID_TOKEN');
  });

  it('an invited person without a verified address cannot sign in with a password that a stranger registered for the address', async () => {
    const squatted = await server.people.user({ verified: false });
    const token = await invite(squatted, await server.people.tenant());
    expect((await accept(token)).json.code).toBe('INVALID_TOKEN');
    expect((await login(squatted.email, TEST_PASSWORD)).status).toBe(401);
    expect((await reset(token)).status).toBe(204);
    expect((await login(squatted.email, TEST_PASSWORD)).status).toBe(401);
    expect((await login(squatted.email, NEW_PASSWORD)).status).toBe(200);
  });
});
