import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { codeIn, TestIdentityProvider } from '../../../../tests/kit/identity-provider.ts';
import { rowsOf, waitingFor } from '../../../../tests/kit/owner-queries.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { until } from '../../../../tests/kit/until.ts';

// Requests of one person that come at the same time lock rows in one order, so Postgres rolls none of them back.

const provider = new TestIdentityProvider();
let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  sso = await SingleSignOn.start(server, provider);
});

const waiters = (count: number) =>
  until(
    `${count} to wait`,
    async () => (await waitingFor(server.database, 'true')).length === count,
  );

/** Sends the requests one after the other, each when the one before waits for what this statement of the tenant locks. */
async function heldBy(
  statement: string,
  values: readonly unknown[],
  ...requests: readonly (() => Promise<Reply>)[]
): Promise<Reply[]> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rowsOf(server.database, sso.tenant.id, statement, values);
    const replies: Promise<Reply>[] = [];
    for (const request of requests) {
      replies.push(request());
      await waiters(replies.length);
    }
    await owner.query('COMMIT');
    return await Promise.all(replies);
  } finally {
    await owner.query('ROLLBACK');
  }
}

const AUDIT_TRAIL = 'LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE';

it.each([
  ['sets', 'PUT', 200],
  ['deletes', 'DELETE', 204],
] as const)(
  'an administrator %s the identity provider and signs in through it at the same time, without a deadlock',
  async (_what, method, expected) => {
    // With a session of another tenant, so that the trail of this one has no name of the person yet.
    const person = await sso.person({ amr: ['pwd', 'otp'] });
    await server.people.join(person, sso.tenant);
    const headers = { ...person.session, 'x-tenant-id': sso.tenant.id };
    const change = () =>
      server.call('/tenant/saml', {
        method,
        headers,
        ...(method === 'PUT' ? { body: provider.settings } : {}),
      });
    const signIn = () => sso.signIn({ email: person.email });
    const [changed, entered] = await heldBy(AUDIT_TRAIL, [], change, signIn);
    expect(changed?.status, changed?.text).toBe(expected);
    expect(entered?.status).toBe(401);
  },
);

it('a first sign-in through an identity provider and the exchange of an earlier code do not deadlock', async () => {
  const role = await server.people.role(sso.tenant, ['admin.audit']);
  const person = await sso.person({ tenant: sso.tenant, verified: false });
  await sso.sql('UPDATE identity.memberships SET role = $2 WHERE user_id = $1', [person.id, role]);
  const { email } = person;
  // The role demands a confirmation, so the code links nothing yet. Then the role loses its permission.
  const code = codeIn(await sso.signIn({ email }));
  await sso.sql('UPDATE identity.roles SET permissions = $2 WHERE tenant_id = $1', [
    sso.tenant.id,
    ['scans.read'],
  ]);
  const [entered, exchanged] = await heldBy(
    'SELECT FROM identity.memberships WHERE user_id = $1 FOR UPDATE',
    [person.id],
    () => sso.signIn({ email }),
    () => sso.exchange(code),
  );
  expect(entered?.status).toBe(303);
  expect(exchanged).toMatchObject({ status: 400, json: { code: 'INVALID_TOKEN' } });
});

it('two sign-ins of one person that are confirmed by password at the same time do not deadlock', async () => {
  const { id, email, password } = await sso.person({ tenant: sso.tenant });
  const pending = async () =>
    (await sso.exchange(codeIn(await sso.signIn({ email })))).json.confirmation.token;
  const [first, second] = [await pending(), await pending()];
  const replies = await heldBy(
    'SELECT FROM identity.users WHERE id = $1 FOR KEY SHARE',
    [id],
    () => sso.confirm({ token: first, password }),
    () => sso.confirm({ token: second, password }),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
});
