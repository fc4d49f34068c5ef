import { VIEWS_MAX } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import type { TestTenant } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { insertView } from './queries.ts';

let server: TestServer;
let tenant: TestTenant;

beforeAll(async () => {
  server = await startTestServer();
  tenant = await server.people.tenant();
});

afterAll(() => server.close());

const member = (role: 'admin' | 'viewer' | 'analyst' = 'viewer') =>
  Analyst.at(server, { tenant, role });

const VIEW = { name: 'Public', query: 'severity=high&q=a%20b&x[]=1', shared: false };

const save = (person: Analyst, view: object = {}, status = 201) =>
  person.ask(status, '/views', { method: 'POST', body: { ...VIEW, ...view } });

const change = (person: Analyst, id: string, view: object = {}) =>
  person.call(`/views/${id}`, { method: 'PUT', body: { ...VIEW, ...view } });

const idsOf = async (person: Analyst): Promise<string[]> =>
  (await person.ask(200, '/views?limit=100')).items.map(({ id }: { id: string }) => id);

describe('saved views', () => {
  it('saved views are saved, listed, changed and deleted by their owner', async () => {
    const owner = await member();
    const view = await save(owner);
    expect(view).toMatchObject(VIEW);
    expect((await owner.ask(200, '/views')).items).toContainEqual(view);
    const changed = await change(owner, view.id, { name: 'Renamed', query: '' });
    expect(changed.json).toEqual({ ...view, name: 'Renamed', query: '' });
    await owner.ask(204, `/views/${view.id}`, { method: 'DELETE' });
    await owner.ask(404, `/views/${view.id}`, { method: 'DELETE' });
    expect(await idsOf(owner)).not.toContain(view.id);
  });

  it('saved views have their query without the question marks that were sent before it', async () => {
    const owner = await member();
    const view = await save(owner, { query: '?severity=high&q=a?b' });
    expect(view.query).toBe('severity=high&q=a?b');
    const { json } = await change(owner, view.id, { query: '??severity=low' });
    expect(json.query).toBe('severity=low');
    expect((await owner.ask(200, '/views')).items).toContainEqual(json);
  });

  it('saved views are visible only to their owner while private, not even to administrators', async () => {
    const owner = await member();
    const { id } = await save(owner);
    for (const other of [await member('admin'), await member()]) {
      expect(await idsOf(other)).not.toContain(id);
      expect((await change(other, id)).status).toBe(404);
      await other.ask(404, `/views/${id}`, { method: 'DELETE' });
    }
    const admin = await member('admin');
    const { text } = await admin.call('/audit-events?action=view.created');
    expect(text).toContain(id);
    expect(text).not.toContain(VIEW.query);
    expect(text).not.toContain(`"${VIEW.name}"`);
  });

  it('saved views are visible to all members once shared, and can be changed by the owner and administrators', async () => {
    const owner = await member();
    const { id } = await save(owner, { shared: true });
    const [colleague, admin, stranger] = [
      await member('analyst'),
      await member('admin'),
      await Analyst.at(server),
    ];
    expect(await idsOf(colleague)).toContain(id);
    const refused = await change(colleague, id, { shared: true });
    expect(refused).toMatchObject({ status: 403, json: { permission: 'admin.settings' } });
    await colleague.ask(403, `/views/${id}`, { method: 'DELETE' });
    expect(await idsOf(stranger)).not.toContain(id);
    expect((await change(stranger, id)).status).toBe(404);
    const changed = await change(admin, id, { name: 'Ours', shared: true });
    expect(changed).toMatchObject({ status: 200, json: { name: 'Ours', shared: true } });
    expect((await owner.ask(200, '/views')).items).toContainEqual(changed.json);
    await admin.ask(204, `/views/${id}`, { method: 'DELETE' });
    expect(await idsOf(owner)).not.toContain(id);
  });

  it('saved views have names that are unique for an owner, also when saved or renamed at the same time', async () => {
    const [owner, colleague] = [await member(), await member()];
    const [first, second] = [await save(owner), await save(owner, { name: 'Other' })];
    await save(owner, {}, 409);
    await save(colleague);
    expect((await change(owner, second.id)).status).toBe(409);
    expect((await change(owner, first.id)).status).toBe(200);
    const body = { ...VIEW, name: 'Twice' };
    const replies = await Promise.all([
      change(owner, first.id, body),
      change(owner, second.id, body),
      owner.call('/views', { method: 'POST', body }),
    ]);
    const statuses = replies.map(({ status }) => status).toSorted();
    expect([
      [200, 409, 409],
      [201, 409, 409],
    ]).toContainEqual(statuses);
  });

  it('a person can save at most 100 views', async () => {
    const user = await server.people.user({ tenant, role: 'viewer' });
    const owner = new Analyst(server, user.key, tenant.id);
    await server.services.tenants.write(tenant.id, async (db) => {
      for (let n = 0; n < VIEWS_MAX - 1; n += 1) {
        const createdAt = server.clock.now();
        await insertView(db, { ...VIEW, id: newId(), ownerId: user.id, name: `${n}`, createdAt });
      }
    });
    await save(owner, { name: 'The last' });
    expect((await save(owner, { name: 'One more' }, 409)).detail).toContain('100 views');
  });

  it('saved views are deleted with their owner while private, and stay while shared', async () => {
    const { session } = await server.people.user({ tenant, role: 'admin', amr: ['pwd', 'otp'] });
    const admin = new Analyst(server, session, tenant.id);
    const user = await server.people.user({ tenant, role: 'viewer' });
    const owner = new Analyst(server, user.key, tenant.id);
    const [mine, ours] = [await save(owner), await save(owner, { name: 'Ours', shared: true })];
    await admin.ask(204, `/users/${user.id}`, { method: 'DELETE' });
    const left = await server.services.tenants.read(tenant.id, (db) =>
      db.prisma.savedView.findMany({ where: { tenantId: tenant.id, ownerId: user.id } }),
    );
    expect(left.map(({ id }) => id)).toEqual([ours.id]);
    expect(left.map(({ id }) => id)).not.toContain(mine.id);
  });

  it.each([
    { name: '' },
    { name: 'x'.repeat(101) },
    { query: 'a b' },
    { query: 'a=%zz' },
    { query: '<script>' },
    { query: '#a' },
    { query: 'x'.repeat(2001) },
    { shared: 'yes' },
    { unknown: 1 },
  ])('a saved view with %j is refused', async (view) => {
    const problem = await save(await member(), view, 400);
    expect(problem.code).toBe('VALIDATION_FAILED');
  });
});
