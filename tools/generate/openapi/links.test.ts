import { contract } from '@cspm/contract';
import { expect, test } from 'vitest';
import { generateOpenApi } from '../openapi.ts';
import { RELATED } from './related.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document as a stranger reads it, without our types
type Json = any;

const document: Json = generateOpenApi(contract, '1.2.3');
const operations = new Map<string, Json>();
const links: { from: string; source: Json; response: Json; link: Json }[] = [];

for (const [path, item] of Object.entries<Json>(document.paths)) {
  for (const operation of Object.values<Json>(item)) {
    operations.set(operation.operationId, { ...operation, path });
  }
}
for (const source of operations.values()) {
  for (const [status, response] of Object.entries<Json>(source.responses)) {
    for (const [name, link] of Object.entries<Json>(response.links ?? {})) {
      links.push({ from: `${source.operationId} ${status} ${name}`, source, response, link });
    }
  }
}

test('every parameter of an OpenAPI link is one of the operation that it leads to', () => {
  const wrong = links.flatMap(({ from, link }) => {
    const known = parametersOf(operations.get(link.operationId)).map(({ name }) => name);
    const unknown = Object.keys(link.parameters ?? {}).filter((name) => !known.includes(name));
    return unknown.map((name) => `${from}: ${name}`);
  });
  expect(links.length).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

test('every expression of an OpenAPI link reads a member of the response or a parameter of the request', () => {
  const wrong = links.flatMap(({ from, source, response, link }) =>
    [...JSON.stringify(link.parameters).matchAll(/\$[^"{}]+/g)]
      .map(([expression]) => expression)
      .filter((expression) => !isKnown(expression, source, response))
      .map((expression) => `${from}: ${expression}`),
  );
  expect(wrong).toEqual([]);
});

test('every declared relation becomes an OpenAPI link', () => {
  const used = new Set(links.map(({ link }) => link.operationId));
  const unused = Object.entries(RELATED).flatMap(([schema, relations]) => [
    ...(schema in document.components.schemas ? [] : [schema]),
    ...Object.keys(relations).filter((id) => !used.has(id)),
  ]);
  expect(unused).toEqual([]);
});

test.each([
  ['projectsCreate', 'projectsUploadInventory', { name: '$response.body#/name' }],
  ['scansLaunch', 'scansEvents', { id: '$response.body#/id' }],
  ['scansLaunch', 'findingsList', { scan: '$response.body#/id' }],
  ['findingsList', 'findingsGet', { id: '$response.body#/items/0/id' }],
  ['webhooksTest', 'webhooksRedeliver', { id: '$request.path.id' }],
])('the OpenAPI link %s leads to %s', (from, to, parameters) => {
  const found = links.filter(
    ({ source, link }) => source.operationId === from && link.operationId === to,
  );
  expect(found).toHaveLength(1);
  expect(found[0]?.link.parameters).toMatchObject(parameters);
});

function isKnown(expression: string, source: Json, response: Json): boolean {
  const [, place, name] = /^\$request\.(path|query)\.(\w+)$/.exec(expression) ?? [];
  if (place !== undefined) {
    return parametersOf(source).some((each) => each.in === place && each.name === name);
  }
  const [, pointer = ''] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  let schema = resolved(response.content['application/json'].schema);
  for (const member of pointer.split('/')) {
    schema = resolved(/^\d+$/.test(member) ? schema?.items : schema?.properties?.[member]);
  }
  return schema !== undefined;
}

function parametersOf(operation: Json): Json[] {
  return (operation?.parameters ?? []).map(resolved);
}

function resolved(node: Json): Json {
  if (typeof node?.$ref !== 'string') return node;
  const [, ...names] = node.$ref.split('/');
  return resolved(names.reduce((at: Json, name: string) => at?.[name], document));
}
