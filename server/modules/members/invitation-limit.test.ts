import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  admin = await server.people.user({ amr: ['pwd', 'otp'] });
});

const ask = (method: string, path: string, body?: unknown) =>
  server.call(path, { method, headers: admin.session, body });
const invite = (email: string) => ask('POST', '/users', { email, role: 'viewer' });
const withdraw = (id: string) => ask('DELETE', `/users/${id}`);
const resend = (id: string) => ask('POST', `/users/${id}/resend-invitation`);
const address = () => `${newId()}@example.com`;

async function invitationsTo(email: string) {
  const mails = await mailsTo(server, email);
  return mails.filter(({ template }) => template === 'invitation');
}

describe('invitations to one mailbox', () => {
  it('an invitation reaches its mailbox after anonymous requests have used up the mails that they may cause', async () => {
    const { email } = await server.people.user();
    for (let count = 0; count < 5; count += 1) {
      await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
    }
    expect(await mailsTo(server, email)).toHaveLength(3);
    expect((await invite(email)).status).toBe(201);
    const [mail] = await invitationsTo(email);
    const token = tokenIn(mail);
    const body = { token };
    expect((await server.call('/auth/accept-invite', { method: 'POST', body })).status).toBe(204);
  });

  it('invitations to one mailbox are refused after three in 15 minutes, and then change nothing', async () => {
    const email = address();
    for (let count = 0; count < 3; count += 1) {
      expect((await withdraw((await invite(email)).json.id)).status).toBe(204);
    }
    const refused = await invite(email);
    expect(refused).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT', detail: expect.stringContaining('several invitations') },
    });
    expect(await invitationsTo(email)).toHaveLength(3);
    const { json } = await ask('GET', '/users');
    expect(json.items.map((user: { email: string }) => user.email)).toEqual([admin.email]);
    const { items } = (await ask('GET', '/audit-events?action=user.invited&outcome=failure')).json;
    expect(items).toMatchObject([{ detail: { code: 'CONFLICT' } }]);
    server.clock.advance({ minutes: 16 });
    admin = await server.people.user({ amr: ['pwd', 'otp'] });
    expect((await invite(email)).status).toBe(201);
    expect(await invitationsTo(email)).toHaveLength(4);
  });

  it('invitations to one mailbox are sent again within the same limit, and the last link stays valid', async () => {
    const { email } = await server.people.user();
    for (let count = 0; count < 2; count += 1) await withdraw((await invite(email)).json.id);
    const { json: invited } = await invite(email);
    server.clock.advance({ minutes: 12 });
    const reply = await resend(invited.id);
    expect(reply.json.detail).toContain('several invitations');
    expect(reply.status).toBe(409);
    const mails = await invitationsTo(email);
    expect(mails).toHaveLength(3);
    const body = { token: tokenIn(mails.at(-1)) };
    expect((await server.call('/auth/accept-invite', { method: 'POST', body })).status).toBe(204);
  });

  it('invitations to one mailbox are refused with the same answer with and without an account', async () => {
    const known = (await server.people.user()).email;
    const seen = [];
    for (const email of [known, address()]) {
      const replies = [];
      for (let count = 0; count < 5; count += 1) {
        await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
        const reply = await invite(email);
        replies.push([reply.status, reply.json.detail ?? reply.json.status]);
        if (reply.status === 201) await withdraw(reply.json.id);
      }
      seen.push(replies);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.map(([status]) => status)).toEqual([201, 201, 201, 409, 409]);
  });
});
