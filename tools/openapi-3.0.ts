/** A JSON value, read member by member. */
type Json = unknown;
type JsonObject = { [member: string]: Json };

/** Maps of names to schemas, so their members are no keywords. */
const MAPS = new Set(['properties', 'patternProperties', 'schemas']);
/** What holds any value, and no schema. */
const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/**
 * The document in OpenAPI 3.0.3, for generators that know nothing newer, such as ogen and progenitor. It describes the
 * same requests and responses, except that 3.0 has no section for webhooks.
 */
export function toOpenApi30(document: JsonObject): JsonObject {
  const { webhooks: _, ...rest } = document;
  const { license, ...info } = rest['info'] as JsonObject;
  const { identifier: __, ...named } = (license ?? {}) as JsonObject;
  const result = converted(rest) as JsonObject;
  nameForOgen(result['components'] as Components);
  return {
    ...result,
    openapi: '3.0.3',
    info: { ...info, ...(license === undefined ? {} : { license: named }) },
  };
}

interface Components {
  readonly schemas?: Record<string, JsonObject>;
  readonly securitySchemes?: JsonObject;
}

/** ogen makes a type of each security scheme, too: `ApiKey` of `apiKey`. A schema of that name needs another one. */
function nameForOgen({ schemas = {}, securitySchemes = {} }: Components): void {
  for (const scheme of Object.keys(securitySchemes)) {
    const name = scheme.charAt(0).toUpperCase() + scheme.slice(1);
    const schema = schemas[name];
    if (schema !== undefined) schema['x-ogen-name'] = `${name}Details`;
  }
}

function converted(value: Json): Json {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  return ofKeywords(
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (VALUES.has(name)) return [name, member];
        if (MAPS.has(name) && isObject(member)) return [name, ofMembers(member)];
        return [name, converted(member)];
      }),
    ),
  );
}

function ofMembers(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, member]) => [name, converted(member)]));
}

/** Replaces what only 3.1 has: several types, the type `null`, `const`, and a list of examples. */
function ofKeywords({ examples, const: constant, ...schema }: JsonObject): JsonObject {
  const result: JsonObject = schema;
  // Outside of schemas, `examples` is a map and stays.
  if (Array.isArray(examples)) result['example'] = examples[0];
  else if (examples !== undefined) result['examples'] = examples;
  if (constant !== undefined) result['enum'] = [constant];
  if (Array.isArray(result['type'])) {
    const types = result['type'].filter((type) => type !== 'null');
    if (types.length < result['type'].length) result['nullable'] = true;
    delete result['type'];
    if (types.length === 1) result['type'] = types[0];
    else result['anyOf'] = types.map((type) => ({ type }));
  }
  return withoutNull(result);
}

function withoutNull({ anyOf, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return schema;
  const choices = anyOf.filter((choice) => !(isObject(choice) && choice['type'] === 'null'));
  const nullable = choices.length < anyOf.length ? { nullable: true } : {};
  // Siblings of a reference are ignored in 3.0, hence allOf.
  if (choices.length === 1) return { ...schema, ...nullable, allOf: choices };
  return { ...schema, ...nullable, anyOf: choices };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
