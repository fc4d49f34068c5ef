import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../tests/kit/mailbox.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { displayNameFrom } from './display-name.ts';
import { newId } from './ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const REFUSED = ['\u202eabc', 'a\u2066b', 'a\u200bb', 'a\u200eb', '\ufeffa', 'a\nb', 'a\u0085b'];
const ACCEPTED = [
  'Zoë O’Brien & Söhne "AG"',
  '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u{1f469}\u200d\u{1f4bb}',
];

describe('the name of a person or a tenant', () => {
  it('the name of a person or a tenant with control or format characters is refused wherever it is set', async () => {
    const admin = await server.people.user({ amr: ['pwd', 'otp'] });
    const ask = (method: string, path: string, body: unknown) =>
      server.call(path, { method, body, headers: admin.session });
    const account = () => ({ email: `${newId()}@example.com`, password: 'a long one of 2026' });
    const invited = () => ({ email: `${newId()}@example.com`, role: 'viewer' });
    const settings = async (name: string) => [
      await ask('PATCH', '/tenant', { name }),
      await ask('PATCH', `/users/${admin.id}`, { name }),
      await ask('POST', '/users', { ...invited(), name }),
      await ask('POST', '/auth/register', { ...account(), name, tenantName: 'T' }),
      await ask('POST', '/auth/register', { ...account(), tenantName: name }),
    ];
    for (const name of REFUSED) {
      const replies = await settings(name);
      expect(
        replies.map(({ status }) => status),
        JSON.stringify(name),
      ).toEqual(Array(5).fill(400));
      expect(replies[0]?.json.errors).toEqual([
        { path: 'body.name', message: expect.stringContaining('format characters') },
      ]);
    }
    for (const name of ACCEPTED) {
      const statuses = (await settings(name)).map(({ status }) => status);
      expect(statuses, name).toEqual([200, 200, 201, 202, 202]);
      expect((await ask('GET', '/tenant', undefined)).json.name).toBe(name);
    }
  });

  it('the name of a tenant that was stored earlier is readable, and mails quote it without invisible characters', async () => {
    const admin = await server.people.user({ amr: ['pwd', 'otp'] });
    const name = '\u202eabc". Pay\u2028now';
    await server.database.owner.query('UPDATE identity.tenants SET name = $2 WHERE id = $1', [
      admin.tenant.id,
      name,
    ]);
    const call = { headers: admin.session };
    expect((await server.call('/tenant', call)).json.name).toBe(name);
    const body = { email: `${newId()}@example.com`, role: 'viewer' };
    await server.call('/users', { ...call, method: 'POST', body });
    const [mail] = await mailsTo(server, body.email);
    expect(mail?.subject).toBe('Invitation to abc". Pay now');
    expect(mail?.text).toContain(`You are invited to join "abc'. Pay now".`);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/[\u202e\u2028]/);
  });

  it.each([
    ['  Ada\u202e Lovelace\n', 'Ada Lovelace'],
    ['\u2066Ada\u2069\u0000', 'Ada'],
    [ACCEPTED[1], ACCEPTED[1]],
    [ACCEPTED[2], ACCEPTED[2]],
    ['\u202e\u200b', null],
    ['\ud800', null],
    ['', null],
    [undefined, null],
    ['x'.repeat(500), 'x'.repeat(100)],
  ])('the name %j of an identity provider is cleaned to %j', (given, name) => {
    expect(displayNameFrom(given)).toBe(name);
  });
});
