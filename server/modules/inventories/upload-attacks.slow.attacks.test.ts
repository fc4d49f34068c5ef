import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { MEMORY_IS_MEASURED, MemoryWatch, memoryOf } from '../../../tests/kit/process-memory.ts';
import { bundled, onDatabase, ServerProcess } from '../../../tests/kit/server-process.ts';
import { streamUpload } from '../../../tests/kit/streamed-upload.ts';
import { type Call, send } from '../../../tests/kit/test-server.ts';
import { newApiKey } from '../auth/credentials/api-key.ts';
import { UPLOAD_SLOTS } from './upload-slots.ts';

const MIB = 1024 * 1024;
/** Memory that an upload may use in addition to the idle server, in it and in other processes; see decision 0032. */
const BOUND = 250 * MIB;
const JSON_TYPE = { 'content-type': 'application/json' };

const { key } = newApiKey();
let database: TestDatabase;
let server: ServerProcess;
let url: string;
let analyst: Analyst;
let atRest: number;

beforeAll(async () => {
  database = await cloneDatabase();
  server = new ServerProcess(`${bundled()}/main.mjs`, {
    ...onDatabase(database),
    BOOTSTRAP_EMAIL: 'first@example.com',
    BOOTSTRAP_API_KEY: key,
    APP_SECRET: 'a secret of thirty-two bytes or more',
    INVENTORY_MAX_BYTES: String(512 * MIB),
    RATE_LIMIT: '10000',
  });
  url = await server.url(300_000);
  const call = (path: string, request?: Call) => send(url + path, request);
  analyst = new Analyst({ call }, { 'x-api-key': key }, '');
  // Upload once first, so that lazily loaded modules count as idle memory.
  await analyst.project([{ name: '//service/one', asset_type: 'service/Type' }]);
  atRest = memoryOf(server.pid).now;
}, 600_000);

afterAll(async () => {
  await server?.kill();
  await database?.drop();
});

const NAME = '//storage.googleapis.com/one';
const TYPE = 'storage.googleapis.com/Bucket';

/** One record as a line. */
function line(name: string, members = '', type = TYPE): string {
  return `{"name":"${name}","asset_type":"${type}"${members}}\n`;
}

/** Chunks of lines, generated while they are sent. */
function* many(count: number, lineOf: (index: number) => string): Generator<string> {
  let piece = '';
  for (let index = 0; index < count; index += 1) {
    piece += lineOf(index);
    if (piece.length < 256 * 1024) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* repeated(piece: string, times: number): Generator<string> {
  for (let index = 0; index < times; index += 1) yield piece;
}

const MEBIBYTE = 'x'.repeat(MIB);
const resource = (text: string) => `,"resource":{"data":{"a":"${text}"}}`;

/** The hash used to partition records before it was seeded. */
function knownHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function* collidingNames(count: number): Generator<string> {
  for (let index = 0, found = 0; found < count; index += 1) {
    const name = `//storage.googleapis.com/b${index}`;
    if (knownHash(`${TYPE}\0${name}`) % 256 !== 0) continue;
    found += 1;
    yield name;
  }
}

interface Attack {
  readonly pieces: () => Iterable<string | Uint8Array>;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** A part of the expected response. */
  readonly answer: object;
}

const SINK = 'logging.googleapis.com/LogSink';

/** The members of a sink that writes to a bucket. */
function sinkTo(bucket: string): string {
  return `,"resource":{"data":{"destination":"storage.googleapis.com/${bucket}"}}`;
}

const ATTACKS: Record<string, Attack> = {
  '256 records of 1 MiB that describe one asset': {
    pieces: () => many(256, () => line(NAME, resource(MEBIBYTE))),
    status: 413,
    answer: { detail: expect.stringMatching(/^line 8: .*more than 8388608 bytes in total/) },
  },
  '256 MiB of IAM policies of one asset': {
    pieces: () =>
      many(256, () => line(NAME, `,"iam_policy":{"bindings":[{"role":"${MEBIBYTE}"}]}`)),
    status: 413,
    answer: { detail: expect.stringContaining('line 8: ') },
  },
  '4,000,000 small records of one asset': {
    pieces: () => many(4_000_000, () => line(NAME)),
    status: 413,
    answer: { detail: expect.stringMatching(/^line 1001: More than 1000 records/) },
  },
  '800,000 asset types': {
    pieces: () => many(800_000, (index) => line(`//s/${index}`, '', `type/${index}`)),
    status: 400,
    answer: {
      errors: [{ path: 'line 1001', message: expect.stringContaining('1000 asset types') }],
    },
  },
  '100,000 small assets': {
    pieces: () => many(100_000, (index) => line(`//s/${index}`)),
    status: 201,
    answer: { assets: 100_000 },
  },
  '128 MiB of names that share a partition under a hash without a seed': {
    pieces: () => {
      const names = [...collidingNames(512)];
      return many(512, (index) => line(names[index] ?? '', resource(MEBIBYTE.slice(0, MIB / 4))));
    },
    status: 201,
    answer: { assets: 512 },
  },
  '500 sinks whose destinations are 1 MiB long': {
    pieces: () =>
      many(500, (index) =>
        line(`//l/${index}`, sinkTo(`bucket-with-logs-${index}/${MEBIBYTE}`), SINK),
      ),
    status: 413,
    answer: { detail: expect.stringContaining('48 MiB of them') },
  },
  '500 sinks that write to buckets with names of 1 MiB': {
    pieces: () => many(500, (index) => line(`//l/${index}`, sinkTo(`${MEBIBYTE}${index}`), SINK)),
    status: 413,
    answer: { detail: expect.stringContaining('48 MiB of them') },
  },
  '16 assets of 7 MiB each that do not replace each other': {
    pieces: () =>
      many(16 * 7, (index) =>
        line(`//s/${index % 16}`, `,"member${index}":"${MEBIBYTE.slice(100)}"`),
      ),
    status: 201,
    answer: { assets: 16, warnings: [] },
  },
  '30 records near 4 MiB in letters of three bytes': {
    pieces: () => many(30, (index) => line(`//s/${index}`, resource('語'.repeat(1_390_000)))),
    status: 201,
    answer: { assets: 30 },
  },
  '20 records near 4 MiB with as many values and object members as are allowed': {
    pieces: () => {
      const list = `${'"123456789012345",'.repeat(199_000)}${'{"b":"12345"},'.repeat(24_000)}0`;
      const values = `,"resource":{"data":{"a":[${list}]}}`;
      return many(20, (index) => line(`//s/${index}`, values));
    },
    status: 201,
    answer: { assets: 20 },
  },
  'a record of 60,000 object members': {
    pieces: () => {
      const members = Array.from({ length: 60_000 }, (_, at) => `"${at}":1`);
      return [line(NAME, `,"resource":{"data":{${members.join()}}}`)];
    },
    status: 400,
    answer: {
      errors: [{ path: 'line 1', message: expect.stringContaining('50000 object members') }],
    },
  },
  'a record of 1.4 million values': {
    pieces: () => [line(NAME, `,"resource":{"data":{"a":[${'[],'.repeat(1_390_000)}0]}}`)],
    status: 400,
    answer: { errors: [{ path: 'line 1', message: expect.stringContaining('250000 values') }] },
  },
  'a record nested a million levels deep': {
    pieces: () => [
      '# first\n',
      line(NAME, `,"resource":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
    ],
    status: 400,
    answer: { errors: [{ path: 'line 2', message: expect.stringContaining('64 levels') }] },
  },
  'a line without an end': {
    pieces: () => repeated(MEBIBYTE, 400),
    status: 413,
    answer: { detail: expect.stringContaining('line 1: ') },
  },
  'an element of a JSON array without an end': {
    headers: JSON_TYPE,
    pieces: function* () {
      yield '[{"a":"';
      yield* repeated(MEBIBYTE, 400);
    },
    status: 413,
    answer: { detail: expect.stringContaining('line 1: ') },
  },
  '20 million empty lines, and comments': {
    pieces: function* () {
      for (const _ of repeated('', 20)) {
        yield '\n'.repeat(1_000_000);
        yield `#${MEBIBYTE}\n`;
      }
    },
    status: 201,
    answer: { assets: 0 },
  },
  '100,000 records that give a warning': {
    pieces: () => many(100_000, (index) => line(`//s/${index % 1_000}`, resource('x'))),
    status: 201,
    answer: { assets: 1_000, truncated: true, warnings: { length: 100 } },
  },
  '100 MiB of references to projects': {
    pieces: () =>
      many(100, (index) => line(`//s/${index}`, `,"ancestors":["projects/${index}${MEBIBYTE}"]`)),
    status: 201,
    answer: { assets: 100 },
  },
  'a gzip bomb of 512 MiB and a byte': {
    headers: { 'content-encoding': 'gzip' },
    pieces: function* () {
      // A gzip file may contain several members; each of these is 1 MiB of empty lines.
      const member = gzipSync('\n'.repeat(MIB));
      for (const _ of repeated('', 512)) yield member;
      yield gzipSync('\n');
    },
    status: 413,
    answer: { detail: expect.stringContaining('larger than 536870912 bytes') },
  },
  'a Terraform document of 64 MiB': {
    headers: JSON_TYPE,
    pieces: function* () {
      yield '{"a":[';
      yield* repeated('[],'.repeat(MIB / 4), 86);
    },
    status: 413,
    answer: { detail: expect.stringContaining('16777216 bytes') },
  },
  'a Terraform document of five million values': {
    headers: JSON_TYPE,
    pieces: function* () {
      yield '{"a":[';
      yield* repeated('[],'.repeat(MIB / 4), 20);
      yield '0]}';
    },
    status: 400,
    answer: { errors: [{ path: 'line 1', message: expect.stringContaining('values') }] },
  },
};

describe.skipIf(!MEMORY_IS_MEASURED)("the server's memory stays within its limit during", () => {
  it.each(Object.entries(ATTACKS))(
    "the server's memory stays within its limit during %s",
    async (_what, attack) => {
      const project = await analyst.project();
      const watch = new MemoryWatch(server.pid);
      const headers = { ...analyst.headers, ...attack.headers };
      const reply = await streamUpload(
        `${url}/projects/${project}/inventory`,
        headers,
        attack.pieces(),
      );
      const peak = watch.end();
      expect(reply.json).toMatchObject(attack.answer);
      expect(reply.status).toBe(attack.status);
      expect(peak - atRest).toBeLessThan(BOUND);
    },
    300_000,
  );

  it("the server's memory stays within its limit during six concurrent uploads of one tenant", async () => {
    const projects = await Promise.all(Array.from({ length: 6 }, () => analyst.project()));
    const watch = new MemoryWatch(server.pid);
    const text = resource('語'.repeat(1_390_000));
    const replies = await Promise.all(
      projects.map((project) =>
        streamUpload(
          `${url}/projects/${project}/inventory`,
          analyst.headers,
          many(12, (index) => line(`//s/${index}`, text)),
        ),
      ),
    );
    for (const { status, json, retryAfter } of replies) {
      if (status === 201) expect(json.assets).toBe(12);
      else
        expect({ status, limit: json.limit, retryAfter }).toEqual({
          status: 429,
          limit: 'uploads',
          retryAfter: '15',
        });
    }
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(2);
    const peak = watch.end();
    expect(peak - atRest).toBeLessThan(UPLOAD_SLOTS.perTenant * BOUND);
  }, 600_000);
});
