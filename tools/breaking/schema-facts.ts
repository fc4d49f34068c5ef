import { list, type Node, node, resolve, texts } from './node.ts';

/** A schema within its document. */
export interface Placed {
  readonly document: Node;
  readonly schema: unknown;
}

/** The meaning of a schema in one normal form, since JSON Schema has many ways to write the same. */
export interface Facts {
  /** The node that it was read from, which identifies the schema, so that cycles are detected. */
  readonly source: Node;
  readonly document: Node;
  /** JSON types except null; undefined: any. */
  readonly types: readonly string[] | undefined;
  readonly nullable: boolean;
  /** The allowed values without null; undefined: not enumerated. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: Node;
  readonly required: readonly string[];
  /** The rule for members without a name: false, true, or their schema. */
  readonly others: unknown;
  readonly items: unknown;
  /** Two or more variants of the value; else empty. */
  readonly alternatives: readonly unknown[];
  /** Limits, pattern, format and default, by keyword. */
  readonly keywords: Node;
}

/** @throws {Error} for a reference that cannot be resolved. */
export function factsOf({ document, schema }: Placed): Facts {
  const source = resolve(document, schema);
  const parts = list(source['allOf']).map((part) => factsOf({ document, schema: part }));
  const own = ownFacts(document, source);
  return parts.reduce((whole, part) => both(whole, part), own);
}

function ownFacts(document: Node, source: Node): Facts {
  const forms = [...list(source['anyOf']), ...list(source['oneOf'])];
  const alternatives = forms.filter((form) => resolve(document, form)['type'] !== 'null');
  const orNull = alternatives.length < forms.length;
  const [only, ...more] = alternatives;
  if (only !== undefined && more.length === 0) {
    const facts = factsOf({ document, schema: only });
    return { ...facts, nullable: facts.nullable || orNull };
  }
  const types = [source['type']].flat().filter((type) => typeof type === 'string');
  const values = source['const'] === undefined ? source['enum'] : [source['const']];
  return {
    source,
    document,
    types: types.length === 0 ? impliedTypes(source) : types.filter((type) => type !== 'null'),
    nullable: orNull || types.includes('null'),
    values: Array.isArray(values) ? values.filter((value) => value !== null) : undefined,
    properties: node(source['properties']),
    required: texts(source['required']),
    others: source['additionalProperties'] ?? true,
    items: source['items'],
    alternatives,
    keywords: source,
  };
}

/** A schema with only members or items means objects or lists. */
function impliedTypes(source: Node): readonly string[] | undefined {
  if (source['properties'] !== undefined) return ['object'];
  return source['items'] === undefined ? undefined : ['array'];
}

/**
 * Merges two schemas that both apply (`allOf`). The latter takes precedence, because descriptions are added that way.
 */
function both(one: Facts, other: Facts): Facts {
  const keywords = Object.entries(other.keywords).filter(([key]) => key !== '$ref');
  return {
    source: one.source,
    document: one.document,
    types: other.types ?? one.types,
    nullable: other.types === undefined ? one.nullable : other.nullable,
    values: other.values ?? one.values,
    properties: { ...one.properties, ...other.properties },
    required: [...new Set([...one.required, ...other.required])],
    others: one.others === true ? other.others : one.others,
    items: other.items ?? one.items,
    alternatives: other.alternatives.length > 0 ? other.alternatives : one.alternatives,
    keywords: { ...one.keywords, ...Object.fromEntries(keywords) },
  };
}
