import { contract, type Routes } from '@cspm/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '../platform/ids.ts';
import { buildInTurns, hasManyItems } from './large-answer.ts';

function exampleOf(schema: z.ZodType): unknown {
  const example: unknown = schema.meta()?.['example'];
  if (example !== undefined || !(schema instanceof z.ZodObject)) return example;
  const { items } = schema.shape;
  const item = items instanceof z.ZodArray ? exampleOf(items.element as z.ZodType) : undefined;
  return item === undefined ? undefined : { items: [item, item, item], nextCursor: 'next' };
}

/** Every response of the contract that has an example, with it. */
const RESPONSES = Object.entries<Routes>(contract).flatMap(([resource, routes]) =>
  Object.entries(routes).flatMap(([operation, { responses }]) =>
    Object.entries(responses).flatMap(([status, schema]) => {
      const example = schema instanceof z.ZodType ? exampleOf(schema) : undefined;
      return schema instanceof z.ZodType && example !== undefined
        ? [{ name: `${resource}.${operation} ${status}`, schema, example }]
        : [];
    }),
  ),
);

/** Takes 2 ms of the event loop for each element, which is more than one piece may take. */
const slow = z.string().transform((text) => {
  const end = performance.now() + 2;
  while (performance.now() < end);
  return text;
});

describe('a large answer', () => {
  it.each(RESPONSES)(
    'a large answer of $name is what the schema and JSON.stringify return for the whole',
    async ({ schema, example }) => {
      const given = { ...(example as object), unknown: 1 };
      const { body, json } = await buildInTurns(schema, given, newId());
      const whole = schema.parse(given);
      expect(body).toEqual(whole);
      expect(json.toString()).toBe(JSON.stringify(whole));
    },
  );

  it('a large answer is compared for the lists of the contract', () => {
    expect(RESPONSES.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['scans.list 200', 'schedules.list 200', 'findings.list 200']),
    );
  });

  it('a large answer leaves out members without a value, and keeps the rules of a whole object', async () => {
    const schema = z.object({ a: z.string().optional(), list: z.array(z.int()).max(2) });
    const { json } = await buildInTurns(schema, { list: [1] }, newId());
    expect(json.toString()).toBe('{"list":[1]}');
    const empty = await buildInTurns(z.object({ a: z.string().optional() }), {}, newId());
    expect(empty.json.toString()).toBe('{}');
    const strict = z.strictObject({ list: z.array(z.int()) });
    const bounded = buildInTurns(schema, { list: [1, 2, 3] }, newId());
    await expect(bounded).rejects.toThrow(z.ZodError);
    const unknown = buildInTurns(strict, { list: [], other: 1 }, newId());
    await expect(unknown).rejects.toThrow(z.ZodError);
    const element = buildInTurns(strict, { list: ['a'] }, newId());
    await expect(element).rejects.toThrow(z.ZodError);
  });

  it('a large answer is made in as many turns of the event loop as it has slow elements', async () => {
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    count();
    const schema = z.object({ items: z.array(slow) });
    await buildInTurns(schema, { items: Array(20).fill('x') }, newId());
    isCounting = false;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('a large answer of one tenant is made alternately with one of another, and with one at a time of its own', async () => {
    const order: string[] = [];
    const make = (tenant: string, name: string) => {
      const noted = slow.transform((text) => order.push(name) && text);
      const schema = z.object({ items: z.array(noted) });
      return buildInTurns(schema, { items: Array(4).fill('x') }, tenant);
    };
    await Promise.all([make('a', 'a1'), make('a', 'a2'), make('b', 'b1')]);
    expect(order.indexOf('a2')).toBeGreaterThan(order.lastIndexOf('a1'));
    expect(order.indexOf('b1')).toBeLessThan(order.lastIndexOf('a1'));
    expect(order.indexOf('a1', order.indexOf('b1'))).toBeLessThan(order.lastIndexOf('b1'));
  });

  it('a list is large with more items than a default page has at most', () => {
    expect(hasManyItems({ items: Array(101).fill(1) })).toBe(true);
    expect(hasManyItems({ items: Array(100).fill(1) })).toBe(false);
    expect([null, [], { items: 'x'.repeat(500) }].map(hasManyItems)).toEqual([false, false, false]);
  });
});
