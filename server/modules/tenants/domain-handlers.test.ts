import { FEATURES } from '@cspm/contract';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let admin: TestUser;
let domain: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  const tenant = await server.people.tenant(FEATURES);
  admin = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
  domain = `${newId()}.example.com`;
});

const ask = (method: string, path: string, body?: unknown, by = admin) =>
  server.call(`/tenant/domains${path}`, { method, headers: by.session, body });
const add = (name = domain, by = admin) => ask('POST', '', { domain: name }, by);
const verify = (name = domain, by = admin) => ask('POST', `/${name}/verify`, undefined, by);

async function trail() {
  const rows = await server.services.tenants.read(admin.tenant.id, (db) =>
    db.sql<QueryResultRow>({
      name: 'test-domain-trail',
      text: 'SELECT * FROM audit_events ORDER BY at, id',
    }),
  );
  return rows.map((row) => [row['action'], row['outcome'], row['subject']]);
}

describe('an e-mail domain', () => {
  it('an e-mail domain is added, verified by its TXT record, listed and removed, with audit rows', async () => {
    const added = await add();
    expect(added).toMatchObject({
      status: 201,
      json: { domain, status: 'pending', verifiedAt: null, record: { type: 'TXT', name: domain } },
    });
    const { value } = added.json.record;
    expect(value).toMatch(/^cspm-domain-verification=[\w-]{43}$/);
    server.dns.set(domain, ['v=spf1 -all', value]);
    expect((await verify()).json).toMatchObject({ status: 'verified' });
    expect((await ask('GET', '')).json.items).toMatchObject([{ domain, status: 'verified' }]);
    expect((await ask('DELETE', `/${domain}`)).status).toBe(204);
    expect((await ask('GET', '')).json).toEqual({ items: [], nextCursor: null });
    expect((await ask('DELETE', `/${domain}`)).status).toBe(404);
    expect((await trail()).slice(0, 3)).toEqual([
      ['domain.added', 'success', domain],
      ['domain.verified', 'success', domain],
      ['domain.removed', 'success', domain],
    ]);
  });

  it('an e-mail domain is not verified by a missing or similar record or by that of another tenant', async () => {
    const { value } = (await add()).json.record;
    const other = await server.people.user({
      tenant: await server.people.tenant(FEATURES),
      amr: ['pwd', 'otp'],
    });
    const theirs = (await add(domain, other)).json.record.value;
    for (const answer of [
      'no-such-name',
      [],
      [theirs],
      [`${value}x`],
      [value.slice(0, -1)],
    ] as const) {
      server.dns.set(domain, answer);
      const reply = await verify();
      expect(reply).toMatchObject({ status: 422, json: { code: 'DOMAIN_NOT_VERIFIED' } });
      expect(reply.json.detail).toContain(value);
    }
    expect((await ask('GET', '')).json.items).toMatchObject([{ status: 'pending' }]);
    server.dns.set(domain, [theirs, value]);
    expect((await verify()).status).toBe(200);
    expect((await verify(domain, other)).status).toBe(200);
  });

  it('an e-mail domain loses its verification when a later check finds the record gone', async () => {
    const { value } = (await add()).json.record;
    server.dns.set(domain, [value]);
    await verify();
    server.dns.set(domain, 'no-such-name');
    expect((await verify()).status).toBe(422);
    expect((await ask('GET', '')).json.items).toMatchObject([{ status: 'pending' }]);
  });

  it('an e-mail domain keeps its verification when the DNS fails or is silent, and the check is answered 503', async () => {
    const { value } = (await add()).json.record;
    server.dns.set(domain, [value]);
    await verify();
    for (const answer of ['failure', 'silence'] as const) {
      server.dns.set(domain, answer);
      const reply = await verify();
      expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]/);
    }
    expect((await ask('GET', '')).json.items).toMatchObject([{ status: 'verified' }]);
  }, 300_000);

  it('an e-mail domain is verified while another tenant verifies as many domains as it may, with a DNS server that does not answer', async () => {
    const other = await server.people.user({
      tenant: await server.people.tenant(FEATURES),
      amr: ['pwd', 'otp'],
    });
    const { value } = (await add(domain, other)).json.record;
    server.dns.set(domain, [value]);
    const silent = Array.from({ length: 10 }, () => `${newId()}.example.com`);
    for (const name of silent) {
      await add(name);
      server.dns.set(name, 'silence');
    }
    const pending = silent.map((name) => verify(name));
    const asked = () => silent.filter((name) => server.dns.asked.includes(name)).length;
    await until('two DNS queries', async () => asked() >= 2);
    expect((await verify(domain, other)).status).toBe(200);
    for (const name of silent) server.dns.set(name, 'no-such-name');
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
    expect(statuses.filter((status) => status === 422)).toHaveLength(2);
  });

  it('an e-mail domain is not verified for an admin whose sessions end during the DNS query', async () => {
    const { value } = (await add()).json.record;
    server.dns.set(domain, 'silence');
    const verifying = verify();
    await until('the DNS query', async () => server.dns.asked.includes(domain));
    await server.call('/auth/logout-all', { method: 'POST', headers: admin.session });
    server.dns.set(domain, [value]);
    expect((await verifying).json.code).toBe('UNAUTHORIZED');
    const { rows } = await server.database.owner.query(
      'SELECT verified_at FROM identity.tenant_domains WHERE domain = $1',
      [domain],
    );
    expect(rows).toEqual([{ verified_at: null }]);
  });

  it('an e-mail domain of another tenant is not verified for a person who loses it, and the right to switch, during the query', async () => {
    const home = await server.people.tenant(FEATURES);
    const person = await server.people.user({ tenant: home, amr: ['pwd', 'otp'] });
    await server.people.join(person, admin.tenant);
    const { value } = (await add()).json.record;
    server.dns.set(domain, 'silence');
    const headers = { ...person.session, 'x-tenant-id': admin.tenant.id };
    const path = `/tenant/domains/${domain}/verify`;
    const verifying = server.call(path, { method: 'POST', headers });
    await until('the DNS query', async () => server.dns.asked.includes(domain));
    await server.people.join(person, home, ['admin.settings']);
    await server.people.join(person, admin.tenant, 'viewer');
    server.dns.set(domain, [value]);
    expect((await verifying).json.code).toBe('FORBIDDEN');
  });

  it('an e-mail domain is normalized to lower case and ASCII, so every spelling is the same domain', async () => {
    const name = `${newId()}.Bücher.example`;
    expect((await add(name)).json.domain).toBe(
      name.toLowerCase().replace('bücher', 'xn--bcher-kva'),
    );
    expect((await add(name.toUpperCase())).json.code).toBe('CONFLICT');
  });

  it.each([
    'com',
    'localhost',
    '.example.com',
    'example.com.',
    'exa mple.com',
    '192.0.2.1',
    'a..b.com',
    'printer.local',
    '*.example.com',
    'http://example.com',
    'user@example.com',
    'example.com\u0000.evil.com',
    `${'a'.repeat(64)}.com`,
  ])('an e-mail domain cannot be %j', async (name) => {
    const asked = server.dns.asked.length;
    expect((await add(name)).json.code).toBe('VALIDATION_FAILED');
    expect(server.dns.asked.length).toBe(asked);
  });

  it('an e-mail domain is refused when the tenant has fifty', async () => {
    const has = new Belongings(server.services, server.database, admin.tenant);
    for (let count = 0; count < 50; count += 1) await has.verifiedDomain();
    expect(await add()).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
  });

  it('an e-mail domain is not verified for a tenant that did not add it', async () => {
    await add();
    const stranger = await server.people.user({
      tenant: await server.people.tenant(FEATURES),
      amr: ['pwd', 'otp'],
    });
    expect((await verify(domain, stranger)).status).toBe(404);
  });
});
