import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeIn } from '../../../../tests/kit/identity-provider.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { NO_TENANT } from '../../../platform/ids.ts';

const FEATURES = 'UPDATE identity.tenants SET features = $2 WHERE id = $1';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
});
afterAll(() => server.close());

async function newCode(email = sso.address()): Promise<string> {
  return codeIn(await sso.signIn({ email }));
}

async function expectSpent(code: string) {
  const reply = await sso.exchange(code);
  expect({ status: reply.status, code: reply.json.code }).toEqual({
    status: 400,
    code: 'INVALID_TOKEN',
  });
  return reply;
}

it('an exchange code works once, even when sent five times concurrently', async () => {
  const code = await newCode();
  const replies = await Promise.all(Array.from({ length: 5 }, () => sso.exchange(code)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  await expectSpent(code);
});

it('an exchange code is valid for 60 seconds', async () => {
  const [early, late] = [await newCode(), await newCode()];
  server.clock.advance({ seconds: 55 });
  expect((await sso.exchange(early)).status).toBe(200);
  server.clock.advance({ seconds: 6 });
  await expectSpent(late);
});

it('an exchange code is stored as a hash, and no other kind of token works instead', async () => {
  const code = await newCode();
  const kept = await sso.sql('SELECT * FROM identity.one_time_values');
  expect(JSON.stringify(kept)).not.toContain(code);
  const { refreshToken } = await sso.enter({ email: sso.address() });
  await expectSpent(refreshToken);
  await expectSpent('x');
});

it('an exchange code is rejected when the user was disabled or the provider removed meanwhile', async () => {
  const email = sso.address();
  const { me } = await sso.enter({ email });
  const code = await newCode(email);
  await sso.setStatus(me.user, 'disabled');
  await expectSpent(code);
  const other = await newCode();
  await sso.trust();
  await expectSpent(other);
});

it('an exchange code of a SAML sign-in is rejected when the tenant has lost single sign-on', async () => {
  const code = await newCode();
  await sso.sql(FEATURES, [sso.tenant.id, '{}']);
  await expectSpent(code);
  await sso.sql(FEATURES, [sso.tenant.id, '{sso}']);
  expect((await sso.exchange(await newCode())).status).toBe(200);
});

it('an exchange opens no session while single sign-on is being withdrawn', async () => {
  const code = await newCode();
  const withdrawing = new pg.Client({ connectionString: server.database.ownerUrl });
  await withdrawing.connect();
  try {
    await withdrawing.query('BEGIN');
    await withdrawing.query(FEATURES, [sso.tenant.id, '{}']);
    const exchanged = sso.exchange(code);
    const { rows } = await withdrawing.query('SELECT pg_backend_pid() AS pid');
    const text = 'SELECT 1 FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))';
    await expect.poll(() => sso.sql(text, [rows[0].pid]), { timeout: 60_000 }).toHaveLength(1);
    await withdrawing.query('COMMIT');
    expect((await exchanged).json).toMatchObject({ status: 400, code: 'INVALID_TOKEN' });
  } finally {
    await withdrawing.end();
    await sso.sql(FEATURES, [sso.tenant.id, '{sso}']);
  }
});

it('an exchange code is rejected after all sessions of the person were ended', async () => {
  const email = sso.address();
  const { session } = await sso.enter({ email });
  const [code, other] = [await newCode(email), await newCode()];
  await server.call('/auth/logout-all', { method: 'POST', headers: session });
  await expectSpent(code);
  expect((await sso.exchange(other)).status).toBe(200);
});

it('an exchange is audited, whether it succeeds or fails', async () => {
  const code = await newCode();
  expect(await sso.trailOf(await sso.exchange(code))).toEqual([
    ['auth.exchange', 'success', undefined],
  ]);
  expect(await sso.trailOf(await expectSpent(code), NO_TENANT)).toEqual([
    ['auth.exchange', 'failure', undefined],
  ]);
});
