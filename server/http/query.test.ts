import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileQuery, NO_QUERY, searchParams } from './query.ts';

const schema = z.strictObject({
  limit: z.int().min(1).max(100).default(25),
  muted: z.boolean().optional(),
  name: z.string().optional(),
  ids: z.array(z.string()).max(3).optional(),
  counts: z.array(z.int()).optional(),
});

const parse = compileQuery(schema);
const read = (search: string) => schema.safeParse(parse(searchParams(search)));

describe('a query string', () => {
  it.each<[string, unknown]>([
    ['', { limit: 25 }],
    ['limit=5', { limit: 5 }],
    ['limit=05', { limit: 5 }],
    ['muted=true', { limit: 25, muted: true }],
    ['muted=false', { limit: 25, muted: false }],
    ['name=a%20b+c', { limit: 25, name: 'a b c' }],
    ['name=5', { limit: 25, name: '5' }],
    ['name=', { limit: 25, name: '' }],
    ['name', { limit: 25, name: '' }],
    ['name=a%26ids%3Db', { limit: 25, name: 'a&ids=b' }],
    ['ids=a', { limit: 25, ids: ['a'] }],
    ['ids=a&ids=b', { limit: 25, ids: ['a', 'b'] }],
    ['ids=a,b', { limit: 25, ids: ['a,b'] }],
    ['%69ds=a', { limit: 25, ids: ['a'] }],
    ['&&ids=a&', { limit: 25, ids: ['a'] }],
  ])('the query string "%s" is parsed according to its schema', (search, expected) => {
    expect(read(search)).toEqual({ success: true, data: expected });
  });

  it.each([
    'limit=',
    'limit=x',
    'limit=0',
    'limit=101',
    'limit=-0',
    'limit=1.0',
    'limit=1e2',
    'limit=0x10',
    'limit= 5',
    'limit=٥',
    `limit=${'9'.repeat(400)}`,
    'limit=5&limit=6',
    'limit[]=5',
    'limit[gt]=5',
    'muted=TRUE',
    'muted=1',
    'name=a&name=b',
    'ids=a&ids=b&ids=c&ids=d',
    'counts=x',
    'surplus=1',
    'Limit=5',
    '__proto__=1',
    '__proto__[admin]=1',
    'constructor=1',
    'toString=1',
  ])('the query string "%s" is refused', (search) => {
    expect(read(search).success).toBe(false);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each(['%', 'name=%', 'name=%zz', '%ff=a', 'name=%e0%a4', 'ids=a&ids=%c3%28'])(
    'the query string "%s" with an invalid escape is refused',
    (search) => {
      expect(() => searchParams(search)).toThrow('invalid % escape');
    },
  );

  it('a query string is refused by an operation without query parameters', () => {
    const none = compileQuery(undefined);
    expect(NO_QUERY.safeParse(none(searchParams(''))).success).toBe(true);
    expect(NO_QUERY.safeParse(none(searchParams('a'))).success).toBe(false);
  });
});
