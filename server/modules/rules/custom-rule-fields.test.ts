import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucketPolicy, cluster } from '../../../tests/kit/export-records.ts';
import { holdTurn } from '../../../tests/kit/held-turn.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
});

afterAll(() => server.close());

const BUCKET = 'storage.googleapis.com/Bucket';

const bucketWith = (name: string, data: object) => ({
  name: `//storage.googleapis.com/${name}`,
  asset_type: BUCKET,
  resource: { data },
});
const fieldsIn = (project: string, more = '') =>
  analyst.ask(200, `/custom-rules/fields?project=${project}&assetType=${BUCKET}${more}`);

describe('the fields of assets', () => {
  it('the list of asset fields has names and kinds of members, with the number of assets that have them', async () => {
    const project = await analyst.project([
      bucketWith('a', { labels: { owner: 'SECRET' }, size: 1, acl: [{ role: 'R' }, { id: null }] }),
      bucketWith('b', { labels: {}, size: 'SECRET' }),
      bucketPolicy('bare'),
      cluster('of-another-type'),
    ]);
    const body = await fieldsIn(project);
    expect(body).toEqual({
      fields: [
        { path: ['labels'], kinds: ['object'], assets: 2 },
        { path: ['size'], kinds: ['number', 'string'], assets: 2 },
        { path: ['acl'], kinds: ['list'], assets: 1 },
        { path: ['labels', 'owner'], kinds: ['string'], assets: 1 },
        { path: ['acl', '[]'], kinds: ['object'], assets: 1 },
        { path: ['acl', '[]', 'role'], kinds: ['string'], assets: 1 },
        { path: ['acl', '[]', 'id'], kinds: ['null'], assets: 1 },
      ],
      sampled: 3,
      complete: true,
    });
    expect(JSON.stringify(body)).not.toContain('SECRET');
  });

  it('the list of asset fields and a rule tried on a project wait for the turn of their tenant', async () => {
    const project = await analyst.project([bucketWith('a', { one: 1 })]);
    const predicate = 'has(resource.data.one)';
    const rule = { title: 'One', severity: 'low', assetTypes: [BUCKET], predicate };
    const ended: string[] = [];
    const endTurn = holdTurn();
    const waiting = [
      fieldsIn(project).then(() => ended.push('fields')),
      analyst
        .ask(200, '/custom-rules/test', { method: 'POST', body: { rule, project } })
        .then(() => ended.push('test')),
    ];
    for (let count = 0; count < 20; count += 1) await analyst.ask(200, '/findings?limit=1');
    expect(ended).toEqual([]);
    await endTurn();
    await Promise.all(waiting);
    expect(ended).toHaveLength(2);
  });

  it('the list of asset fields lists the fields of several asset types', async () => {
    const project = await analyst.project([bucketWith('a', { one: 1 }), cluster('c')]);
    const { fields, sampled } = await fieldsIn(
      project,
      '&assetType=container.googleapis.com/Cluster',
    );
    expect(sampled).toBe(2);
    expect(fields).toContainEqual({ path: ['one'], kinds: ['number'], assets: 1 });
    expect(fields).toContainEqual(expect.objectContaining({ path: ['legacyAbac'] }));
  });

  it('the list of asset fields samples 100 assets of each type', async () => {
    const many = Array.from({ length: 150 }, (_, n) => bucketWith(`b${n}`, { size: n }));
    expect(await fieldsIn(await analyst.project([...many, cluster('c')]))).toEqual({
      fields: [{ path: ['size'], kinds: ['number'], assets: 100 }],
      sampled: 100,
      complete: false,
    });
  });

  it('the list of asset fields limits number, depth and length of names, and says when it is incomplete', async () => {
    const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ in: inner }), {});
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`m${n}`, n]));
    const long = { ['n'.repeat(101)]: 1 };
    for (const data of [deep, wide, long]) {
      const { fields, complete } = await fieldsIn(await analyst.project([bucketWith('x', data)]));
      expect(complete).toBe(false);
      expect(fields.length).toBeLessThanOrEqual(500);
      for (const { path } of fields) expect(path.length).toBeLessThanOrEqual(8);
    }
  });

  it('the list of asset fields leaves out an asset that would take long to parse', async () => {
    const project = await analyst.project([
      bucketWith('large', { text: 'x'.repeat(300 * 1024) }),
      bucketWith('small', { one: 1 }),
    ]);
    expect(await fieldsIn(project)).toEqual({
      fields: [{ path: ['one'], kinds: ['number'], assets: 1 }],
      sampled: 1,
      complete: false,
    });
  });

  it('the list of asset fields requires an existing project with an inventory', async () => {
    const bare = await analyst.project();
    const ask = (project: string) =>
      analyst.call(`/custom-rules/fields?project=${project}&assetType=${BUCKET}`);
    expect((await ask('unknown')).status).toBe(404);
    expect((await ask(bare)).json).toMatchObject({ code: 'CONFLICT' });
  });
});
