import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { masterKeyHeaders, SHARED_CREDENTIALS } from '../../../tests/kit/shared-credentials.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ config: SHARED_CREDENTIALS });
});

afterAll(() => server.close());

const PATH = '/auth/me/notifications';
type Headers = Record<string, string>;

const get = async (headers: Headers) => (await server.call(PATH, { headers })).json;
const put = (headers: Headers, body: unknown) =>
  server.call(PATH, { method: 'PUT', headers, body });
const unsubscribe = (token: string, call: { body?: unknown; headers?: Headers } = {}) =>
  server.call(`/unsubscribe?token=${token}`, { method: 'POST', ...call });

describe('e-mail notifications', () => {
  it('e-mail notifications are off until a person changes them, for that person and tenant alone', async () => {
    const tenant = await server.people.tenant();
    const ada = await server.people.user({ tenant, role: 'viewer' });
    const bob = await server.people.user({ tenant, role: 'viewer' });
    expect(await get(ada.session)).toEqual({ digest: 'off' });
    expect((await put(ada.session, { digest: 'daily' })).json).toEqual({ digest: 'daily' });
    expect(await get(ada.key)).toEqual({ digest: 'daily' });
    expect(await get(bob.key)).toEqual({ digest: 'off' });
    const elsewhere = await server.people.tenant();
    await server.people.join(ada, elsewhere);
    const there = await server.people.session({ id: ada.id, tenant: elsewhere });
    expect(await get(there.headers)).toEqual({ digest: 'off' });
  });

  it.each(['off', 'immediate', 'daily', 'weekly'])(
    'e-mail notifications can be set to %s',
    async (digest) => {
      const { key } = await server.people.user({ role: 'viewer' });
      expect(await put(key, { digest })).toMatchObject({ status: 200, json: { digest } });
      expect(await get(key)).toEqual({ digest });
    },
  );

  it.each([{}, { digest: 'hourly' }, { digest: null }, { digest: 'off', email: 'x@example.com' }])(
    'the settings of e-mail notifications refuse the body %j',
    async (body) => {
      const { key } = await server.people.user({ role: 'viewer' });
      expect((await put(key, body)).json.code).toBe('VALIDATION_FAILED');
    },
  );

  it('the settings of e-mail notifications are refused to a shared credential', async () => {
    const headers = masterKeyHeaders(await server.people.tenant());
    for (const reply of [
      await server.call(PATH, { headers }),
      await put(headers, { digest: 'off' }),
    ]) {
      expect(reply).toMatchObject({
        status: 403,
        json: { code: 'CREDENTIAL_NOT_ALLOWED', accepts: ['jwt', 'api_key'] },
      });
    }
  });

  it('the settings of e-mail notifications are deleted when the person leaves the tenant', async () => {
    const tenant = await server.people.tenant();
    const admin = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
    const member = await server.people.user({ tenant, role: 'viewer' });
    await put(member.key, { digest: 'daily' });
    const path = `/users/${member.id}`;
    await server.call(path, { method: 'DELETE', headers: admin.session });
    const left = await server.services.tenants.read(tenant.id, (db) =>
      db.prisma.notificationSetting.count({ where: { tenantId: tenant.id } }),
    );
    expect(left).toBe(0);
  });
});

describe('the link to unsubscribe', () => {
  const subscribed = async () => {
    const user = await server.people.user();
    await put(user.key, { digest: 'immediate' });
    const token = server.services.unsubscribe.tokenFor({
      ...{ tenantId: user.tenant.id, userId: user.id },
    });
    return { user, token };
  };

  it('the link to unsubscribe shows a page with a button, and changes nothing when it is opened', async () => {
    const { user, token } = await subscribed();
    const reply = await server.call(`/unsubscribe?token=${token}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(reply.text).toContain('<form method="post"><button>Unsubscribe</button></form>');
    expect(reply.text).not.toContain(token);
    expect(await get(user.key)).toEqual({ digest: 'immediate' });
  });

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['text/plain', ''],
  ])(
    'the link to unsubscribe works with one POST of %s, without a credential, and repeatedly',
    async (type, body) => {
      const { user, token } = await subscribed();
      const call = { body, headers: { 'content-type': type } };
      const first = await unsubscribe(token, call);
      expect(first.status).toBe(200);
      expect(await get(user.key)).toEqual({ digest: 'off' });
      expect(await unsubscribe(token, call)).toMatchObject({ status: 200, text: first.text });
      const trail = await server.call('/audit-events?action=notifications.unsubscribed', {
        headers: user.key,
      });
      expect(trail.json.items).toHaveLength(1);
      expect(trail.json.items[0]).toMatchObject({ subject: user.id, actor: { id: user.id } });
    },
  );

  it('the link to unsubscribe gives the same answer for an unknown token, a forged one and one of a former member', async () => {
    const { user, token } = await subscribed();
    const other = await subscribed();
    const known = await unsubscribe(other.token);
    const bytes = Buffer.from(token, 'base64url');
    const forged = [3, 10, 20, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    const left = server.services.unsubscribe.tokenFor({
      ...{ tenantId: user.tenant.id, userId: other.user.id },
    });
    for (const one of ['', 'x', token.slice(0, -4), 'A'.repeat(2048), ...forged, left]) {
      const reply = await unsubscribe(one);
      expect(reply).toMatchObject({ status: 200, text: known.text });
    }
    expect(await get(user.key)).toEqual({ digest: 'immediate' });
  });
});
