import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssue, describeQueryIssue, inputFaults } from './input-faults.ts';

function messages(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input, { error: describeIssue }).error?.issues ?? [];
  return inputFaults('body', issues).map(({ path, message }) => `${path} ${message}`);
}

type Code = z.core.$ZodIssue['code'];

/** An input for every kind of issue that zod knows; the type makes a new kind fail to compile until it is here. */
const CASES: Record<Code, [schema: z.ZodType, input: unknown, expected: string][]> = {
  invalid_type: [
    [z.strictObject({ a: z.string() }), {}, 'body.a is required: a string'],
    [z.strictObject({ a: z.string() }), { a: 1 }, 'body.a must be a string, not a number'],
    [z.strictObject({}), null, 'body must be an object, not null'],
    [z.strictObject({}), [], 'body must be an object, not an array'],
    [z.strictObject({}), undefined, 'body is required: an object'],
    [z.int(), 1.5, 'body must be an integer, not a number'],
    [
      z.number(),
      Number.POSITIVE_INFINITY,
      'body must be a number, not a number that is out of range',
    ],
    [z.boolean(), 'yes', 'body must be true or false, not a string'],
    [z.array(z.string()), {}, 'body must be an array, not an object'],
    [z.record(z.string(), z.string()), 1, 'body must be an object, not a number'],
    [z.null(), 1, 'body must be null, not a number'],
    [z.never(), 1, 'body must be omitted, not a number'],
  ],
  invalid_value: [
    [z.enum(['low', 'high']), 'x', 'body must be one of "low", "high"'],
    [z.enum(['low', 'high']), 'low,high', 'body must be one of "low", "high"'],
    [z.strictObject({ a: z.enum(['x', 'y']) }), {}, 'body.a is required: one of "x", "y"'],
    [z.literal('only'), 'x', 'body must be "only"'],
    [z.literal([1, 2]), 3, 'body must be one of 1, 2'],
  ],
  too_big: [
    [z.string().max(1), 'ab', 'body must have at most 1 character'],
    [z.string().length(3), 'abcd', 'body must have exactly 3 characters'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'body must have at most 2 items'],
    [z.int().max(100), 101, 'body must be at most 100'],
    [z.number().lt(5), 5, 'body must be less than 5'],
    [z.set(z.string()).max(1), new Set(['a', 'b']), 'body must have at most 1 item'],
  ],
  too_small: [
    [z.string().min(1), '', 'body must have at least 1 character'],
    [z.array(z.string()).min(2), ['a'], 'body must have at least 2 items'],
    [z.int().min(1), 0, 'body must be at least 1'],
    [z.number().gt(5), 5, 'body must be more than 5'],
  ],
  invalid_format: [
    [z.email(), 'x', 'body must be an e-mail address such as ada@example.com'],
    [z.uuid(), 'x', 'body must be a UUID such as 0199c2a4-9b60-7d41-a3f2-58c1e7d90b36'],
    [z.iso.datetime(), 'x', 'body must be a time such as 2026-11-20T08:00:00.000Z'],
    [z.iso.date(), 'x', 'body must be a date such as 2026-11-20'],
    [z.url(), 'x', 'body must be a URL such as https://example.com'],
    [z.base64(), '!', 'body must be base64'],
    [z.jwt(), 'x', 'body must be a JSON Web Token'],
    [z.ipv4(), 'x', 'body must be an IPv4 address'],
    [z.string().startsWith('a'), 'x', 'body must begin with "a"'],
    [z.string().endsWith('a'), 'x', 'body must end with "a"'],
    [z.string().includes('a'), 'x', 'body must contain "a"'],
    [z.string().regex(/^a$/), 'x', 'body does not have the required format'],
    [z.string().regex(/^a$/, 'must be an a'), 'x', 'body must be an a'],
    [z.string().lowercase(), 'X', 'body must be in lower case'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 3, 'body must be a multiple of 5']],
  unrecognized_keys: [
    [z.strictObject({}), { a: 1 }, 'body has an unknown member: "a"; remove it'],
    [
      z.strictObject({}),
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 },
      'body has unknown members: "a", "b", "c", "d", "e" and 2 more; remove them',
    ],
  ],
  invalid_union: [
    [
      z.union([z.string().min(1), z.strictObject({ a: z.int() })]),
      { a: 'x' },
      'body matches none of the accepted forms: must be a string, not an object; or a must be a number, not a string',
    ],
    [
      z.union([z.string(), z.literal('')]),
      1,
      'body matches none of the accepted forms: must be a string, not a number; or must be ""',
    ],
    [
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a') }),
        z.object({ kind: z.literal('b') }),
      ]),
      { kind: 'c' },
      'body.kind names no known form in "kind"',
    ],
  ],
  invalid_key: [
    [
      z.record(z.string().max(2), z.string()),
      { abc: 'x' },
      'body.abc has an invalid key: must have at most 2 characters',
    ],
  ],
  invalid_element: [
    [
      z.map(z.bigint(), z.string()),
      new Map([[1n, 2]]),
      'body has an invalid element: must be a string, not a number',
    ],
  ],
  custom: [
    [z.string().refine(() => false), 'x', 'body is not accepted here'],
    [z.string().refine(() => false, 'must be better'), 'x', 'body must be better'],
  ],
};

describe.each(Object.entries(CASES))('an issue of kind %s', (code, cases) => {
  it.each(cases)(
    `an input fault of the kind ${code} has a message of our own (case %#)`,
    (schema, input, expected) => {
      const issues = schema.safeParse(input).error?.issues ?? [];
      expect(issues.map((issue) => issue.code)).toContain(code);
      expect(messages(schema, input)).toContain(expected);
    },
  );

  it.each(
    cases.filter(
      ([schema, input]) => !JSON.stringify(schema.safeParse(input).error).includes('must be'),
    ),
  )(
    `an input fault of the kind ${code} has a message without text of the validation library (case %#)`,
    (schema, input) => {
      const theirs = (schema.safeParse(input).error?.issues ?? []).map(({ message }) => message);
      for (const message of messages(schema, input)) {
        for (const their of theirs) expect(message).not.toContain(their);
      }
    },
  );
});

describe('the faults of a request', () => {
  it('a request lists at most 100 input faults, with the number of further ones', () => {
    const schema = z.array(z.string());
    const faults = messages(
      schema,
      Array.from({ length: 5_000 }, () => 1),
    );
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toBe('body has 4900 more faults that are not listed');
  });

  it.each([
    [z.int().min(1).max(500), 'an integer from 1 to 500'],
    [z.int().min(1).max(500).default(25), 'an integer from 1 to 500'],
    [z.number().min(0.5).max(1).optional(), 'a number from 0.5 to 1'],
    [z.int(), 'an integer'],
    [z.int().min(1), 'an integer'],
  ])(
    'a query parameter that is not a number is described by its bounds (case %#)',
    (schema, expected) => {
      for (const [input, message] of [
        ['1e2', `must be ${expected}`],
        [['1', '2'], 'must be a number, not an array'],
      ]) {
        const { error } = schema.safeParse(input, { error: describeQueryIssue });
        expect(inputFaults('query.limit', error?.issues ?? [])).toEqual([
          { path: 'query.limit', message },
        ]);
      }
    },
  );

  it.each([
    [
      'low, high',
      'must be one of "low", "high"; give each value by itself, as in ?a=x&a=y, instead of joining them',
    ],
    ['low,x', 'must be one of "low", "high"'],
  ])(
    'a query parameter that is %j is refused with the way to give several values',
    (input, message) => {
      const { error } = z.enum(['low', 'high']).safeParse(input, { error: describeQueryIssue });
      expect(inputFaults('query.severity', error?.issues ?? [])).toEqual([
        { path: 'query.severity', message },
      ]);
    },
  );

  it('an input fault contains at most 64 characters of a name', () => {
    const name = 'n'.repeat(1_000_000);
    const strict = messages(z.strictObject({}), { [name]: 1 });
    const nested = messages(z.record(z.string(), z.int()), { [name]: 'x' });
    for (const fault of [...strict, ...nested]) {
      expect(fault.length).toBeLessThan(200);
      expect(fault).toContain(`${'n'.repeat(63)}…`);
    }
  });

  it('an input fault contains no lone surrogate', () => {
    const [fault = ''] = messages(z.strictObject({}), { [`\ud800${'x'.repeat(61)}😀`]: 1 });
    expect(/\p{Cs}/u.test(fault)).toBe(false);
  });
});
