import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { settingsFrom } from './tenant-settings.ts';

const amr = ['pwd', 'otp'];
const PREFIX = expect.stringMatching(/^cspm-[0-9a-f]{16}$/);
const DEFAULTS = settingsFrom(undefined);
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const get = async (user: TestUser) =>
  (await server.call('/tenant', { headers: user.session })).json;
const patch = (user: TestUser, body: unknown, headers: Record<string, string> = user.session) =>
  server.call('/tenant', { method: 'PATCH', headers, body });

describe('the tenant', () => {
  it('a new tenant has the documented default settings', () => {
    expect(DEFAULTS, 'Add the default of each new setting here').toEqual({
      inventoryMaxAgeHours: 24,
      muteDefaultDays: 90,
      allowedDomains: [],
    });
  });

  it('GET /tenant shows the tenant to any credential, with defaults for missing settings', async () => {
    const tenant = await server.people.tenant(['sso']);
    const person = await server.people.user({ tenant, role: ['scans.read'] });
    for (const headers of [person.session, person.key]) {
      const reply = await server.call('/tenant', { headers });
      expect(reply.json).toEqual({
        ...tenant,
        features: ['sso'],
        settings: DEFAULTS,
        googlePrincipalPrefix: PREFIX,
      });
    }
  });

  it('PATCH /tenant changes the given fields and keeps the others', async () => {
    const admin = await server.people.user({ amr });
    const other = await server.people.user({ amr });
    await patch(admin, { settings: { inventoryMaxAgeHours: 48 } });
    const domains = ['example.com', 'xn--bcher-kva.example'];
    const reply = await patch(admin, { name: 'New name', settings: { allowedDomains: domains } });
    const settings = { ...DEFAULTS, inventoryMaxAgeHours: 48, allowedDomains: domains };
    expect(reply.json).toEqual({
      id: admin.tenant.id,
      name: 'New name',
      features: [],
      settings,
      googlePrincipalPrefix: PREFIX,
    });
    expect(await get(admin)).toEqual(reply.json);
    expect((await patch(admin, {})).json).toEqual(reply.json);
    expect(await get(other)).toEqual({
      ...other.tenant,
      features: [],
      settings: DEFAULTS,
      googlePrincipalPrefix: PREFIX,
    });
    const me = await server.call('/auth/me', { headers: admin.session });
    expect(me.json.tenant.name).toBe('New name');
  });

  it('two concurrent changes of a tenant are both kept', async () => {
    const admin = await server.people.user({ amr });
    await Promise.all([
      patch(admin, { settings: { inventoryMaxAgeHours: 1 } }),
      patch(admin, { settings: { muteDefaultDays: 1 } }),
    ]);
    const settings = { ...DEFAULTS, inventoryMaxAgeHours: 1, muteDefaultDays: 1 };
    expect((await get(admin)).settings).toEqual(settings);
  });

  it.each([
    ['features of their choice', { features: ['sso'] }],
    ['another id', { id: '00000000-0000-4000-8000-000000000000' }],
    ['an unknown setting', { settings: { plan: 'gold' } }],
    ['zero hours', { settings: { inventoryMaxAgeHours: 0 } }],
    ['half an hour', { settings: { inventoryMaxAgeHours: 0.5 } }],
    ['too many days', { settings: { muteDefaultDays: 1e9 } }],
    ['a domain with a path', { settings: { allowedDomains: ['example.com/x'] } }],
    ['a domain in capitals', { settings: { allowedDomains: ['Example.com'] } }],
    ['a setting of null', { settings: { allowedDomains: null } }],
    ['an empty name', { name: '' }],
    ['a name with a NUL', { name: 'a\0' }],
  ])('PATCH /tenant refuses %s', async (_what, body) => {
    const admin = await server.people.user({ amr });
    expect((await patch(admin, body)).json.code).toBe('VALIDATION_FAILED');
    expect(await get(admin)).toEqual({
      ...admin.tenant,
      features: [],
      settings: DEFAULTS,
      googlePrincipalPrefix: PREFIX,
    });
  });

  it('only a session with a second factor can change the tenant, and the change is audited', async () => {
    const plain = await server.people.user();
    for (const headers of [plain.session, plain.key]) {
      expect((await patch(plain, { name: 'x' }, headers)).json.code).toBe('MFA_REQUIRED');
    }
    const admin = await server.people.user({ amr });
    await patch(admin, { settings: { muteDefaultDays: 7 } });
    const [row] = await rowsOf(server.database, admin.tenant.id, 'SELECT * FROM audit_events');
    expect(row).toMatchObject({
      action: 'tenant.updated',
      actor_id: admin.id,
      subject: admin.tenant.id,
      detail: { settings: { muteDefaultDays: 7 } },
    });
  });

  it('the tenant shows defaults for stored settings that are no longer valid', async () => {
    const admin = await server.people.user({ amr });
    await server.database.owner.query('UPDATE identity.tenants SET settings = $2 WHERE id = $1', [
      admin.tenant.id,
      { inventoryMaxAgeHours: 'soon', muteDefaultDays: 5, gone: true },
    ]);
    expect((await get(admin)).settings).toEqual({ ...DEFAULTS, muteDefaultDays: 5 });
  });
});

describe('the maximum age of an inventory', () => {
  it('preflight applies the maximum age of an inventory that each tenant has set', async () => {
    const admin = await server.people.user({ amr });
    const analyst = new Analyst(server, admin.key, admin.tenant.id);
    const other = await Analyst.at(server);
    const names = [await analyst.project([cluster('a')]), await other.project([cluster('a')])];
    await patch(admin, { settings: { inventoryMaxAgeHours: 72 } });
    const freshness = async (by: Analyst, project: string | undefined) => {
      const body = { projects: [project], profile: 'full' };
      const report = await by.ask(200, '/preflight', { method: 'POST', body });
      return report.projects[0].checks.find((c: { id: string }) => c.id === 'source.freshness')
        .status;
    };
    server.clock.advance({ hours: 25 });
    const lasting = await server.people.key({ id: admin.id, tenant: admin.tenant });
    const later = new Analyst(server, lasting.headers, admin.tenant.id);
    expect(await freshness(later, names[0])).toBe('pass');
    expect(await freshness(other, names[1])).toBe('warn');
    server.clock.advance({ hours: 47 });
    expect(await freshness(later, names[0])).toBe('warn');
  });
});
