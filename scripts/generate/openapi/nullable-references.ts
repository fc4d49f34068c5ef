type Node = Record<string, unknown>;

/**
 * A named schema or null, written as one of two. zod-to-openapi (9.1) writes that both hold, the name and a type that may
 * be null, which no null fulfils.
 */
export function withNullableReferences<T>(node: T): T {
  return rewrite(node) as T;
}

function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    const reference = key === 'allOf' ? nullableReference(value) : undefined;
    return reference ? ['anyOf', [reference, { type: 'null' }]] : [key, rewrite(value)];
  });
  return Object.fromEntries(entries);
}

function nullableReference(allOf: unknown): Node | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 2) return undefined;
  const [reference, other]: Node[] = allOf;
  const isNullable = Array.isArray(other?.['type']) && other['type'].includes('null');
  return isNullable && Object.keys(other).length === 1 && '$ref' in (reference ?? {})
    ? reference
    : undefined;
}
