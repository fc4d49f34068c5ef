import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ContractCase, contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import { Tour } from '../../tests/kit/surface-tour.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

/** Requests per operation. Raise it to search longer; any number finds the same kinds of fault eventually. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 8);

const cases = contractCases();

/** Strings that have broken software before. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '__proto__',
    'constructor',
    'null',
    "' OR 1=1; --",
    '%s%n',
    '../../etc/passwd',
    '9'.repeat(400),
    '-0',
    '1e400',
    'NaN',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'A'.repeat(70_000),
  ),
);

const anything = fc.oneof(
  nasty,
  fc.array(nasty, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -1, 2 ** 31, 2 ** 53, 1e308, true, null, {}, []),
);

function membersOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Lone surrogates have no UTF-8 form, so they are sent as browsers replace them. */
const wellFormed = (text: string) => text.replaceAll(/\p{Cs}/gu, '\ufffd');
const escaped = (text: string) => encodeURIComponent(wellFormed(text));
/** A valid path segment: not too long, and not `.` or `..`, which would change the path. */
const addressable = nasty.filter((text) => text.length < 5_000);
const segment = addressable.filter((text) => !['', '.', '..'].includes(text)).map(wellFormed);

/** A request to an operation that is partly valid and wrong in a random way. */
function requestTo(subject: ContractCase) {
  const { route, parameters } = subject;
  const queryNames = [...membersOf(route.query), 'surplus', '__proto__'];
  const body = 'body' in route ? route.body : undefined;
  return fc.record({
    wild: parameters.length > 0 ? fc.boolean() : fc.constant(false),
    param: segment,
    query: fc.array(fc.tuple(fc.constantFrom(...queryNames), addressable), { maxLength: 3 }),
    members: fc.dictionary(fc.constantFrom(...membersOf(body), 'surplus'), anything, {
      maxKeys: 3,
    }),
    key: fc.option(fc.string({ unit: 'grapheme-ascii', maxLength: 10 }), { nil: undefined }),
  });
}

describe('no input', () => {
  let server: TestServer;
  let tour: Tour;

  beforeAll(async () => {
    server = await startTestServer();
    tour = await Tour.start(server);
  });

  afterAll(() => server.close());

  it.each(cases.map((subject) => [subject.name, subject] as const))(
    'no generated input makes %s answer 500 or return an undeclared response',
    async (_name, subject) => {
      const { example, route } = subject;
      await fc.assert(
        fc.asyncProperty(requestTo(subject), async (given) => {
          const sound = (await example.params?.(tour.owner)) ?? {};
          const wild = Object.fromEntries(Object.keys(sound).map((name) => [name, given.param]));
          const path = pathOf(subject, given.wild ? wild : sound);
          const search = given.query.map(([name, value]) => `${name}=${escaped(value)}`).join('&');
          const base = route.metadata.body === 'json' ? await example.body?.(tour.owner) : {};
          const body = { ...(base as object), ...given.members };
          tour.faults.length = 0;
          const reply = await tour.ask(subject, search === '' ? path : `${path}?${search}`, {
            method: route.method,
            headers: {
              ...tour.owner.user.session,
              ...(given.key === undefined ? {} : { 'idempotency-key': given.key }),
            },
            ...(route.metadata.body === 'none' ? {} : { body }),
          });
          expect(tour.faults).toEqual([]);
          expect(reply.status).not.toBe(500);
        }),
        { numRuns: RUNS },
      );
    },
  );
});
