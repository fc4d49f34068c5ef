import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let clearAway: () => Promise<void>;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer();
  const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  clearAway = retentionOf(server, pool);
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.call(path, { method: 'POST', headers, body });

const password = 'a password that only its owner knows';
let email: string;

const register = async () =>
  expect((await post('/auth/register', { email, password, tenantName: email })).status).toBe(202);

/** Confirms the address with the newest link. */
async function confirm(): Promise<number> {
  const token = tokenIn((await mailsTo(server, email)).at(-1));
  return (await post('/auth/verify-email', { token })).status;
}

/** The numbers of tenants of that name and of accounts with the address. */
async function left() {
  const { rows } = await server.database.owner.query(
    `SELECT (SELECT count(*)::int FROM identity.tenants WHERE name = $1) AS tenants,
            (SELECT count(*)::int FROM identity.users WHERE email = $1) AS accounts`,
    [email],
  );
  return rows[0];
}

beforeEach(async () => {
  email = `${newId()}@example.com`;
  await register();
});

describe('a registration that nobody confirms', () => {
  it('a registration that nobody confirms is deleted after 30 days with its tenant, and the address can be registered again', async () => {
    server.clock.advance({ days: 29 });
    await clearAway();
    expect(await left()).toEqual({ tenants: 1, accounts: 1 });
    server.clock.advance({ days: 2 });
    await clearAway();
    expect(await left()).toEqual({ tenants: 0, accounts: 0 });
    await register();
    expect(await confirm()).toBe(204);
    expect((await post('/auth/login', { email, password })).status).toBe(200);
  });

  it('a registration that nobody confirms stays while a link to confirm it is valid', async () => {
    server.clock.advance({ days: 31 });
    await post('/auth/resend-verification', { email });
    await clearAway();
    expect(await left()).toEqual({ tenants: 1, accounts: 1 });
    expect(await confirm()).toBe(204);
  });

  it('a registration that nobody confirms leaves an invitation of another tenant as it was', async () => {
    const admin = await server.people.user({ amr: ['pwd', 'otp'] });
    server.clock.advance({ days: 28 });
    const { headers } = await server.people.session(admin, ['pwd', 'otp']);
    const invited = await post('/users', { email, role: 'viewer' }, headers);
    expect(invited.status).toBe(201);
    server.clock.advance({ days: 3 });
    await clearAway();
    expect(await left()).toEqual({ tenants: 0, accounts: 1 });
    const token = tokenIn((await mailsTo(server, email)).at(-1));
    expect((await post('/auth/reset-password', { token, password })).status).toBe(204);
    const signedIn = await post('/auth/login', { email, password });
    expect(signedIn.status).toBe(200);
  });
});

it('a confirmed registration is never deleted, also without a sign-in', async () => {
  expect(await confirm()).toBe(204);
  server.clock.advance({ days: 400 });
  await clearAway();
  expect(await left()).toEqual({ tenants: 1, accounts: 1 });
});

it('a tenant with a project is not deleted, although nobody has confirmed its registration', async () => {
  const { owner } = server.database;
  const { rows } = await owner.query('SELECT id FROM identity.tenants WHERE name = $1', [email]);
  const project =
    'INSERT INTO projects (tenant_id, id, name, created_at) VALUES ($1, $2, $3, now())';
  await rowsOf(server.database, rows[0].id, project, [rows[0].id, newId(), 'shop']);
  server.clock.advance({ days: 31 });
  await clearAway();
  expect(await left()).toEqual({ tenants: 1, accounts: 1 });
});

it('a tenant that an operator has licensed is not deleted, although nobody has confirmed its registration', async () => {
  await server.database.owner.query(
    "UPDATE identity.tenants SET features = '{sso}' WHERE name = $1",
    [email],
  );
  server.clock.advance({ days: 31 });
  await clearAway();
  expect(await left()).toEqual({ tenants: 1, accounts: 1 });
});
