import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../testing/analyst.ts';
import {
  bucket,
  bucketPolicy,
  cluster,
  firewall,
  gzipped,
  ndjson,
} from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

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
  { type: 'compute.googleapis.com/Firewall', count: 1 },
  { type: 'container.googleapis.com/Cluster', count: 2 },
  { type: 'storage.googleapis.com/Bucket', count: 1 },
];

describe('an inventory is taken', () => {
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
  ])('%s', async (_form, body, headers: Record<string, string>) => {
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

  it('in pieces of one byte', async () => {
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

  it('as a gzip file of several members, as concatenated exports are', async () => {
    const project = await analyst.project();
    const members = Buffer.concat(RECORDS.map((record) => gzipped(ndjson([record]))));
    const reply = await analyst.send(project, members, GZIP);
    expect(reply.json).toMatchObject({ assets: 4 });
  });

  it('without a single asset', async () => {
    const project = await analyst.project();
    const reply = await analyst.send(project, '[]', JSON_TYPE);
    expect(reply.json).toMatchObject({ assets: 0, assetTypes: [], warnings: [] });
    expect(await analyst.scan(project)).toMatchObject({
      status: 'completed',
      totals: { assets: 0 },
    });
  });
});

describe('records of one asset', () => {
  it('are one asset, however far apart they stand, and the scan sees both', async () => {
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

  it('are one asset in either spelling of the envelope', async () => {
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
    ['the later place where times do not decide', null, null, 1],
  ])('that repeat each other: %s prevails, with a warning', async (_rule, first, second, line) => {
    const project = await analyst.project();
    const twice = [first, second].map((update_time, index) => ({
      ...cluster('twice', { legacyAbac: index === 0 }),
      ...(update_time === null ? {} : { update_time }),
    }));
    const reply = await analyst.send(project, ndjson(twice));
    expect(reply.json).toMatchObject({ assets: 1, warnings: [{ line }] });
    const scan = await analyst.scan(project, 'gke');
    expect(scan.totals.fail).toBe(line === 2 ? 1 : 0);
  });

  it('that repeat each other hundreds of times give the warnings of the first hundred lines', async () => {
    const project = await analyst.project();
    const once = Array.from({ length: 400 }, (_, index) => cluster(`c${index}`));
    const reply = await analyst.send(project, ndjson([...once, ...once]));
    const lines = reply.json.warnings.map((warning: { line: number }) => warning.line);
    expect(lines).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});
