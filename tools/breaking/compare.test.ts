import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareDocuments } from './compare.ts';
import { type Loose, SLIPS, type Slip } from './mutations.cases.ts';
import { RULES, type RuleId } from './rules.ts';

const TODAY = '2026-11-20';
const document: Loose = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);
const ids = Object.keys(RULES) as RuleId[];

test('equal documents have no differences, with and without resolved references', () => {
  expect(compareDocuments(document, structuredClone(document), TODAY)).toEqual([]);
  const changed = structuredClone(document);
  for (const operation of Object.keys(document.paths).flatMap(namesAt)) inline(changed, operation);
  expect(JSON.stringify(changed.paths).length).toBeGreaterThan(
    JSON.stringify(document.paths).length,
  );
  expect(compareDocuments(document, changed, TODAY)).toEqual([]);
});

test('every rule for breaking changes has a change that it reports', () => {
  expect(Object.keys(SLIPS).toSorted()).toEqual(ids.toSorted());
  expect(ids.length).toBeGreaterThan(80);
});

test.each(ids)('the change %s is reported once, at its place, and nothing else', (rule) => {
  const { base, present } = documentsOf(SLIPS[rule]);
  expect(
    compareDocuments(base, present, TODAY).map(({ rule, operation, level }) => [
      rule,
      operation,
      level,
    ]),
  ).toEqual([[rule, SLIPS[rule].operation, RULES[rule].level]]);
});

describe('a change', () => {
  test('a breaking change is reported with its location and a sentence', () => {
    const { base, present } = documentsOf(SLIPS['response-type-changed']);
    expect(compareDocuments(base, present, TODAY)).toEqual([
      {
        rule: 'response-type-changed',
        level: 'breaking',
        operation: 'GET /scans/{id}',
        place: '200 projects[].assets',
        message: 'It was integer and is string.',
      },
    ]);
  });

  test('a change of a component is reported for every operation that uses it, once for requests and once for responses', () => {
    const present = structuredClone(document);
    present.components.schemas.Severity.enum.push('catastrophic');
    const changes = compareDocuments(document, present, TODAY);
    const found = changes.map(({ operation, rule }) => `${operation} ${rule}`);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(
      expect.arrayContaining([
        'GET /findings request-enum-widened',
        'GET /findings response-enum-widened',
        'GET /findings/{id} response-enum-widened',
        'POST /custom-rules request-enum-widened',
        'GET /rules/{id} response-enum-widened',
      ]),
    );
  });

  test('a change of the problem format is reported once for the whole API', () => {
    const present = structuredClone(document);
    delete present.components.schemas.Problem.properties.code;
    expect(compareDocuments(document, present, TODAY)).toMatchObject([
      { rule: 'response-member-removed', operation: '*', place: 'every refusal code' },
    ]);
  });

  test('a change of a header or of the items of a list is reported', () => {
    const present = structuredClone(document);
    present.components.headers.Location.schema.format = 'uuid';
    delete present.components.schemas.RecoveryCodes.properties.recoveryCodes.items;
    const changes = compareDocuments(document, present, TODAY);
    expect(changes.map(({ operation, place, rule }) => `${operation} ${place} ${rule}`)).toEqual(
      expect.arrayContaining([
        'POST /scans 202 header Location response-format-changed',
        'POST /auth/2fa/enable 200 recoveryCodes[] response-type-changed',
      ]),
    );
  });

  test('a change of credentials is reported in documents without our extensions', () => {
    const { base, present } = documentsOf({
      operation: 'GET /scans',
      before: (operation) => delete operation['x-credentials'],
      change: (operation) => operation.security.shift(),
    });
    expect(compareDocuments(base, present, TODAY)).toMatchObject([
      { rule: 'credential-kind-dropped', message: 'bearerAuth is no longer accepted.' },
    ]);
  });

  test('a change of descriptions and examples is not reported as breaking', () => {
    const present = structuredClone(document);
    present.info.title = 'Another';
    present.paths['/scans'].get.summary = 'Scans';
    present.components.schemas.Scan.description = 'Another';
    present.components.schemas.Scan.examples = [];
    expect(compareDocuments(document, present, TODAY)).toEqual([]);
  });

  test.each<[string, Partial<Loose>, Partial<Loose>, string[]]>([
    ['from a limit to none', { 'x-rate-limit': undefined }, {}, ['rate-limit-loosened']],
    [
      'of a longer window',
      { 'x-rate-limit': { quota: 10, windowSeconds: 120 } },
      {},
      ['rate-limit-tightened'],
    ],
    [
      'of a burst for a rate',
      { 'x-rate-limit': { quota: 5, windowSeconds: 10 } },
      {},
      ['rate-limit-tightened'],
    ],
    [
      'from safe to natural',
      { 'x-idempotency': { kind: 'natural' } },
      { 'x-idempotency': { kind: 'safe' } },
      [],
    ],
    [
      'from natural to accepted',
      { 'x-idempotency': { kind: 'accepted' } },
      { 'x-idempotency': { kind: 'natural' } },
      ['idempotency-dropped'],
    ],
    [
      'to another permission',
      { 'x-required-permission': 'scans.cancel' },
      {},
      ['permission-required'],
    ],
  ])('a breaking change is reported for %s', (_what, change, before, rules) => {
    const { base, present } = documentsOf({
      operation: 'POST /scans',
      before: (operation) => Object.assign(operation, before),
      change: (operation) => Object.assign(operation, change),
    });
    const withoutGaps = JSON.parse(JSON.stringify(present));
    expect(compareDocuments(base, withoutGaps, TODAY).map(({ rule }) => rule)).toEqual(rules);
  });

  test('a change within a recursive schema is reported, and the comparison ends', () => {
    const base = withTree({ type: 'string' });
    const changes = compareDocuments(base, withTree({ type: 'integer' }), TODAY);
    expect(changes).toMatchObject([{ rule: 'response-type-changed', place: '200 label' }]);
    expect(compareDocuments(base, withTree({ type: 'string' }), TODAY)).toEqual([]);
  });

  test('a document with a reference without a target is refused', () => {
    const present = structuredClone(document);
    delete present.components.schemas.Finding;
    expect(() => compareDocuments(document, present, TODAY)).toThrow(
      'Reference #/components/schemas/Finding has no target.',
    );
    const circle = withTree({ $ref: '#/components/schemas/A' });
    circle.components.schemas['A'] = { $ref: '#/components/schemas/A' };
    const tree = withTree({ type: 'string' });
    expect(() => compareDocuments(circle, tree, TODAY)).toThrow('schemas/A has no target');
  });
});

/** The document before and after a mutation; in the latter, the operation contains no references. */
function documentsOf({ operation, before, change }: Slip): { base: Loose; present: Loose } {
  const base = structuredClone(document);
  if (before) before(inline(base, operation), base);
  const present = structuredClone(base);
  change(inline(present, operation), present);
  return { base, present };
}

/** Replaces an operation by a copy with all references resolved; undefined: it does not exist. */
function inline(within: Loose, name: string): Loose {
  const [method = '', path = ''] = name.toLowerCase().split(' ');
  const item = within.paths[path];
  if (item?.[method] === undefined) return undefined;
  item[method] = followed(item[method], within);
  return item[method];
}

function followed(value: Loose, within: Loose): Loose {
  if (Array.isArray(value)) return value.map((item) => followed(item, within));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const steps: string[] = value.$ref.slice(2).split('/');
    return followed(
      steps.reduce((found, step) => found[step], within),
      within,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, followed(each, within)]),
  );
}

function namesAt(path: string): string[] {
  return Object.keys(document.paths[path]).map((method) => `${method} ${path}`);
}

/** A document whose only response is a tree. */
function withTree(label: object): Loose {
  const Tree = {
    type: 'object',
    properties: {
      label,
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } };
  return {
    openapi: '3.1.0',
    paths: { '/tree': { get: { responses: { 200: { content } } } } },
    components: { schemas: { Tree } },
  };
}
