export type Schema = Readonly<Record<string, unknown>>;

/**
 * Composes the example of a schema from its parts: the contract's `.meta({ example })`, else the first value of an
 * enum, a default, or true. A nullable part without an example becomes null, and an optional request member is omitted.
 * Any other part without an example leaves the whole without one.
 */
export class ExampleComposer {
  readonly #components: Readonly<Record<string, unknown>>;

  constructor(components: Readonly<Record<string, unknown>>) {
    this.#components = components;
  }

  /** @returns undefined if a part has no example. */
  compose(schema: unknown, way: 'sent' | 'received', within: readonly string[] = []): unknown {
    if (!isSchema(schema)) return undefined;
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      if (within.includes($ref)) return undefined;
      const name = $ref.replace('#/components/schemas/', '');
      return this.compose(this.#components[name], way, [...within, $ref]);
    }
    const own = ownExample(schema);
    if (own !== undefined) return own;
    const made = this.#composeParts(schema, way, within);
    return made === undefined && typesOf(schema).includes('null') ? null : made;
  }

  #composeParts(schema: Schema, way: 'sent' | 'received', within: readonly string[]): unknown {
    const [type] = typesOf(schema);
    if (type === 'boolean') return true;
    if (type === 'array') {
      const item = this.compose(schema['items'], way, within);
      return item === undefined ? undefined : [item];
    }
    if (type === 'object') return this.#composeObject(schema, way, within);
    const alternatives = [schema['anyOf'], schema['oneOf']].flat();
    for (const alternative of alternatives) {
      const example = this.compose(alternative, way, within);
      if (example !== undefined) return example;
    }
    return undefined;
  }

  #composeObject(schema: Schema, way: 'sent' | 'received', within: readonly string[]): unknown {
    if (!isSchema(schema['properties'])) return undefined;
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const example: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema['properties'])) {
      const value = this.compose(member, way, within);
      if (value !== undefined) example[name] = value;
      else if (way === 'received' || required.includes(name)) return undefined;
    }
    return example;
  }
}

function ownExample(schema: Schema): unknown {
  if (schema['example'] !== undefined) return schema['example'];
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  return schema['default'];
}

function typesOf(schema: Schema): unknown[] {
  return [schema['type']].flat();
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
