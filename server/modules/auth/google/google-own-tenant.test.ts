import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../../../tests/kit/mailbox.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';

let issuer: TokenIssuer;
let server: TestServer;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await startTestServer({ issuer });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

/** Signs in with the Google account of an address. */
async function signIn(email: string) {
  const credential = await issuer.token(server.clock.now(), { sub: `google-${email}`, email });
  const reply = await server.call('/auth/google', { method: 'POST', body: { credential } });
  expect(reply.status).toBe(200);
  const headers = { authorization: `Bearer ${reply.json.accessToken}` };
  return (await server.call('/auth/me', { headers })).json;
}

describe('a person with an account and no active membership', () => {
  it.each(['disabled', 'invited'])(
    'a person whose only membership is %s gets a tenant of their own by a sign-in with Google, and nothing of the other tenant',
    async (status) => {
      const admin = await server.people.user();
      const person = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
      await server.database.owner.query(
        'UPDATE identity.memberships SET status = $2 WHERE user_id = $1',
        [person.id, status],
      );
      for (let time = 0; time < 2; time += 1) {
        const me = await signIn(person.email);
        expect(me).toMatchObject({ user: { id: person.id }, role: 'admin' });
        expect(me.memberships).toMatchObject([{ tenantId: me.tenant.id }]);
        expect(me.tenant.id).not.toBe(admin.tenant.id);
      }
      const { json } = await server.call('/users', { headers: admin.key });
      expect(json.items).toContainEqual(
        expect.objectContaining({ email: person.email, role: 'viewer', status }),
      );
    },
  );

  it('a person whose account is linked by a sign-in with Google that gives them a tenant gets one mail about the link', async () => {
    const person = await server.people.user();
    await server.database.owner.query('DELETE FROM identity.memberships WHERE user_id = $1', [
      person.id,
    ]);
    for (let time = 0; time < 2; time += 1) await signIn(person.email);
    const mails = await mailsTo(server, person.email);
    expect(mails.map(({ template }) => template)).toEqual(['google-linked']);
  });
});
