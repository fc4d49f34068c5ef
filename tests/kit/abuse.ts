import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { ContractCase } from './contract-operations.ts';

/** The parsers of a request, each of which can be attacked. */
export type Parser = 'path' | 'query' | 'headers' | 'json' | 'form' | 'ndjson' | 'array';

/** A request to one operation that attacks one of its parsers. */
export interface Attack {
  /** `json many` */
  readonly name: string;
  /** Replaces each path parameter. */
  readonly param?: string;
  /** Appended to the path. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The parsers of an operation, from its contract. Every operation has a query string and headers. */
export function parsersOf({ route, parameters }: ContractCase): Parser[] {
  const ofBody: Record<Route['metadata']['body'], Parser[]> = {
    none: [],
    json: ['json'],
    form: ['form'],
    inventory: ['ndjson', 'array'],
  };
  const ofPath: Parser[] = parameters.length > 0 ? ['path'] : [];
  return [...ofPath, 'query', 'headers', ...ofBody[route.metadata.body]];
}

/** All attacks on all parsers of an operation, except slow requests. Payloads are created once and shared. */
export function attacksOn(subject: ContractCase): Attack[] {
  return parsersOf(subject).flatMap((parser) => ATTACKS[parser](subject));
}

/** Attacks on the request line and headers, which Node limits to 16 KiB in total. */
const LINE = 14_000;
const MIB = 1024 * 1024;

const ATTACKS: Readonly<Record<Parser, (subject: ContractCase) => Attack[]>> = {
  path: () => [
    { name: 'path long', param: 'a'.repeat(LINE) },
    { name: 'path deep', param: '../'.repeat(LINE / 9) },
    { name: 'path wide', param: '/'.repeat(LINE / 3) },
    { name: 'path many', param: '%'.repeat(LINE / 3) },
  ],
  query: ({ route }) => {
    const [name = 'surplus'] = membersOf(route.query);
    return [
      { name: 'query long', query: `${name}=${'a'.repeat(LINE)}` },
      { name: 'query deep', query: `${name}${'[a]'.repeat(LINE / 3)}=1` },
      { name: 'query wide', query: numbered(3_000, (at) => `${at.toString(36)}=`).join('&') },
      {
        name: 'query many',
        query: Array(LINE / 8)
          .fill(`${name.slice(0, 5)}=1`)
          .join('&'),
      },
    ];
  },
  headers: () => [
    { name: 'headers long', headers: { 'idempotency-key': 'a'.repeat(LINE) } },
    { name: 'headers deep', headers: { 'x-correlation-id': '{"a":'.repeat(LINE / 5) } },
    {
      name: 'headers wide',
      headers: Object.fromEntries(numbered(700, (at) => [`x-${at}`, 'a'] as const)),
    },
    { name: 'headers many', headers: { accept: 'a/b;q=0.1,'.repeat(LINE / 10) } },
  ],
  json: ({ route }) => {
    const members = membersOf('body' in route ? route.body : undefined);
    const inMembers = WITHIN_LIMITS.map((name) => {
      const value = jsonValues()[name];
      return json(
        `json ${name}, in each member`,
        `{${members.map((member) => `"${member}":${value}`).join()}}`,
      );
    });
    return [...wholeJson(), ...(members.length === 0 ? [] : inMembers)];
  },
  form: () =>
    Object.entries({
      long: `SAMLResponse=${'a'.repeat(300_000)}`,
      deep: `SAMLResponse${'[a]'.repeat(80_000)}=1`,
      wide: numbered(40_000, (at) => `${at}=`).join('&'),
      many: 'RelayState=1&'.repeat(20_000),
      escaped: `SAMLResponse=${'%41'.repeat(80_000)}`,
    }).flatMap(([name, text]) => {
      const attack = form(`form ${name}`, Buffer.from(text));
      return [attack, compressed(attack, 'gzip', gzipSync)];
    }),
  ndjson: () => records().flatMap((one) => uploads('ndjson', one.name, one.lines)),
  array: () =>
    records().flatMap((one) => uploads('array', one.name, Buffer.from(`[${one.elements}]`))),
};

/** Attacks that reach validation in full. */
const WITHIN_LIMITS = ['as deep as may be', 'wide', 'many', 'long'] as const;

const jsonValues = once(() => ({
  deep: nested('{"a":', '1', '}', 100_000),
  'deep in arrays': nested('[', '', ']', 400_000),
  'as deep as may be': nested('{"a":', '1', '}', 60),
  wide: `{${numbered(2_000, (at) => `"k${at}":{"v":"x"}`).join()}}`,
  'wider than may be': `{${numbered(90_000, (at) => `"${at}":1`).join()}}`,
  long: `"${'a'.repeat(500_000)}"`,
  'long in one name': `{"${'\\u0061'.repeat(80_000)}":1}`,
  many: `[${Array(4_000).fill('{}').join()}]`,
  'more than may be': `[${Array(400_000).fill('1').join()}]`,
  'a number of digits': '9'.repeat(900_000),
  'unclosed brackets': '['.repeat(1_000_000),
}));

/** The same for every operation, plain and compressed. */
const wholeJson = once(() =>
  Object.entries(jsonValues()).flatMap(([name, value]) => {
    const plain = json(`json ${name}`, value);
    return [plain, compressed(plain, 'gzip', gzipSync)];
  }),
);

const records = once(() => {
  const record = (data: string) =>
    `{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket","resource":{"data":${data}}}`;
  const named = (at: number) =>
    `{"name":"//storage.googleapis.com/b${at}","asset_type":"storage.googleapis.com/Bucket"}`;
  const made: Record<string, string[]> = {
    deep: [record(nested('{"a":', '1', '}', 100_000))],
    wide: [record(`{${numbered(49_000, (at) => `"k${at}":1`).join()}}`)],
    'wider than may be': [record(`{${numbered(200_000, (at) => `"k${at}":1`).join()}}`)],
    'wide in an array': [record(`[${numbered(240_000, (at) => `"user:${at}"`).join()}]`)],
    long: [record(`"${'a'.repeat(5 * MIB)}"`)],
    many: numbered(5_000, named),
    'unclosed brackets': ['['.repeat(3 * MIB)],
  };
  return Object.entries(made).map(([name, all]) => ({
    name,
    lines: Buffer.from(`${all.join('\n')}\n`),
    elements: all.join(),
  }));
});

/** Zeroes and spaces: a few hundred kB that decompress to 64 MiB. */
const bomb = once(() => gzipSync(Buffer.alloc(64 * MIB, ' ')));
const brotliBomb = once(() => brotliCompressSync(Buffer.alloc(16 * MIB, ' ')));

function json(name: string, text: string): Attack {
  return { name, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
}

function form(name: string, body: Buffer): Attack {
  return { name, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
}

function uploads(parser: 'ndjson' | 'array', name: string, body: Buffer): Attack[] {
  const type = parser === 'ndjson' ? 'application/x-ndjson' : 'application/json';
  const attack = { name: `${parser} ${name}`, headers: { 'content-type': type }, body };
  return [attack, compressed(attack, 'gzip', gzipSync)];
}

/** The same attacks, compressed, plus a body that is small only before decompression. */
function compressed(attack: Attack, encoding: string, pack: (plain: Buffer) => Buffer): Attack {
  const headers = { ...attack.headers, 'content-encoding': encoding };
  return {
    name: `${attack.name}, compressed`,
    headers,
    body: pack(attack.body ?? Buffer.alloc(0)),
  };
}

/** Bodies that decompress to many times their size, for an operation that reads one. */
export function bombsFor({ route }: ContractCase): Attack[] {
  const { body } = route.metadata;
  if (body === 'none') return [];
  const types = {
    json: 'application/json',
    form: 'application/x-www-form-urlencoded',
    inventory: 'application/x-ndjson',
  };
  const headers = { 'content-type': types[body] };
  return [
    {
      name: `${body} gzip bomb`,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: bomb(),
    },
    {
      name: `${body} brotli bomb`,
      headers: { ...headers, 'content-encoding': 'br' },
      body: brotliBomb(),
    },
  ];
}

function membersOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function nested(open: string, inner: string, close: string, levels: number): string {
  return open.repeat(levels) + inner + close.repeat(levels);
}

function numbered<T>(count: number, of: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => of(at));
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
