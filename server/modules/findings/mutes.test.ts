import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { type Planted, plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let user: TestUser;
let analyst: Analyst;
let project: { id: string; name: string };

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
  project = await projectOf(user);
});

function projectOf({ tenant }: TestUser) {
  return new Belongings(server.services, server.database, tenant).project();
}

function plant(planted: readonly Planted[], where = project): Promise<string[]> {
  return plantFindings(server.database, analyst.tenantId, where.id, planted);
}

function mute(body: object, status = 201) {
  return analyst.ask(status, '/mutes', { method: 'POST', body: { reason: 'Known', ...body } });
}

/** The assets of the findings that match a filter, in the order of creation. */
async function assets(filter: string): Promise<string[]> {
  return (await analyst.findings(filter)).map(({ asset }) => asset.name).reverse();
}

async function only(): Promise<Finding> {
  const [finding, ...others] = await analyst.findings();
  if (finding === undefined || others.length > 0) throw new Error('not exactly one finding');
  return finding;
}

const inDays = (days: number) =>
  new Date(server.clock.now().getTime() + days * 24 * 3600 * 1000).toISOString();

describe('a mute', () => {
  it('a mute takes effect immediately, expires on time and changes nothing else about its finding', async () => {
    await plant([{}]);
    const before = await only();
    const { fingerprint } = before;
    const made = await mute({ fingerprint, reason: 'A static site', expiresAt: inDays(2) });
    expect(made).toMatchObject({ fingerprint, selector: null, reason: 'A static site' });
    const muted = { reason: 'A static site', expiresAt: made.expiresAt };
    expect(await only()).toEqual({ ...before, muted });
    // The finding alone also says how to fix it.
    const alone = await analyst.ask(200, `/findings/${before.id}`);
    expect(alone).toEqual({ ...before, muted, fix: alone.fix, noFix: alone.noFix });
    server.clock.advance({ days: 2, seconds: 1 });
    expect(await only()).toEqual(before);
  });

  it('a mute of a fingerprint names its finding, and one of a selector or an unknown fingerprint names none', async () => {
    await plant([{}]);
    const { id, fingerprint, ruleId, title, severity, status, asset } = await only();
    const made = await mute({ fingerprint });
    const finding = { id, ruleId, title, severity, status, project: project.name, asset };
    expect(made.finding).toEqual(finding);
    expect((await mute({ selector: { ruleId } })).finding).toBeNull();
    expect((await mute({ fingerprint: 'f'.repeat(64) })).finding).toBeNull();
    const { items } = await analyst.ask(200, '/mutes');
    expect(items.map((item: { finding: unknown }) => item.finding)).toEqual([null, null, finding]);
    const ofFinding = await analyst.ask(200, `/mutes?finding=${id}`);
    expect(ofFinding.items.at(-1)).toEqual(made);
  });

  it('a mute stops applying when it is deleted', async () => {
    await plant([{}]);
    const { fingerprint } = await only();
    const { id } = await mute({ fingerprint });
    expect(await assets('muted=false')).toEqual([]);
    await analyst.ask(204, `/mutes/${id}`, { method: 'DELETE' });
    expect(await only()).toMatchObject({ muted: null });
    expect(await assets('muted=false')).toHaveLength(1);
    await analyst.ask(404, `/mutes/${id}`, { method: 'DELETE' });
  });

  it('a mute lasts 90 days by default, or as long as the tenant has set', async () => {
    const days = async () => {
      const { createdAt, expiresAt } = await mute({ selector: { ruleId: 'r' } });
      return (Date.parse(expiresAt) - Date.parse(createdAt)) / (24 * 3600 * 1000);
    };
    expect(await days()).toBe(90);
    await server.database.owner.query(
      `UPDATE identity.tenants SET settings = '{"muteDefaultDays": 7}' WHERE id = $1`,
      [analyst.tenantId],
    );
    expect(await days()).toBe(7);
  });

  it('a finding that several mutes match shows the one that ends last', async () => {
    await plant([{ labels: { env: 'test' } }]);
    const { fingerprint, ruleId } = await only();
    const longest = await mute({ selector: { ruleId }, reason: 'b', expiresAt: inDays(9) });
    await mute({ fingerprint, reason: 'a', expiresAt: inDays(3) });
    await mute({ selector: { label: 'env' }, reason: 'c', expiresAt: inDays(5) });
    expect((await only()).muted).toEqual({ reason: 'b', expiresAt: longest.expiresAt });
    await analyst.ask(204, `/mutes/${longest.id}`, { method: 'DELETE' });
    expect((await only()).muted).toMatchObject({ reason: 'c' });
  });

  it('a mute does not apply to another tenant, not even by fingerprint', async () => {
    await plant([{}]);
    const { fingerprint, ruleId } = await only();
    const stranger = await Analyst.at(server);
    for (const about of [{ fingerprint }, { selector: { ruleId } }, { selector: { asset: '*' } }]) {
      const body = { reason: 'Mine', ...about };
      await stranger.ask(201, '/mutes', { method: 'POST', body });
    }
    expect(await only()).toMatchObject({ muted: null });
    expect((await analyst.ask(200, '/mutes')).items).toEqual([]);
    const [theirs] = (await stranger.ask(200, '/mutes')).items;
    expect((await analyst.call(`/mutes/${theirs.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await stranger.ask(200, '/mutes')).items).toHaveLength(3);
  });

  it('a mute is deleted with the project it names', async () => {
    await mute({ selector: { project: project.name } });
    const kept = await mute({ selector: { ruleId: 'r' } });
    await analyst.ask(204, `/projects/${project.name}`, { method: 'DELETE' });
    expect((await analyst.ask(200, '/mutes')).items).toEqual([kept]);
  });

  it('a mute is created once for one Idempotency-Key', async () => {
    const call = {
      method: 'POST',
      body: { selector: { asset: 'x' }, reason: 'Known' },
      headers: { 'idempotency-key': 'k' },
    };
    const first = await analyst.ask(201, '/mutes', call);
    expect(await analyst.ask(201, '/mutes', call)).toEqual(first);
    expect((await analyst.ask(200, '/mutes')).items).toEqual([first]);
  });

  it('a mute is audited with its selector when created and when deleted', async () => {
    const selector = { ruleId: 'r', asset: 'a*', project: project.name, label: 'env=' };
    const { id, expiresAt } = await mute({ selector });
    await analyst.ask(204, `/mutes/${id}`, { method: 'DELETE' });
    const rows = await rowsOf(
      server.database,
      analyst.tenantId,
      'SELECT action, subject, detail FROM audit_events ORDER BY id',
    );
    const key = { apiKeyId: expect.any(String) };
    expect(rows).toEqual([
      { action: 'mute.created', subject: id, detail: { selector, expiresAt, ...key } },
      { action: 'mute.deleted', subject: id, detail: { selector, ...key } },
    ]);
  });
});

describe('a mute is rejected', () => {
  const past = '2020-01-01T00:00:00.000Z';
  it.each([
    ['that ends in the past', { selector: { ruleId: 'r' }, expiresAt: past }, 'body.expiresAt'],
    ['without a subject', {}, 'body'],
    ['with two subjects', { fingerprint: 'a'.repeat(64), selector: { ruleId: 'r' } }, 'body'],
    ['with an empty selector', { selector: {} }, 'body.selector'],
    ['of an unknown project', { selector: { project: 'none' } }, 'body.selector.project'],
    ['with an invalid fingerprint', { fingerprint: 'A'.repeat(64) }, 'body.fingerprint'],
    ['with an invalid label', { selector: { label: '=x' } }, 'body.selector.label'],
    ['without a reason', { selector: { ruleId: 'r' }, reason: '' }, 'body.reason'],
  ])('a mute %s is rejected', async (_what, body, path) => {
    const { errors } = await mute(body, 400);
    expect(errors).toMatchObject([{ path }]);
    expect((await analyst.ask(200, '/mutes')).items).toEqual([]);
  });

  it('a mute that would end now is rejected', async () => {
    server.clock.advance({ days: 1 });
    const now = server.clock.now().toISOString();
    await mute({ selector: { ruleId: 'r' }, expiresAt: now }, 400);
  });

  it("a mute for another tenant's project is rejected like one for an unknown project", async () => {
    const theirs = await projectOf(await server.people.user());
    const words = async (name: string) => (await mute({ selector: { project: name } }, 400)).detail;
    expect(await words(theirs.name)).toBe(await words(`unknown-${newId()}`));
  });
});

describe('the list of mutes', () => {
  it('the list of mutes is paged, newest first, and separates active from expired mutes', async () => {
    const made = [];
    for (const days of [1, 5, 1, 5]) {
      made.unshift(await mute({ selector: { ruleId: `in-${days}` }, expiresAt: inDays(days) }));
    }
    const first = await analyst.ask(200, '/mutes?limit=3');
    expect(first.items).toEqual(made.slice(0, 3));
    const second = await analyst.ask(200, `/mutes?limit=3&cursor=${first.nextCursor}`);
    expect(second).toEqual({ items: made.slice(3), nextCursor: null });
    server.clock.advance({ days: 2 });
    const of = async (active: boolean) => (await analyst.ask(200, `/mutes?active=${active}`)).items;
    expect(await of(true)).toEqual([made[0], made[2]]);
    expect(await of(false)).toEqual([made[1], made[3]]);
    expect((await analyst.ask(200, '/mutes')).items).toEqual(made);
  });

  it('the list of mutes shows each mute as it was created, without the name of a deleted user', async () => {
    const other = await server.people.user({ tenant: user.tenant, amr: ['pwd', 'otp'] });
    const as = new Analyst(server, other.key, user.tenant.id);
    const selector = { ruleId: 'r', asset: '*x%', project: project.name, label: 'a=' };
    const body = { selector, reason: 'Known' };
    const made = await as.ask(201, '/mutes', { method: 'POST', body });
    expect(made).toMatchObject({ selector, createdBy: { id: other.id, label: other.email } });
    expect((await analyst.ask(200, '/mutes')).items).toEqual([made]);
    const admin = await server.people.user({ tenant: user.tenant, amr: ['pwd', 'otp'] });
    const removal = { method: 'DELETE', headers: admin.session };
    expect((await server.call(`/users/${other.id}`, removal)).status).toBe(204);
    const [left] = (await analyst.ask(200, '/mutes')).items;
    expect(left).toEqual({ ...made, createdBy: { id: other.id, label: 'removed user' } });
  });
});
