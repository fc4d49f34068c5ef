import fc from 'fast-check';

type Schema = { readonly [keyword: string]: unknown };

const NO_NUL = '^[^\\x00]*$';
const DEPTH_MAX = 4;
/** Long enough for the schemas, and short enough to send thousands of them. */
const LENGTH_MAX = 60;

/**
 * Values of all kinds that match a JSON Schema of an OpenAPI 3.1 document, as an independent fuzzer would make them.
 */
export class SchemaArbitrary {
  readonly #document: unknown;

  constructor(document: unknown) {
    this.#document = document;
  }

  of(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
    const given = this.#resolved(schema);
    const examples = list(given['examples']);
    const made = this.#made(given, depth);
    if (examples.length === 0) return made;
    return fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...examples) },
      { weight: 1, arbitrary: made },
    );
  }

  #made(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
    const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])];
    if (choices.length > 0) return fc.oneof(...choices.map((choice) => this.of(choice, depth)));
    const all = list(schema['allOf']);
    if (all.length > 0) return this.#made(merged(all.map((part) => this.#resolved(part))), depth);
    const types = [schema['type'] ?? []].flat();
    if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
    return fc.oneof(...types.map((type) => this.#typed(String(type), schema, depth)));
  }

  #typed(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const number = (keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise);
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: number('minimum', -1000), max: number('maximum', 1000) });
      case 'number':
        return fc.double({
          min: number('minimum', -1000),
          max: number('maximum', 1000),
          noNaN: true,
        });
      case 'string':
        return text(schema);
      case 'array':
        if (depth >= DEPTH_MAX) return fc.constant([]);
        return fc.array(this.of(schema['items'] ?? {}, depth + 1), {
          minLength: number('minItems', 0),
          maxLength: Math.min(number('maxItems', 3), Math.max(3, number('minItems', 0))),
        });
      default:
        return this.#object(schema, depth);
    }
  }

  #object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const members = Object.entries((schema['properties'] ?? {}) as Schema);
    const required = list(schema['required']).map(String);
    const kept = members.filter(([name]) => depth < DEPTH_MAX || required.includes(name));
    const shape = Object.fromEntries(
      kept.map(([name, member]) => [name, this.of(member, depth + 1)]),
    );
    const known = fc.record(shape, { requiredKeys: required.filter((name) => name in shape) });
    const { additionalProperties: others } = schema;
    if (members.length > 0 || others === false || others === undefined) return known;
    if (depth >= DEPTH_MAX) return fc.constant({});
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), this.of(others, depth + 1), {
      maxKeys: 3,
    });
  }

  #resolved(schema: unknown): Schema {
    if (typeof schema !== 'object' || schema === null) return {};
    const reference = (schema as Schema)['$ref'];
    if (typeof reference !== 'string') return schema as Schema;
    const path = reference.slice(2).split('/');
    // biome-ignore lint/suspicious/noExplicitAny: a document is walked by the names of a reference
    return this.#resolved(path.reduce((at: any, name) => at?.[name], this.#document));
  }
}

function text(schema: Schema): fc.Arbitrary<string> {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.min(
    Number(schema['maxLength'] ?? LENGTH_MAX),
    Math.max(LENGTH_MAX, minLength),
  );
  const bounded = (value: string) =>
    value.length >= minLength && value.length <= maxLength && !value.includes('\0');
  if (schema['format'] === 'uuid') return fc.uuid({ version: 7 });
  if (schema['format'] === 'date-time') {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString());
  }
  if (schema['format'] === 'email') return fc.emailAddress({ size: '-1' });
  if (schema['format'] === 'uri') return fc.webUrl();
  const { pattern } = schema;
  // `bounded` and the kind of string already exclude everything that NO_NUL forbids.
  if (typeof pattern === 'string' && pattern !== NO_NUL) {
    // A pattern may require longer strings than the generator makes by default.
    const most = Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY);
    return fc
      .stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
      .filter((value) => value.length <= most);
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength }).filter(bounded);
}

function merged(parts: readonly Schema[]): Schema {
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map((part) => part['properties'] ?? {})),
    required: parts.flatMap((part) => list(part['required'])),
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
