import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import {
  bucket,
  bucketPolicy,
  cluster,
  firewall,
  gzipped,
  manyClusters,
  ndjson,
} from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

const RECORDS = [cluster('one'), bucket('files'), firewall('inner'), cluster('two')];
const TYPES = [
  { type: 'container.googleapis.com/Cluster', count: 2 },
  { type: 'compute.googleapis.com/Firewall', count: 1 },
  { type: 'storage.googleapis.com/Bucket', count: 1 },
];

describe('an inventory is accepted', () => {
  const lines = ndjson(RECORDS);
  const array = JSON.stringify(RECORDS);
  const pretty = JSON.stringify(RECORDS, null, 2);

  it.each([
    ['as NDJSON', lines, {}],
    ['as NDJSON whose last line has no end', lines.trimEnd(), {}],
    ['as NDJSON with Windows line ends', lines.replaceAll('\n', '\r\n'), {}],
    ['as NDJSON with a byte order mark', `\uFEFF${lines}`, {}],
    ['as NDJSON with blank lines and comments', `# run 1\n\n${lines}\n  \n#{"name":1}\n`, {}],
    [
      'as NDJSON under a type in capitals, with a charset',
      lines,
      { 'content-type': 'Application/X-NDJSON; charset=utf-8' },
    ],
    ['as a JSON array', array, JSON_TYPE],
    ['as a JSON array over many lines', pretty, JSON_TYPE],
    [
      'as a JSON array with a byte order mark and Windows line ends',
      `\uFEFF${pretty.replaceAll('\n', '\r\n')}`,
      JSON_TYPE,
    ],
    [
      'as a JSON array under a type with parameters',
      array,
      { 'content-type': 'application/json; profile=ndjson' },
    ],
  ])('an inventory is accepted %s', async (_form, body, headers: Record<string, string>) => {
    const project = await analyst.project();
    const plain = await analyst.send(project, body, headers);
    expect(plain.status, plain.text).toBe(201);
    expect(plain.json).toMatchObject({ assets: 4, assetTypes: TYPES, warnings: [] });
    expect(plain.json.bytes).toBe(Buffer.byteLength(body));
    const zipped = await analyst.send(project, gzipped(body), { ...headers, ...GZIP });
    expect(zipped.status, zipped.text).toBe(201);
    expect(zipped.json).toEqual({
      ...plain.json,
      id: zipped.json.id,
      createdAt: zipped.json.createdAt,
    });
  });

  it('an inventory is accepted in chunks of one byte', async () => {
    const project = await analyst.project();
    const body = gzipped(ndjson([bucket('ünïcödé-\u{1F512}')]));
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of body) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const response = await fetch(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, ...GZIP, 'content-type': 'application/x-ndjson' },
      body: pieces,
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toMatchObject({ assets: 1 });
  });

  it('a gzip file with several members, such as concatenated exports, is accepted', async () => {
    const project = await analyst.project();
    const members = Buffer.concat(RECORDS.map((record) => gzipped(ndjson([record]))));
    const reply = await analyst.send(project, members, GZIP);
    expect(reply.json).toMatchObject({ assets: 4 });
  });

  it('an inventory without any assets is accepted, with a warning that a scan of it says nothing', async () => {
    const project = await analyst.project();
    const reply = await analyst.send(project, '[]', JSON_TYPE);
    const warnings = [
      {
        line: 1,
        message: 'The inventory has no assets, so a scan of it says nothing about the project.',
      },
    ];
    expect(reply.json).toMatchObject({ assets: 0, assetTypes: [], warnings, truncated: false });
    const { items } = await analyst.ask(200, `/projects/${project}/inventories`);
    expect(items).toEqual([reply.json]);
    expect(await analyst.scan(project)).toMatchObject({
      status: 'completed',
      totals: { assets: 0 },
    });
  });
});

describe('a large inventory', () => {
  it('a large inventory is written on a connection that requests do not use, and a small one on theirs', async () => {
    const uploads = () =>
      server.database.owner.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cspm uploads'`,
      );
    const project = await analyst.project(manyClusters(100, 30_000));
    expect((await uploads()).rows).toHaveLength(0);
    expect(await analyst.upload(project, manyClusters(300, 30_000))).toMatchObject({ assets: 300 });
    expect((await uploads()).rows).toHaveLength(1);
    const totals = { assets: 300, fail: 100 };
    expect(await analyst.scan(project, 'gke')).toMatchObject({ status: 'completed', totals });
  });
});

describe('several records of one asset', () => {
  it('several records of one asset are merged into one asset, however far apart they are, and the scan sees both', async () => {
    const project = await analyst.project();
    const fill = Array.from({ length: 5_000 }, (_, index) => cluster(`fill-${index}`));
    const reply = await analyst.send(
      project,
      ndjson([bucket('open'), ...fill, bucketPolicy('open', ['allUsers'])]),
    );
    expect(reply.json).toMatchObject({
      assets: 5_001,
      assetTypes: [
        { type: 'container.googleapis.com/Cluster', count: 5_000 },
        { type: 'storage.googleapis.com/Bucket', count: 1 },
      ],
      warnings: [],
    });
    const scan = await analyst.scan(project, 'storage');
    expect(scan.totals).toMatchObject({ evaluations: 6, pass: 5, fail: 1, unknown: 0 });
    expect(await analyst.findings(`scan=${scan.id}`)).toMatchObject([
      { ruleId: 'bucket-public', asset: { name: '//storage.googleapis.com/open' } },
    ]);
  });

  it('several records of one asset are merged although they use both spellings of the envelope', async () => {
    const project = await analyst.project();
    const { name, asset_type: assetType, ...snake } = bucket('b');
    const camelPolicy = { name, assetType, iamPolicy: { bindings: [] } };
    const reply = await analyst.send(project, ndjson([{ name, assetType, ...snake }, camelPolicy]));
    expect(reply.json).toMatchObject({ assets: 1, warnings: [] });
    const scan = await analyst.scan(project, 'storage');
    expect(scan.totals).toMatchObject({ evaluations: 6, pass: 6, unknown: 0 });
  });

  it.each([
    ['the newer update time', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', 2],
    ['the later line if the times are equal', null, null, 1],
  ])(
    'contradictory records of one asset are resolved by %s, with a warning',
    async (_rule, first, second, line) => {
      const project = await analyst.project();
      const twice = [first, second].map((update_time, index) => ({
        ...cluster('twice', { legacyAbac: index === 0 }),
        ...(update_time === null ? {} : { update_time }),
      }));
      const reply = await analyst.send(project, ndjson(twice));
      expect(reply.json).toMatchObject({ assets: 1, warnings: [{ line }] });
      const scan = await analyst.scan(project, 'gke');
      expect(scan.totals.fail).toBe(line === 2 ? 1 : 0);
    },
  );

  it('an asset that repeats hundreds of times gives a warning for each of the first hundred lines', async () => {
    const project = await analyst.project();
    const once = Array.from({ length: 400 }, (_, index) => cluster(`c${index}`));
    const reply = await analyst.send(project, ndjson([...once, ...once]));
    const lines = reply.json.warnings.map((warning: { line: number }) => warning.line);
    expect(lines).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});

describe('an inventory with more asset types than a response lists', () => {
  it('an inventory with more than a hundred asset types lists the largest hundred and is marked as incomplete', async () => {
    const project = await analyst.project();
    const records = Array.from({ length: 150 }, (_, type) =>
      Array.from({ length: type === 120 ? 2 : 1 }, (_other, index) => ({
        name: `//service/${type}/${index}`,
        asset_type: `service/Type${String(type).padStart(3, '0')}`,
      })),
    ).flat();
    const uploaded = await analyst.upload(project, records);
    expect(uploaded).toMatchObject({ assets: 151, truncated: true, assetTypes: { length: 100 } });
    expect(uploaded.assetTypes.slice(0, 2)).toEqual([
      { type: 'service/Type120', count: 2 },
      { type: 'service/Type000', count: 1 },
    ]);
    const listed = await analyst.ask(200, `/projects/${project}/inventories`);
    expect(listed.items).toEqual([uploaded]);
  });

  it('an inventory with a hundred types and warnings is complete, and marked as incomplete with one more', async () => {
    const project = await analyst.project();
    const assets = Array.from({ length: 101 }, (_, index) => ({
      ...cluster(`c${index}`),
      asset_type: `service/Type${index % 100}`,
    }));
    const whole = await analyst.upload(project, [...assets, ...assets.slice(1)]);
    expect(whole).toMatchObject({ truncated: false, warnings: { length: 100 } });
    const more = await analyst.upload(project, [...assets, ...assets]);
    expect(more).toMatchObject({ truncated: true, warnings: { length: 100 } });
    const listed = await analyst.ask(200, `/projects/${project}/inventories`);
    expect(listed.items).toEqual([more, whole]);
  });

  it('an inventory of an earlier release with many asset types lists the largest hundred', async () => {
    const project = await analyst.project([cluster('a')]);
    await rowsOf(
      server.database,
      analyst.tenantId,
      `UPDATE inventories SET contents = contents - 'warnings', asset_types =
         (SELECT jsonb_agg(jsonb_build_object('type', 'type/' || n, 'count', n)) FROM generate_series(1, 20000) n)
       WHERE tenant_id = $1
         AND id = (SELECT inventory_id FROM projects WHERE tenant_id = $1 AND name = $2)`,
      [analyst.tenantId, project],
    );
    const [listed] = (await analyst.ask(200, `/projects/${project}/inventories`)).items;
    expect(listed).toMatchObject({ truncated: true, assetTypes: { length: 100 } });
    expect(listed.assetTypes[0]).toEqual({ type: 'type/20000', count: 20_000 });
  });
});
