import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../../../../tests/kit/authenticator.ts';
import { codeIn, TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import { rowsOf, waitingFor } from '../../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import {
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { until } from '../../../../tests/kit/until.ts';

// The right to sign in ends while the sign-in runs.

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;
let chief: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  sso = await SingleSignOn.start(server, provider);
  chief = await server.people.user({ tenant: sso.tenant, amr: ['pwd', 'otp'] });
});

const waiters = (count: number) =>
  until(
    `${count} to wait`,
    async () => (await waitingFor(server.database, 'true')).length === count,
  );

/** Sends the request while this statement of the tenant is not committed, which the request comes to wait for. */
async function during(
  statement: string,
  values: readonly unknown[],
  request: () => Promise<Reply>,
): Promise<Reply> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rowsOf(server.database, sso.tenant.id, statement, values);
    const reply = request();
    await waiters(1);
    await owner.query('COMMIT');
    return await reply;
  } finally {
    await owner.query('ROLLBACK');
  }
}

/** Sends the second request when the first one has come to its audit row, before either is committed. */
async function inOrder(first: () => Promise<Reply>, second: () => Promise<Reply>) {
  const { owner } = server.database;
  await owner.query('BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE');
  try {
    const earlier = first();
    await waiters(1);
    const later = second();
    await waiters(2);
    await owner.query('COMMIT');
    return [await earlier, await later] as const;
  } finally {
    await owner.query('ROLLBACK');
  }
}

const REMOVE = 'SELECT identity.remove_member($1)';
const DISABLE = "SELECT identity.change_member($1, NULL, NULL, 'disabled', now())";

/** A member of this tenant and of another one, whose account outlives the removal. */
async function memberOfTwo(role: 'admin' | 'viewer'): Promise<TestUser> {
  const person = await sso.person({ tenant: sso.tenant, role });
  await server.people.join(person, await server.people.tenant());
  return person;
}

const newCode = async (email: string) => codeIn(await sso.signIn({ email }));

/** The token of a sign-in that waits for its confirmation. */
async function pending({ email }: TestUser): Promise<string> {
  return (await sso.exchange(await newCode(email))).json.confirmation.token;
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.call(path, { method: 'POST', headers, body });

const statusOf = async (headers: Record<string, string>) =>
  (await server.call('/auth/me', { headers })).status;

const bearer = ({ json }: Reply) => ({ authorization: `Bearer ${json.accessToken}` });

/** The proofs that confirm a sign-in of an administrator. */
const PROOFS = {
  password: async ({ password }: TestUser) => ({ password }),
  code: async (person: TestUser) => {
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, person, { at });
    return { code: codeAt(secret, at) };
  },
  mail: async ({ email }: TestUser, token: string) => {
    await post('/auth/confirm/mail', { token });
    const text = (await mailsTo(server, email)).at(-1)?.text ?? '';
    return { mailToken: /^[\w-]{43}$/m.exec(text)?.[0] ?? '' };
  },
};

describe('a sign-in to a tenant from which its member is removed meanwhile', () => {
  it('an exchange of a code for a session is refused when its member is removed meanwhile', async () => {
    const person = await memberOfTwo('viewer');
    const code = await newCode(person.email);
    const reply = await during(REMOVE, [person.id], () => sso.exchange(code));
    expect(reply).toMatchObject({ status: 400, json: { code: 'INVALID_TOKEN' } });
  });

  it.each(Object.entries(PROOFS))(
    'a confirmation of a sign-in by %s is refused when its member is removed meanwhile',
    async (_method, proofOf) => {
      const person = await memberOfTwo('admin');
      const token = await pending(person);
      const proof = await proofOf(person, token);
      const confirm = () => sso.confirm({ token, ...proof });
      const reply = await during(REMOVE, [person.id], confirm);
      expect(reply).toMatchObject({ status: 400, json: { code: 'INVALID_TOKEN' } });
    },
  );
});

it('a sign-in of a member who is disabled while the password is checked is refused', async () => {
  const { id, email, password } = await sso.person({ tenant: sso.tenant });
  const signIn = () => post('/auth/login', { email, password });
  const reply = await during(DISABLE, [id], signIn);
  expect(reply).toMatchObject({ status: 401, json: { code: 'INVALID_CREDENTIALS' } });
});

const removeProvider = () =>
  server.call('/tenant/saml', { method: 'DELETE', headers: chief.session });
const replaceProvider = () =>
  server.call('/tenant/saml', {
    method: 'PUT',
    headers: chief.session,
    body: { ...provider.settings, entityId: 'https://other.example.com/saml' },
  });

describe('a session of an identity provider that is removed meanwhile', () => {
  it('a session that an exchange opens while its identity provider is removed is ended', async () => {
    const { email } = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const code = await newCode(email);
    const [entered, removed] = await inOrder(() => sso.exchange(code), removeProvider);
    expect([entered.status, removed.status]).toEqual([200, 204]);
    expect(await statusOf(bearer(entered))).toBe(401);
  });

  it.each([
    ['removed', removeProvider],
    ['replaced', replaceProvider],
  ])(
    'a session that a confirmation opens while its identity provider is %s is ended',
    async (_how, endTrust) => {
      const person = await sso.person({ tenant: sso.tenant });
      const { password } = person;
      const token = await pending(person);
      const confirm = () => sso.confirm({ token, password });
      const [entered, changed] = await inOrder(confirm, endTrust);
      expect(entered.status).toBe(200);
      expect(changed.status, changed.text).toBeLessThan(300);
      expect(await statusOf(bearer(entered))).toBe(401);
    },
  );

  it('an API key that is made in a session of an identity provider while the provider is removed is revoked', async () => {
    const { email } = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const { session } = await sso.enter({ email });
    const create = () => post('/api-keys', { name: 'nightly' }, session);
    const [made, removed] = await inOrder(create, removeProvider);
    expect([made.status, removed.status]).toEqual([201, 204]);
    expect(await statusOf({ 'x-api-key': made.json.key })).toBe(401);
  });
});

it('an API key that is requested in a session that ends meanwhile is not made', async () => {
  const create = () => post('/api-keys', { name: 'nightly' }, chief.session);
  const end = 'SELECT identity.revoke_sessions($1, NULL, now())';
  const reply = await during(end, [chief.id], create);
  expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
});

it('a session that an exchange opens while the address of its account is verified for the first time is ended', async () => {
  const email = sso.address();
  await sso.enter({ email });
  const code = await newCode(email);
  await post('/auth/resend-verification', { email });
  const token = tokenIn((await mailsTo(server, email)).at(-1));
  const verify = () => post('/auth/verify-email', { token });
  const [entered, verified] = await inOrder(() => sso.exchange(code), verify);
  expect([entered.status, verified.status]).toEqual([200, 204]);
  expect(await statusOf(bearer(entered))).toBe(401);
});

/** Sends the request while the account is locked, and changes it when the request waits. */
async function beforeChange(
  { id }: TestUser,
  change: string,
  request: () => Promise<Reply>,
): Promise<Reply> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await owner.query('SELECT FROM identity.users WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const reply = request();
    await waiters(1);
    await rowsOf(server.database, sso.tenant.id, change, [id]);
    await owner.query('COMMIT');
    return await reply;
  } finally {
    await owner.query('ROLLBACK');
  }
}

it('a confirmation that comes while the role of its member changes is refused, without a deadlock', async () => {
  const person = await sso.person({ tenant: sso.tenant });
  const token = await pending(person);
  const proof = await PROOFS.mail(person, token);
  const change = "SELECT identity.change_member($1, NULL, 'viewer', NULL, now())";
  const reply = await beforeChange(person, change, () => sso.confirm({ token, ...proof }));
  expect(reply).toMatchObject({ status: 400, json: { code: 'INVALID_TOKEN' } });
});

it('a sign-in with a recovery code that comes while the second factor is disabled is refused, without a deadlock', async () => {
  const at = server.clock.now();
  const { recoveryCodes } = await enrol(server.database, TEST_APP_SECRET, chief, { at });
  const { email, password } = chief;
  const body = { email, password, recoveryCode: recoveryCodes[0] };
  const disable = 'SELECT identity.disable_two_factor($1)';
  const reply = await beforeChange(chief, disable, () => post('/auth/login', body));
  expect(reply).toMatchObject({ status: 401, json: { code: 'INVALID_CREDENTIALS' } });
});

describe('a change of the second factor in a session that a new password ends meanwhile', () => {
  const CHANGES = {
    setup: async () => ({}),
    enable: async (person: TestUser) => {
      const { database, clock } = server;
      const at = clock.now();
      const pendingSince = { at, pending: true };
      const { sessionId } = person;
      const { secret } = await enrol(database, TEST_APP_SECRET, person, pendingSince, sessionId);
      return { code: codeAt(secret, at) };
    },
    disable: codeOf,
    'recovery-codes': codeOf,
  };

  async function codeOf(person: TestUser) {
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, person, { at });
    return { code: codeAt(secret, at) };
  }

  it.each(Object.entries(CHANGES))(
    'POST /auth/2fa/%s is refused in a session that a new password ends meanwhile',
    async (operation, bodyOf) => {
      const body = await bodyOf(chief);
      const change = () => post(`/auth/2fa/${operation}`, body, chief.session);
      const end = 'SELECT identity.shut_out($1, NULL, now())';
      const reply = await beforeChange(chief, end, change);
      expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    },
  );
});
