import { expect, test } from 'vitest';
import { ExampleComposer } from './compose-example.ts';

const composer = new ExampleComposer({
  Colour: { type: 'string', enum: ['red', 'blue'] },
  Tree: {
    type: 'object',
    properties: { child: { $ref: '#/components/schemas/Tree' } },
    required: ['child'],
  },
});
const named = { type: 'string', examples: ['Ada'] };
const nameless = { type: 'string' };

test.each([
  ['its own example', { type: 'integer', example: 7 }, 7],
  ['an example of null', { type: ['string', 'null'], example: null }, null],
  ['the first word of an enum', { $ref: '#/components/schemas/Colour' }, 'red'],
  ['a constant', { const: 'Bearer' }, 'Bearer'],
  ['a default', { type: 'integer', default: 25 }, 25],
  ['true', { type: 'boolean' }, true],
  ['null, where nobody gave an example', { type: ['string', 'null'] }, null],
  ['a list of one', { type: 'array', items: named }, ['Ada']],
  ['the first alternative that has one', { anyOf: [nameless, named] }, 'Ada'],
])('the generated example of a schema may be %s', (_what, schema, example) => {
  expect(composer.compose(schema, 'received')).toEqual(example);
});

test.each([
  ['of a text', nameless],
  ['of a list of texts', { type: 'array', items: nameless }],
  ['of an object with such a member', { type: 'object', properties: { named, nameless } }],
  ['of a map', { type: 'object', additionalProperties: named }],
  ['of what holds itself', { $ref: '#/components/schemas/Tree' }],
  ['of nothing', undefined],
])('no example is generated for %s', (_what, schema) => {
  expect(composer.compose(schema, 'received')).toBeUndefined();
});

test('the example of a request omits optional members', () => {
  const schema = { type: 'object', properties: { named, nameless }, required: ['named'] };
  expect(composer.compose(schema, 'sent')).toEqual({ named: 'Ada' });
  expect(composer.compose({ ...schema, required: ['nameless'] }, 'sent')).toBeUndefined();
});
