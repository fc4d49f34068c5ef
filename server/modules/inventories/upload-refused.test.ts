import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, cluster, gzipped, ndjson } from '../../../tests/kit/export-records.ts';
import { countsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const MAX_BYTES = 6 * 1024 * 1024;
const RECORD_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

let server: TestServer;
let analyst: Analyst;
let project: string;
/** State of the project before the refused upload. */
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

/**
 * Checks that the active inventory is unchanged, is the one a scan reads, and that nothing of the refused upload is
 * stored.
 */
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

/** Records with a fault on line 17. */
function faultyAt17(fault: string): string {
  const lines = Array.from({ length: 30 }, (_, index) => JSON.stringify(cluster(`c${index}`)));
  lines[16] = fault;
  return lines.join('\n');
}

describe('a faulty record is refused with its line and changes nothing:', () => {
  it.each([
    ['malformed JSON', '{"name": "//x", "asset_type": }'],
    ['a cut-off record', '{"name": "//x", "asset_type": "t"'],
    ['an array instead of an object', '[1, 2]'],
    ['a bare word', 'hello'],
    ['a record without a name', '{"asset_type":"t"}'],
    ['a record without a type', '{"name":"//x"}'],
    ['a raw NUL', '{"name":"//x\0","asset_type":"t"}'],
    ['an escaped NUL in the name', '{"name":"//x\\u0000","asset_type":"t"}'],
    ['a lone surrogate in the name', '{"name":"//x\\ud800","asset_type":"t"}'],
    ['a name longer than an index can hold', JSON.stringify(cluster('x'.repeat(1_600)))],
    ['a name of as many bytes in fewer characters', JSON.stringify(cluster(manyBytes(700)))],
  ])(
    'a record that is %s is refused with its line, and nothing changes',
    async (_fault, record) => {
      const reply = await analyst.send(project, faultyAt17(record));
      expect(reply.status, reply.text).toBe(400);
      expect(reply.json).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ path: 'line 17' }],
      });
      await expectNothingChanged();
    },
  );

  it('a faulty record in a JSON array is refused with its position', async () => {
    const reply = await analyst.send(
      project,
      `[\n${faultyAt17('{"name":}').replaceAll('\n', ',\n')}]`,
      JSON_TYPE,
    );
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 18' }] });
    await expectNothingChanged();
  });

  it('a faulty record in a gzip stream is refused with its line', async () => {
    const reply = await analyst.send(project, gzipped(faultyAt17('{')), GZIP);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 17' }] });
    await expectNothingChanged();
  });

  it('a faulty record is refused before the end of the upload', async () => {
    const rest = ndjson(Array.from({ length: 20_000 }, (_, index) => cluster(`r${index}`)));
    const reply = await analyst.send(project, `${faultyAt17('{')}\n${rest}`);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'line 17' }] });
    await expectNothingChanged();
  });
});

describe('a body that does not match its headers is refused:', () => {
  const whole = gzipped(ndjson(Array.from({ length: 500 }, (_, index) => cluster(`c${index}`))));

  const zerosWithin = (zeros: number) =>
    Buffer.concat([
      gzipped(ndjson([cluster('a')])),
      Buffer.alloc(zeros),
      gzipped(ndjson([cluster('b')])),
    ]);

  it.each([
    ['NDJSON as JSON', ndjson([cluster('a')]), JSON_TYPE, 400],
    ['an array as NDJSON', JSON.stringify([cluster('a')]), {}, 400],
    ['JSON that ends early', '[{"name":"//x","asset_type":"t"},', JSON_TYPE, 400],
    ['an empty JSON body', ' ', JSON_TYPE, 400],
    ['gzip that was cut off', whole.subarray(0, whole.length - 20), GZIP, 400],
    ['gzip that was cut off in its head', whole.subarray(0, 5), GZIP, 400],
    ['gzip with a wrong checksum', flipped(whole, whole.length - 6), GZIP, 400],
    ['gzip with a wrong byte', flipped(whole, 100), GZIP, 400],
    ['gzip with zeros between its members', zerosWithin(1), GZIP, 400],
    ['gzip with 10 MB after zeros', zerosWithin(10 * 1024 * 1024), GZIP, 400],
    ['plain text as gzip', ndjson([cluster('a')]), GZIP, 400],
    ['gzip as plain text', whole, {}, 400],
    ['another encoding', 'x', { 'content-encoding': 'br' }, 415],
    ['two encodings', whole, { 'content-encoding': 'gzip, gzip' }, 415],
    ['another type', 'a,b', { 'content-type': 'text/csv' }, 415],
  ])(
    'an upload whose body does not match its headers is refused: %s',
    async (_what, body, headers: Record<string, string>, status) => {
      const reply = await analyst.send(project, body, headers);
      expect(reply.status, reply.text).toBe(status);
      expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      await expectNothingChanged();
    },
  );

  it.each([
    ['NDJSON', {}],
    ['JSON', JSON_TYPE],
    ['gzip in gzip', GZIP],
  ])(
    'an upload of gzip without its Content-Encoding is refused with that header as the remedy: %s',
    async (_what, headers: Record<string, string>) => {
      const body = headers === GZIP ? gzipSync(whole) : whole;
      const reply = await analyst.send(project, body, headers);
      expect(reply.json).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ path: 'line 1', message: expect.stringContaining('Content-Encoding: gzip') }],
      });
      await expectNothingChanged();
    },
  );

  it('an upload without a content type is refused', async () => {
    const response = await fetch(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: analyst.headers,
      body: new Blob([ndjson([cluster('a')])]),
    });
    expect(response.status).toBe(415);
  });

  it.each([
    ['an unknown project', { 'content-type': 'application/x-ndjson' }],
    ['an unknown project, as gzip', { 'content-type': 'application/x-ndjson', ...GZIP }],
  ])(
    'an upload of random bytes to %s does not end the process',
    async (_what, headers: Record<string, string>) => {
      const garbage = randomBytes(300_000);
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => analyst.send('nowhere', garbage, headers)),
      );
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([404]));
    },
  );

  it('many concurrent uploads that claim to be gzip are refused, and the process continues', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => analyst.send(project, randomBytes(200_000), GZIP)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([400]));
    await expectNothingChanged();
  });
});

describe('the size limit of an upload', () => {
  it('an upload accepts a record of 4 MiB and refuses one more byte with 413 and the line', async () => {
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
    'an upload accepts INVENTORY_MAX_BYTES and refuses one more byte with 413: %s',
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

  it('a client that sends an oversized upload to its end receives the 413', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const body = Buffer.alloc(MAX_BYTES, 'x');
    const headers = [
      `PUT /projects/${project}/inventory HTTP/1.1`,
      'Host: test',
      `X-API-Key: ${analyst.headers['x-api-key']}`,
      'Content-Type: text/plain',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    let reply = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply += text;
    });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const closed = once(socket, 'close');
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    await until('the whole refusal', async () => reply.includes('"correlationId"'));
    for (let sent = 0; sent < body.length; sent += MAX_BYTES / 6) {
      socket.write(body.subarray(sent, sent + MAX_BYTES / 6));
      await nextTurn();
    }
    await closed;
    expect(errors).toEqual([]);
    // The server closes the connection before reading everything, after which it accepts no more bytes.
    expect(socket.bytesWritten).toBeGreaterThan(body.length);
    expect(reply).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('a client that is still sending an oversized upload receives the 413', async () => {
    const reply = await analyst.send(project, ndjson([bucket('b')]).repeat(100_000));
    expect(reply.status).toBe(413);
    expect(reply.json).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expectNothingChanged();
  });

  it('the size limit applies to a small gzip file that expands to gigabytes', async () => {
    const reply = await analyst.send(project, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), GZIP);
    expect(reply.status).toBe(413);
    await expectNothingChanged();
  });
});

describe("an upload to another tenant's project", () => {
  it("an upload to another tenant's project is answered like one to an unknown project and stores nothing", async () => {
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

it('values quoted in findings may contain NUL and lone surrogates', async () => {
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

/** A record of exactly this many bytes. */
function recordOf(bytes: number, name = 'a'): string {
  const empty = JSON.stringify({ ...cluster(name), padding: '' });
  return JSON.stringify({ ...cluster(name), padding: 'x'.repeat(bytes - empty.length) });
}

/** Incompressible text of four bytes per character. */
function manyBytes(characters: number): string {
  return Array.from({ length: characters }, (_, index) => {
    const digest = createHash('sha256').update(String(index)).digest();
    return String.fromCodePoint(0x20000 + (digest.readUInt16BE() % 0xa000));
  }).join('');
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 0xff : byte));
}
