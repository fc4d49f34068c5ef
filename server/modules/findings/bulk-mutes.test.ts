import { MUTE_LIMITS } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { countsOf } from '../../../tests/kit/owner-queries.ts';
import { type Planted, plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const LATER = '2090-01-01T00:00:00.000Z';

async function analystWith(rows: readonly Planted[]) {
  const user = await server.people.user();
  const analyst = new Analyst(server, user.key, user.tenant.id);
  const has = new Belongings(server.services, server.database, user.tenant);
  const project = await has.project();
  const ids = await plantFindings(server.database, analyst.tenantId, project.id, rows);
  const bulk = (status: number, body: object, headers: Record<string, string> = {}) =>
    analyst.ask(status, '/mutes/bulk', {
      method: 'POST',
      headers,
      body: { reason: 'Known', ...body },
    });
  return { analyst, ids, bulk, project: project.name };
}

const rows = (count: number, row: Planted = {}): Planted[] =>
  Array.from({ length: count }, () => row);

const mutedIn = async (analyst: Analyst) =>
  (await analyst.findings('muted=true')).map(({ id }) => id).toSorted();

describe('POST /mutes/bulk', () => {
  it('POST /mutes/bulk mutes exactly the findings that the body lists, each once', async () => {
    const { analyst, ids, bulk } = await analystWith(rows(5));
    const named = [ids[0], ids[3], ids[0]];
    const done = await bulk(200, { findingIds: named, expiresAt: LATER });
    expect(done).toMatchObject({ matched: 2, muted: 2, unchanged: 0, expiresAt: LATER });
    expect(done.mutes).toHaveLength(2);
    expect(await mutedIn(analyst)).toEqual([ids[0], ids[3]]);
    const [first] = (await analyst.ask(200, `/mutes?finding=${ids[0]}`)).items;
    expect(done.mutes).toContain(first.id);
    expect(first).toMatchObject({ reason: 'Known', selector: null });
  });

  it('POST /mutes/bulk accepts ids in upper case', async () => {
    const { analyst, ids, bulk } = await analystWith(rows(2));
    const [first = ''] = ids;
    const done = await bulk(200, { findingIds: [first.toUpperCase(), first] });
    expect(done).toMatchObject({ matched: 1, muted: 1 });
    expect(await analyst.ask(200, `/findings/${first}`)).toMatchObject({
      muted: { reason: 'Known' },
    });
  });

  it('POST /mutes/bulk mutes all findings that match a filter now, but not those of later scans', async () => {
    const { analyst, ids, bulk } = await analystWith([
      ...rows(3, { ruleId: 'fw-ssh-world' }),
      ...rows(2, { ruleId: 'bucket-public', status: 'resolved' }),
      ...rows(2, { ruleId: 'bucket-public', message: '100% public' }),
    ]);
    const filter = { category: ['storage'], q: '0% PUB', status: ['open'] };
    expect(await bulk(200, { filter })).toMatchObject({ matched: 2, muted: 2, unchanged: 0 });
    expect(await mutedIn(analyst)).toEqual(ids.slice(5));
    const unmuted = { muted: false, project: ['nobodys', 'none'] };
    expect(await bulk(200, { filter: unmuted })).toMatchObject({ matched: 0, muted: 0, mutes: [] });
    expect(await bulk(200, { filter: { muted: false } })).toMatchObject({ matched: 5, muted: 5 });
    expect(await mutedIn(analyst)).toEqual(ids);
  });

  it('POST /mutes/bulk leaves findings alone that another mute covers at least as long', async () => {
    const { analyst, ids, bulk } = await analystWith(rows(3));
    await bulk(200, { findingIds: [ids[0]], expiresAt: LATER });
    const filter = { rule: ['bucket-public'] };
    expect(await bulk(200, { filter })).toMatchObject({ matched: 3, muted: 2, unchanged: 1 });
    expect(await bulk(200, { filter, expiresAt: LATER })).toMatchObject({
      matched: 3,
      muted: 2,
      unchanged: 1,
    });
    const counts = await countsOf(server.database, analyst.tenantId, ['mutes']);
    expect(counts.mutes).toBe(5);
  });

  it('POST /mutes/bulk without an end changes nothing when it is repeated later', async () => {
    const { analyst, ids, bulk } = await analystWith(rows(3));
    const filter = { rule: ['bucket-public'] };
    await bulk(200, { findingIds: [ids[0]] });
    server.clock.advance({ days: 1 });
    expect(await bulk(200, { filter })).toMatchObject({ matched: 3, muted: 2, unchanged: 1 });
    server.clock.advance({ days: 1 });
    expect(await bulk(200, { filter })).toMatchObject({ matched: 3, muted: 0, unchanged: 3 });
    // The mutes have expired.
    server.clock.advance({ days: 366 });
    expect(await bulk(200, { filter })).toMatchObject({ matched: 3, muted: 3, unchanged: 0 });
    const counts = await countsOf(server.database, analyst.tenantId, ['mutes']);
    expect(counts.mutes).toBe(6);
  });

  it('POST /mutes/bulk repeats its response for the same idempotency key, and mutes once', async () => {
    const { analyst, bulk } = await analystWith(rows(2));
    const headers = { 'idempotency-key': newId() };
    const filter = { status: ['open'] };
    const first = await bulk(200, { filter }, headers);
    expect(await bulk(200, { filter }, headers)).toEqual(first);
    const counts = await countsOf(server.database, analyst.tenantId, ['mutes']);
    expect(counts.mutes).toBe(2);
  });

  it('POST /mutes/bulk mutes nothing when an id is unknown or of another tenant, and names it', async () => {
    const { analyst, ids, bulk } = await analystWith(rows(2));
    const theirs = await analystWith(rows(1));
    for (const unknown of [newId(), theirs.ids[0]]) {
      const problem = await bulk(400, { findingIds: [ids[0], unknown] });
      expect(problem.errors).toEqual([
        { path: 'body.findingIds.1', message: 'is not a finding of your tenant' },
      ]);
    }
    expect(await mutedIn(analyst)).toEqual([]);
    expect(await mutedIn(theirs.analyst)).toEqual([]);
  });

  it('POST /mutes/bulk writes one audit row with the filter, the numbers and at most 100 ids', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const has = new Belongings(server.services, server.database, user.tenant);
    await plantFindings(server.database, analyst.tenantId, (await has.project()).id, rows(120));
    const filter = { rule: ['bucket-public'] };
    const body = { filter, reason: 'Known' };
    await analyst.ask(200, '/mutes/bulk', { method: 'POST', body });
    const { items } = await analyst.ask(200, '/audit-events?action=mute.bulk_created');
    expect(items).toHaveLength(1);
    expect(items[0].detail).toMatchObject({ filter, matched: 120, muted: 120, unchanged: 0 });
    expect(items[0].detail.findingIds).toHaveLength(100);
  });

  it('POST /mutes/bulk mutes nothing when the matches or the active mutes exceed their limit', async () => {
    const { analyst, bulk } = await analystWith(rows(MUTE_LIMITS.bulkMatches + 1));
    const tooMany = await bulk(409, { filter: { rule: ['bucket-public'] } });
    expect(tooMany.detail).toContain(`more than ${MUTE_LIMITS.bulkMatches} findings`);
    await server.database.owner.query("SELECT set_config('app.tenant_id', $1, false)", [
      analyst.tenantId,
    ]);
    await server.database.owner.query(
      `INSERT INTO mutes (tenant_id, id, fingerprint, lookup, reason, expires_at, created_at)
       SELECT $1, gen_random_uuid(), sha256(n::text::bytea), n::text, 'planted', now() + interval '9 years', now()
       FROM generate_series(1, $2::int) n`,
      [analyst.tenantId, MUTE_LIMITS.active - 1],
    );
    const findings = await analyst.ask(200, '/findings?limit=2');
    const findingIds = findings.items.map(({ id }: { id: string }) => id);
    expect((await bulk(409, { findingIds })).detail).toContain('10001 active mutes');
    expect(await mutedIn(analyst)).toEqual([]);
    expect(await bulk(200, { findingIds: findingIds.slice(1) })).toMatchObject({ muted: 1 });
  });

  it.each([
    {},
    { filter: {} },
    { filter: { severity: ['urgent'] } },
    { filter: { unknown: true } },
    { findingIds: [] },
    { findingIds: ['x'] },
    { findingIds: [newId()], filter: { status: ['open'] } },
    { filter: { status: ['open'] }, expiresAt: '2020-01-01T00:00:00.000Z' },
  ])('POST /mutes/bulk refuses the body %j', async (body) => {
    const { bulk } = await analystWith([]);
    expect(await bulk(400, body)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('GET /mutes?finding=', () => {
  it('GET /mutes?finding= lists the mutes that apply to the finding, with every kind of selector', async () => {
    const { analyst, ids, project } = await analystWith([
      { ruleId: 'bucket-public', asset: '//s/shop', labels: { env: 'test' } },
      { ruleId: 'fw-ssh-world', asset: '//s/blog' },
    ]);
    const [shop] = await analyst.findings('rule=bucket-public');
    const mute = async (about: object): Promise<string> =>
      (await analyst.ask(201, '/mutes', { method: 'POST', body: { ...about, reason: 'Known' } }))
        .id;
    const apply = [
      await mute({ fingerprint: shop?.fingerprint }),
      await mute({ selector: { ruleId: 'bucket-public' } }),
      await mute({ selector: { project, asset: '*/shop' } }),
      await mute({ selector: { label: 'env=test' } }),
    ].toReversed();
    await mute({ selector: { ruleId: 'fw-ssh-world' } });
    await mute({ selector: { ruleId: 'bucket-public', asset: '*/blog' } });
    await mute({ selector: { label: 'env=prod' } });
    const idsOf = async (query: string) =>
      (await analyst.ask(200, `/mutes?${query}`)).items.map(({ id }: { id: string }) => id);
    expect(await idsOf(`finding=${ids[0]}`)).toEqual(apply);
    expect(await idsOf(`finding=${ids[0]}&active=false`)).toEqual([]);
    const page = await analyst.ask(200, `/mutes?finding=${ids[0]}&limit=3`);
    expect(await idsOf(`finding=${ids[0]}&cursor=${page.nextCursor}`)).toEqual(apply.slice(3));
    expect(await idsOf(`finding=${newId()}`)).toEqual([]);
    const { analyst: stranger } = await analystWith([]);
    expect((await stranger.ask(200, `/mutes?finding=${ids[0]}`)).items).toEqual([]);
  });
});
