import { contract } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy, cluster } from '../../../tests/kit/export-records.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { insertCustomRule } from './custom-rule-queries.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await licensed();
});

afterAll(() => server.close());

async function licensed(): Promise<Analyst> {
  return Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
}

const BUCKET = 'storage.googleapis.com/Bucket';
const RULE = {
  title: 'Bucket without an owner',
  severity: 'medium',
  assetTypes: [BUCKET],
  predicate: '!has(resource.data.labels.owner)',
};

const post = (body: unknown) => analyst.call('/custom-rules', { method: 'POST', body });
const put = (id: string, body: unknown) =>
  analyst.call(`/custom-rules/${id}`, { method: 'PUT', body });
const record = <T>(data: T, type = BUCKET) => ({
  name: '//storage.googleapis.com/b',
  asset_type: type,
  resource: { data },
});

describe('a custom rule', () => {
  it('a custom rule is stored, listed newest first, and works like a built-in rule', async () => {
    const { status, json } = await post({ ...RULE, recommendation: 'Set the label owner.' });
    expect(status).toBe(201);
    expect(json).toEqual({
      ...RULE,
      id: 'bucket-without-an-owner',
      version: 1,
      description: '',
      recommendation: 'Set the label owner.',
      enabled: true,
      tests: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: json.createdAt,
    });
    server.clock.advance({ minutes: 1 });
    expect((await post({ ...RULE, id: 'another' })).status).toBe(201);
    const page = await analyst.ask(200, '/custom-rules?limit=1');
    expect(page.items).toMatchObject([{ id: 'another' }]);
    const rest = await analyst.ask(200, `/custom-rules?cursor=${page.nextCursor}`);
    expect(rest).toEqual({ items: [json], nextCursor: null });
    const asRule = {
      id: 'bucket-without-an-owner',
      version: 1,
      title: RULE.title,
      severity: 'medium',
      category: 'custom',
      assetTypes: [BUCKET],
      needs: ['RESOURCE'],
      description: '',
      remediation: 'Set the label owner.',
      noFix: 'only built-in rules have fixes',
      compliance: [],
      parameters: {},
    };
    expect(await analyst.ask(200, '/rules/bucket-without-an-owner')).toEqual(asRule);
    const { items } = await analyst.ask(200, '/rules?category=custom');
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['another', asRule.id]);
    expect(items[1]).toEqual(asRule);
    const audited = await rowsOf(
      server.database,
      analyst.tenantId,
      "SELECT action, subject FROM audit_events WHERE action LIKE 'custom_rule.%' ORDER BY id",
    );
    expect(audited).toEqual([
      { action: 'custom_rule.created', subject: asRule.id },
      { action: 'custom_rule.created', subject: 'another' },
    ]);
  });

  it('a custom rule is refused with an id that the tenant or the product already uses', async () => {
    for (const id of ['another', 'bucket-public']) {
      expect((await post({ ...RULE, id })).json).toMatchObject({ status: 409, code: 'CONFLICT' });
    }
    const untitled = (await post({ ...RULE, title: '—' })).json;
    expect(untitled.errors).toMatchObject([{ path: 'body.id' }]);
  });

  it('a custom rule never has the id of an operation, under which it could not be deleted', async () => {
    for (const id of ['fields', 'test']) {
      const given = await post({ ...RULE, id });
      expect(given).toMatchObject({ status: 400, json: { errors: [{ path: 'body.id' }] } });
      const derived = await post({ ...RULE, title: id });
      expect(derived).toMatchObject({ status: 201, json: { id: `${id}-rule` } });
      const path = `/custom-rules/${derived.json.id}`;
      expect((await analyst.call(path, { method: 'DELETE' })).status).toBe(204);
    }
    const others = Object.values(contract.customRules)
      .map(({ path }) => path.split('/')[2])
      .filter((segment) => segment !== undefined && !segment.startsWith(':'));
    expect([...new Set(others)].toSorted()).toEqual(['fields', 'test']);
  });

  it('a custom rule can be replaced; its version counts the changes that affect scans', async () => {
    const { createdAt } = await analyst.ask(201, '/custom-rules', {
      method: 'POST',
      body: { ...RULE, id: 'replaced' },
    });
    server.clock.advance({ minutes: 1 });
    const predicate = 'has(resource.data.labels)';
    const changed = await put('replaced', { ...RULE, predicate });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({
      id: 'replaced',
      version: 2,
      predicate,
      createdAt,
    });
    expect(changed.json.updatedAt > createdAt).toBe(true);
    const again = (await put('replaced', { ...RULE, predicate })).json;
    expect(again).toEqual({ ...changed.json, updatedAt: again.updatedAt });
    const tests = [{ asset: record({}), verdict: 'pass' }];
    const switchedOff = await put('replaced', { ...RULE, predicate, tests, enabled: false });
    expect(switchedOff.json).toMatchObject({ version: 2, tests, enabled: false });
    const listed = await analyst.ask(200, '/rules?category=custom');
    expect(JSON.stringify(listed)).not.toContain('replaced');
    expect((await put('unknown', RULE)).status).toBe(404);
    expect((await analyst.call('/custom-rules/replaced', { method: 'DELETE' })).status).toBe(204);
    expect((await analyst.call('/custom-rules/replaced', { method: 'DELETE' })).status).toBe(404);
    expect((await analyst.call('/rules/replaced')).status).toBe(404);
  });

  it('a custom rule is refused with the path of each fault, and nothing is stored', async () => {
    const errorsOf = async (more: object) =>
      (await post({ ...RULE, id: 'bad', ...more })).json.errors;
    expect(await errorsOf({ predicate: 'true &&\n nothing' })).toEqual([
      {
        path: 'body.predicate',
        message: expect.stringMatching(/^line 2, column 2: unknown variable nothing/),
      },
    ]);
    const owner = { labels: { owner: 'web' } };
    const tests = [
      { asset: record(owner), verdict: 'pass' },
      { asset: record(owner), verdict: 'fail' },
      { asset: record({}), verdict: 'fail' },
    ];
    expect(await errorsOf({ tests })).toEqual([
      { path: 'body.tests.1', message: 'the rule returns pass; expected fail' },
      {
        path: 'body.tests.2',
        message: 'the rule returns unknown (resource.data.labels); expected fail',
      },
    ]);
    const elsewhere = [{ asset: record({}, 'x/Y'), verdict: 'pass' }];
    expect(await errorsOf({ tests: elsewhere })).toMatchObject([{ path: 'body.tests.0.asset' }]);
    const unstorable = [{ asset: record({ label: '\0' }), verdict: 'unknown' }];
    expect(await errorsOf({ tests: unstorable })).toMatchObject([{ path: 'body.tests.0.asset' }]);
    expect((await analyst.call('/rules/bad')).status).toBe(404);
  });

  it('a page of custom rules ends early when their tests exceed 1 MiB, has at least one rule, and the next page continues', async () => {
    const large = await licensed();
    const testsOf = (kibibytes: number) =>
      Array.from({ length: kibibytes / 100 }, () => ({
        asset: record({ labels: { owner: 'x'.repeat(100 * 1024) } }),
        verdict: 'pass' as const,
      }));
    const sizes = { a: 400, b: 0, c: 1200, d: 200, e: 100, f: 100 };
    const { tenants, clock } = server.services;
    await tenants.write(large.tenantId, async (db) => {
      for (const [id, kibibytes] of Object.entries(sizes)) {
        const rule = {
          ...RULE,
          severity: 'medium',
          id,
          description: '',
          recommendation: '',
        } as const;
        const values = { ...rule, needs: [], enabled: true, tests: testsOf(kibibytes) };
        await insertCustomRule(db, values, clock.now());
      }
    });
    const pages: string[][] = [];
    let cursor = '';
    do {
      const page = await large.ask(200, `/custom-rules?limit=3${cursor}`);
      pages.push(page.items.map(({ id }: { id: string }) => id));
      for (const { id, tests } of page.items) {
        expect(tests).toEqual(testsOf(sizes[id as keyof typeof sizes]));
      }
      cursor = `&cursor=${page.nextCursor}`;
    } while (!cursor.endsWith('null'));
    expect(pages).toEqual([['f', 'e', 'd'], ['c'], ['b', 'a']]);
  });

  it('a custom rule of another tenant is answered like an unknown one', async () => {
    const id = await new Belongings(server.services, server.database, {
      id: (await licensed()).tenantId,
      name: 'theirs',
    }).customRule();
    expect((await analyst.call(`/rules/${id}`)).status).toBe(404);
    expect((await analyst.call(`/custom-rules/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('a custom rule is refused when the tenant already has a hundred', async () => {
    const crowded = await licensed();
    const has = new Belongings(server.services, server.database, {
      id: crowded.tenantId,
      name: 'crowded',
    });
    // One after the other: a hundred concurrent requests would exceed the tenant's share of connections.
    for (let made = 0; made < 100; made += 1) await has.customRule();
    const reply = await crowded.call('/custom-rules', { method: 'POST', body: RULE });
    expect(reply.json).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining('100') });
  });
});

describe('a dry run', () => {
  const ask = (body: unknown) => analyst.call('/custom-rules/test', { method: 'POST', body });
  const isUniform = {
    ...RULE,
    predicate: 'resource.data.iamConfiguration.uniformBucketLevelAccess.enabled == false',
  };

  it('a dry run of a custom rule returns the results of its tests and of the project, violations first, and stores nothing', async () => {
    const project = await analyst.project([
      bucket('good'),
      bucket('bad', { uniform: false }),
      bucketPolicy('bare'),
      cluster('of-another-type'),
    ]);
    const tests = [{ asset: record({}), verdict: 'pass' }];
    const { status, json } = await ask({ rule: { ...isUniform, tests }, project });
    expect(status).toBe(200);
    const of = (name: string) => ({
      asset: { name: `//storage.googleapis.com/${name}`, type: BUCKET },
      expected: null,
    });
    const missing = 'resource.data.iamConfiguration';
    expect(json).toEqual({
      verdicts: [
        { ...of('b'), verdict: 'unknown', message: missing, expected: 'pass' },
        { ...of('bad'), verdict: 'fail', message: '' },
        { ...of('bare'), verdict: 'unknown', message: 'RESOURCE' },
        { ...of('good'), verdict: 'pass', message: '' },
      ],
      errors: [
        {
          path: 'body.rule.tests.0',
          message: `the rule returns unknown (${missing}); expected pass`,
        },
      ],
      evaluated: 3,
      complete: true,
    });
    expect(JSON.stringify(await analyst.ask(200, '/custom-rules'))).not.toContain(missing);
  });

  it('a member named __proto__ has the same verdict in a test of a custom rule and on an asset of a project', async () => {
    const { name, asset_type } = record({});
    const asset = `{"name":"${name}","asset_type":"${asset_type}","resource":{"data":{"labels":{"__proto__":"x"}}}}`;
    const project = await analyst.project();
    const upload = await server.call(`/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, 'content-type': 'application/x-ndjson' },
      body: asset,
    });
    expect(upload.status).toBe(201);
    const rule = JSON.stringify({ ...RULE, predicate: 'has(resource.data.labels.__proto__)' });
    const { json } = await server.call('/custom-rules/test', {
      method: 'POST',
      headers: { ...analyst.headers, 'content-type': 'application/json' },
      body: `{"project":"${project}","rule":${rule.slice(0, -1)},"tests":[{"verdict":"fail","asset":${asset}}]}}`,
    });
    expect(json).toMatchObject({
      errors: [],
      verdicts: [
        { verdict: 'fail', expected: 'fail' },
        { verdict: 'fail', expected: null },
      ],
    });
  });

  it('a dry run of a custom rule evaluates assets of an export that escapes slashes', async () => {
    const project = await analyst.project();
    const escaped = JSON.stringify(bucket('bad', { uniform: false })).replaceAll('/', '\\/');
    expect((await analyst.send(project, escaped)).status).toBe(201);
    const { json } = await ask({ rule: isUniform, project });
    expect(json).toMatchObject({ verdicts: [{ verdict: 'fail' }], evaluated: 1, complete: true });
  });

  it('a dry run of a custom rule lists at most a thousand verdicts', async () => {
    const project = await analyst.project(
      Array.from({ length: 1_100 }, (_, n) => bucket(`b${n}`, { uniform: n !== 1_050 })),
    );
    const { json } = await ask({ rule: isUniform, project });
    expect(json).toMatchObject({ evaluated: 1_100, complete: false });
    expect(json.verdicts).toHaveLength(1_000);
    expect(json.verdicts[0]).toMatchObject({
      verdict: 'fail',
      asset: { name: '//storage.googleapis.com/b1050' },
    });
  });

  it('a dry run of a custom rule leaves out an asset that would take long to parse, and is then incomplete', async () => {
    const large = { ...bucket('large'), resource: { data: { text: 'x'.repeat(300 * 1024) } } };
    const project = await analyst.project([large, bucket('small')]);
    const { json } = await ask({ rule: isUniform, project });
    expect(json).toMatchObject({ evaluated: 1, complete: false });
    expect(json.verdicts).toMatchObject([{ asset: { name: '//storage.googleapis.com/small' } }]);
  });

  it('a dry run of a custom rule reports a fault of the predicate without project data', async () => {
    const project = await analyst.project([bucket('good')]);
    const { json } = await ask({ rule: { ...RULE, predicate: 'size(' }, project });
    expect(json).toMatchObject({
      verdicts: [],
      errors: [{ path: 'body.rule.predicate' }],
      evaluated: 0,
    });
  });

  /** A rule whose predicate practically never ends. */
  function endless() {
    const list = `[${Array(40).fill('1').join(',')}]`;
    const predicate = ['a', 'b', 'c', 'd', 'e', 'f'].reduce(
      (inner, name) => `${list}.all(${name}, ${inner})`,
      'true',
    );
    return { ...RULE, predicate, tests: [{ asset: record({}), verdict: 'unknown' }] };
  }

  it('a dry run of a custom rule ends even when the predicate does not', async () => {
    const { json } = await ask({ rule: endless() });
    expect(json).toMatchObject({
      verdicts: [{ verdict: 'unknown', message: expect.stringContaining('took longer than 1 s') }],
      errors: [],
    });
  });

  it('a dry run of a custom rule requires an existing project with an inventory', async () => {
    const bare = await analyst.project();
    expect((await ask({ rule: RULE, project: 'unknown' })).status).toBe(404);
    expect((await ask({ rule: RULE, project: bare })).json).toMatchObject({ code: 'CONFLICT' });
  });

  it('a dry run of a custom rule on the assets of a project requires the permission to read findings', async () => {
    const project = await analyst.project([bucket('secret')]);
    const tenant = { id: analyst.tenantId, name: '' };
    const author = await server.people.user({ tenant, role: ['rules.write'] });
    const dryRun = (body: unknown) =>
      server.call('/custom-rules/test', { method: 'POST', headers: author.key, body });
    expect(await dryRun({ rule: RULE, project })).toMatchObject({
      status: 403,
      json: { code: 'FORBIDDEN', permission: 'findings.read' },
    });
    expect((await dryRun({ rule: RULE })).status).toBe(200);
  });

  it('a dry run of a custom rule is refused with Retry-After beyond its limits, for one tenant before another', async () => {
    const other = await licensed();
    const [replies, others] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => ask({ rule: endless() }))),
      other.ask(200, '/custom-rules/test', { method: 'POST', body: { rule: RULE } }),
    ]);
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.headers.get('retry-after')).not.toBeNull();
    expect(others.errors).toEqual([]);
    expect((await ask({ rule: RULE })).status).toBe(200);
  });
});
