import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../testing/analyst.ts';
import { countsOf } from '../testing/behind-the-scenes.ts';
import { bucket, cluster, gzipped, ndjson } from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

const MAX_BYTES = 6 * 1024 * 1024;
const RECORD_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

let server: TestServer;
let analyst: Analyst;
let project: string;
/** What the project held before the upload that is refused. */
let before: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true, config: { inventoryMaxBytes: MAX_BYTES } });
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
  project = await analyst.project([cluster('before', { legacyAbac: true })]);
  before = await inForce();
});

async function inForce(): Promise<string> {
  return (await analyst.ask(200, `/projects/${project}`)).inventory.id;
}

/** What was in force is so still, is what a scan looks at, and nothing of the refused upload is kept. */
async function expectNothingChanged(): Promise<void> {
  expect(await inForce()).toBe(before);
  await until('the end of what the upload had begun', async () => {
    const rows = await countsOf(server.database, analyst.tenantId, [
      'inventories',
      'inventory_chunks',
    ]);
    return rows.inventories === 1 && rows.inventory_chunks === 1;
  });
  const scan = await analyst.scan(project, 'gke');
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 1, fail: 1 } });
}

/** Records with one fault on line 17. */
function faultyAt17(fault: string): string {
  const lines = Array.from({ length: 30 }, (_, index) => JSON.stringify(cluster(`c${index}`)));
  lines[16] = fault;
  return lines.join('\n');
}

describe('a faulty record is refused with its line, and nothing changes:', () => {
  it.each([
    ['malformed JSON', '{"name": "//x", "asset_type": }'],
    ['a cut-off record', '{"name": "//x", "asset_type": "t"'],
    ['an array instead of an object', '[1, 2]'],
    ['a bare word', 'hello'],
    ['a record without a name', '{"asset_type":"t"}'],
    ['a record without a type', '{"name":"//x"}'],
    ['a raw NUL', '{"name":"//x\0","asset_type":"t"}'],
    ['an escaped NUL in the name', '{"name":"//x\\u0000","asset_type":"t"}'],
    ['half a surrogate pair in the name', '{"name":"//x\\ud800","asset_type":"t"}'],
    ['a name longer than an index can hold', JSON.stringify(cluster('x'.repeat(1_600)))],
    ['a name of as many bytes in fewer characters', JSON.stringify(cluster(manyBytes(700)))],
  ])('%s', async (_fault, record) => {
    const reply = await analyst.send(project, faultyAt17(record));
    expect(reply.status, reply.text).toBe(400);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 17' }] });
    await expectNothingChanged();
  });

  it('in a JSON array', async () => {
    const reply = await analyst.send(
      project,
      `[\n${faultyAt17('{"name":}').replaceAll('\n', ',\n')}]`,
      JSON_TYPE,
    );
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 18' }] });
    await expectNothingChanged();
  });

  it('in a gzip stream', async () => {
    const reply = await analyst.send(project, gzipped(faultyAt17('{')), GZIP);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 17' }] });
    await expectNothingChanged();
  });

  it('long before the end of the upload', async () => {
    const rest = ndjson(Array.from({ length: 20_000 }, (_, index) => cluster(`r${index}`)));
    const reply = await analyst.send(project, `${faultyAt17('{')}\n${rest}`);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 17' }] });
    await expectNothingChanged();
  });
});

describe('a body that is not what it is said to be is refused:', () => {
  const whole = gzipped(ndjson(Array.from({ length: 500 }, (_, index) => cluster(`c${index}`))));

  it.each([
    ['NDJSON as JSON', ndjson([cluster('a')]), JSON_TYPE, 400],
    ['an array as NDJSON', JSON.stringify([cluster('a')]), {}, 400],
    ['JSON that ends early', '[{"name":"//x","asset_type":"t"},', JSON_TYPE, 400],
    ['an empty JSON body', ' ', JSON_TYPE, 400],
    ['gzip that was cut off', whole.subarray(0, whole.length - 20), GZIP, 400],
    ['gzip that was cut off in its head', whole.subarray(0, 5), GZIP, 400],
    ['gzip with a wrong checksum', flipped(whole, whole.length - 6), GZIP, 400],
    ['gzip with a wrong byte', flipped(whole, 100), GZIP, 400],
    ['plain text as gzip', ndjson([cluster('a')]), GZIP, 400],
    ['gzip as plain text', whole, {}, 400],
    ['another encoding', 'x', { 'content-encoding': 'br' }, 415],
    ['two encodings', whole, { 'content-encoding': 'gzip, gzip' }, 415],
    ['another type', 'a,b', { 'content-type': 'text/csv' }, 415],
  ])('%s', async (_what, body, headers: Record<string, string>, status) => {
    const reply = await analyst.send(project, body, headers);
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    await expectNothingChanged();
  });

  it('an upload without a type', async () => {
    const response = await fetch(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: analyst.headers,
      body: new Blob([ndjson([cluster('a')])]),
    });
    expect(response.status).toBe(415);
  });

  it.each([
    ['a project that is not there', { 'content-type': 'application/x-ndjson' }],
    ['a project that is not there, as gzip', { 'content-type': 'application/x-ndjson', ...GZIP }],
  ])('garbage for %s leaves the process alive', async (_what, headers: Record<string, string>) => {
    const garbage = randomBytes(300_000);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => analyst.send('nowhere', garbage, headers)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([404]));
  });

  it('gzip in name only, by many at once: each is told so and the process lives', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => analyst.send(project, randomBytes(200_000), GZIP)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([400]));
    await expectNothingChanged();
  });
});

describe('the bounds', () => {
  it('a record of 4 MiB is taken, a byte more is refused with 413 and its line', async () => {
    const fits = recordOf(RECORD_BYTES);
    expect((await analyst.send(project, `${fits}\n`)).status).toBe(201);
    const reply = await analyst.send(project, `# comment\n${recordOf(RECORD_BYTES + 1)}\n`);
    expect(reply.status).toBe(413);
    expect(reply.json).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(reply.json.detail).toContain('line 2');
  });

  it.each([
    ['plain', (text: string) => text, {}],
    ['as gzip, which counts inflated', (text: string) => gzipSync(text), GZIP],
  ])(
    'an upload of INVENTORY_MAX_BYTES is taken, a byte more is refused with 413: %s',
    async (_form, pack, headers: Record<string, string>) => {
      const half = `${recordOf(MAX_BYTES / 2 - 1)}\n`;
      const rest = `${recordOf(MAX_BYTES / 2 - 1, 'b')}\n`;
      expect((await analyst.send(project, pack(half + rest), headers)).status).toBe(201);
      before = await inForce();
      const reply = await analyst.send(project, pack(`${half + rest}\n`), headers);
      expect(reply.status).toBe(413);
      expect(reply.json).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      expect(await inForce()).toBe(before);
    },
  );

  it('the refusal reaches a client that is still sending tens of megabytes', async () => {
    const reply = await analyst.send(project, ndjson([bucket('b')]).repeat(100_000));
    expect(reply.status).toBe(413);
    expect(reply.json).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expectNothingChanged();
  });

  it('a small gzip file that inflates to gigabytes is refused at the bound', async () => {
    const reply = await analyst.send(project, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), GZIP);
    expect(reply.status).toBe(413);
    await expectNothingChanged();
  });
});

describe("another tenant's project", () => {
  it('is answered with the bytes of one that does not exist, and nothing is kept', async () => {
    const stranger = await Analyst.at(server);
    const correlation = { 'x-correlation-id': 'same' };
    const lines = ndjson([cluster('a')]);
    const theirs = await stranger.send(project, lines, correlation);
    const none = await stranger.send('never-made', lines, correlation);
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe(none.text);
    expect(await countsOf(server.database, stranger.tenantId, ['inventories'])).toEqual({
      inventories: 0,
    });
    await expectNothingChanged();
  });
});

it('what a rule cites of an asset may hold NUL and half surrogate pairs', async () => {
  const [name, type] = ['//compute.googleapis.com/f', 'compute.googleapis.com/Firewall'];
  const data = `{"direction":"INGRESS","allowed":[{"IPProtocol":"tcp"}],"sourceRanges":["0.0.0.0/0","\\u0000\\ud800"]}`;
  const record = `{"name":"${name}","asset_type":"${type}","resource":{"data":${data}}}`;
  expect((await analyst.send(project, record)).status).toBe(201);
  const scan = await analyst.scan(project, 'network');
  expect(scan).toMatchObject({ status: 'completed' });
  expect(
    (await analyst.findings('rule=fw-ssh-world')).map((finding) => finding.evidence),
  ).toHaveLength(1);
});

/** A record of exactly so many bytes. */
function recordOf(bytes: number, name = 'a'): string {
  const empty = JSON.stringify({ ...cluster(name), padding: '' });
  return JSON.stringify({ ...cluster(name), padding: 'x'.repeat(bytes - empty.length) });
}

/** Four bytes each, and nothing that compresses. */
function manyBytes(characters: number): string {
  return Array.from({ length: characters }, (_, index) => {
    const digest = createHash('sha256').update(String(index)).digest();
    return String.fromCodePoint(0x20000 + (digest.readUInt16BE() % 0xa000));
  }).join('');
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 0xff : byte));
}
