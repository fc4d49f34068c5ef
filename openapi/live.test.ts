import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractCase, contractCases, pathOf } from '../tests/kit/contract-operations.ts';
import { Tour } from '../tests/kit/surface-tour.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { type Json, OpenApiDocument } from './documented.ts';
import { SchemaArbitrary } from './schema-arbitrary.ts';

/** For each operation; an independent hunt wants thousands: FUZZ_RUNS=100 npx vitest run openapi/live.test.ts */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);

const openapi = new OpenApiDocument();
const { document } = openapi;
const values = new SchemaArbitrary(document);

const cases = contractCases().filter(({ route }) => openapi.operation(route.path, route.method));

/** Segments of a path, except one or two dots, which would make it another path. */
const segment = fc
  .stringMatching(/^[A-Za-z0-9%._~-]{1,40}$/)
  .filter((text) => !/^\.{1,2}$/.test(text));

/** What is sent to an operation: fit, but for what is spoilt. */
function requestTo({ route, parameters }: ContractCase) {
  const operation = openapi.operation(route.path, route.method);
  const declared = (operation.parameters ?? []).map((each: Json) => openapi.resolved(each));
  const query: fc.Arbitrary<[string, unknown]>[] = declared
    .filter((parameter: { in: string }) => parameter.in === 'query')
    .map((parameter: { name: string; schema: unknown }) =>
      fc.tuple(fc.constant(parameter.name), values.of(parameter.schema)),
    );
  const json = openapi.resolved(operation.requestBody)?.content?.['application/json']?.schema;
  return fc.record({
    unknownPath: parameters.length > 0 ? fc.boolean() : fc.constant(false),
    segment: fc.oneof(fc.uuid({ version: 7 }), segment),
    query:
      query.length === 0 ? fc.constant([]) : fc.subarray(query).chain((some) => fc.tuple(...some)),
    body: json === undefined ? fc.constant(undefined) : values.of(json),
    spoil: fc.constantFrom('nothing', 'nothing', 'member', 'query', 'body'),
    key: fc.option(fc.stringMatching(/^[!-+\--~]{1,30}$/), { nil: undefined }),
  });
}

describe('the running server, called as the OpenAPI document describes', () => {
  let server: TestServer;
  let tour: Tour;
  const seen = new Map<string, Set<number>>();

  beforeAll(async () => {
    server = await startTestServer();
    tour = await Tour.start(server);
  });

  afterAll(() => server.close());

  it.each(cases.map((subject) => [subject.name, subject] as const))(
    'the running server answers %s as documented, with bodies that match',
    async (name, subject) => {
      const { example, route } = subject;
      const operation = openapi.operation(route.path, route.method);
      const asker = (await example.asker?.(tour.owner)) ?? tour.owner.user;
      await fc.assert(
        fc.asyncProperty(requestTo(subject), async (given) => {
          const sound = (await example.params?.(tour.owner)) ?? {};
          const wild = Object.fromEntries(Object.keys(sound).map((at) => [at, given.segment]));
          const search = new URLSearchParams(await example.query?.(tour.owner));
          for (const [parameter, value] of given.query as [string, unknown][]) {
            for (const one of [value].flat()) search.append(parameter, String(one));
          }
          if (given.spoil === 'query') search.append('surplus', '1');
          let body = given.body;
          if (given.spoil === 'member') body = { ...(body as object), surplus: true };
          if (given.spoil === 'body') body = [body];
          const isForm = route.metadata.body === 'form' || route.metadata.body === 'inventory';
          const reply = await server.call(
            `${pathOf(subject, given.unknownPath ? wild : sound)}?${search}`,
            {
              method: route.method,
              headers: {
                ...asker.session,
                ...(example.contentType === undefined
                  ? {}
                  : { 'content-type': example.contentType }),
                ...(given.key === undefined ? {} : { 'idempotency-key': given.key }),
              },
              ...(route.metadata.body === 'none'
                ? {}
                : { body: isForm ? await example.body?.(tour.owner) : body }),
            },
          );
          seen.set(name, (seen.get(name) ?? new Set()).add(reply.status));
          expect(reply.status).toBeLessThan(500);
          expect(openapi.faultOf(operation, reply)).toBeNull();
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('the tests of the running server call every operation of the document', () => {
    const documented = Object.values(document.paths).flatMap((item) =>
      Object.keys(item as object).filter((method) => /^(get|put|post|patch|delete)$/.test(method)),
    );
    expect(seen.size).toBe(documented.length);
  });
});
