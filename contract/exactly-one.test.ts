import { expect, test } from 'vitest';
import { z } from 'zod';
import { alternativesOf, exactlyOneOf } from './exactly-one.ts';
import { contract } from './index.ts';

const schema = z
  .strictObject({
    a: z.string().optional(),
    b: z.string().optional(),
    c: z.string().optional(),
    more: z.string().optional(),
  })
  .refine(...exactlyOneOf('a', 'b', 'c'));

test('an object must have exactly one of the members that exclude each other', () => {
  const messages = [{}, { a: '1', b: '2' }, { a: '1', b: '2', c: '3' }].map(
    (value) => schema.safeParse(value).error?.issues[0]?.message,
  );
  expect(messages).toEqual(Array(3).fill('must have exactly one of a, b and c'));
  expect(schema.safeParse({ b: '', more: 'x', c: undefined }).success).toBe(true);
});

test('the members that exclude each other are known of a schema with further checks and metadata', () => {
  const further = schema.refine(() => true).meta({ example: { a: '1' } });
  expect(alternativesOf(further)).toEqual(['a', 'b', 'c']);
  expect(alternativesOf(contract.mutes.create.body)).toEqual(['fingerprint', 'selector']);
  expect(alternativesOf(contract.projects.create.body)).toEqual([]);
});
