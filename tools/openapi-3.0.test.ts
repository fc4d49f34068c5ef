import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { toOpenApi30 } from './openapi-3.0.ts';

const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));

/** The schema `Tested` after the conversion. */
function converted(schema: object): unknown {
  const { components } = toOpenApi30({
    openapi: '3.1.0',
    info: {},
    components: { schemas: { Tested: schema } },
  }) as { components: { schemas: { Tested: unknown } } };
  return components.schemas.Tested;
}

describe('the document in OpenAPI 3.0', () => {
  it.each([
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'a reference or null',
      { anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
      { nullable: true, allOf: [{ $ref: '#/x' }] },
    ],
    [
      'several types',
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['a constant', { const: 'a' }, { enum: ['a'] }],
    ['examples', { type: 'integer', examples: [1, 2] }, { type: 'integer', example: 1 }],
    [
      'members with the names of keywords',
      { type: 'object', properties: { examples: { type: 'string' }, const: { type: 'string' } } },
      { type: 'object', properties: { examples: { type: 'string' }, const: { type: 'string' } } },
    ],
  ])('the document in OpenAPI 3.0 has its own form of %s', (_, schema, expected) => {
    expect(converted(schema)).toEqual(expected);
  });

  it('the document in OpenAPI 3.0 has the same operations, and nothing that only OpenAPI 3.1 has', () => {
    const result = toOpenApi30(document);
    expect(Object.keys(result['paths'] as object)).toEqual(Object.keys(document.paths));
    expect(result).not.toHaveProperty('webhooks');
    const text = JSON.stringify(result);
    expect(text).not.toMatch(/"type":"null"|"type":\[/);
  });
});
