import { list, type Node, node, resolve, texts } from './node.ts';

/** A schema within its document. */
export interface Placed {
  readonly document: Node;
  readonly schema: unknown;
}

/** What a schema says, in one form for the many ways in which JSON Schema can be written. */
export interface Facts {
  /** The node that it comes from: the same for the same schema, so that circles are seen. */
  readonly source: Node;
  readonly document: Node;
  /** JSON types but null; undefined: any. */
  readonly types: readonly string[] | undefined;
  readonly nullable: boolean;
  /** The values that there are, null left out; undefined: not enumerated. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: Node;
  readonly required: readonly string[];
  /** What is said of members beside the named ones: false, true, or their schema. */
  readonly others: unknown;
  readonly items: unknown;
  /** Two or more forms that the value may have; else empty. */
  readonly alternatives: readonly unknown[];
  /** Bounds, pattern, format and default, under their keywords. */
  readonly keywords: Node;
}

/** @throws {Error} for a reference that leads nowhere. */
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

/** A schema that speaks of members or items alone is meant for objects or lists. */
function impliedTypes(source: Node): readonly string[] | undefined {
  if (source['properties'] !== undefined) return ['object'];
  return source['items'] === undefined ? undefined : ['array'];
}

/** What two schemas say that both hold (`allOf`). Of what both say, the latter counts: descriptions are added so. */
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
