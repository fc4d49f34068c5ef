type Node = Record<string, unknown>;

/**
 * A named schema or null, and an enum with null, written as `anyOf` with `type: 'null'`. zod-to-openapi (9.1) writes
 * the first as `allOf` with a nullable type, which null never satisfies, and puts null among the values of an enum,
 * which many generators do not accept.
 */
export function withNullAsType<T>(node: T): T {
  return rewrite(node) as T;
}

function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(nullableEnum(node as Node) ?? node).map(
    ([key, value]): [string, unknown] => {
      const reference = key === 'allOf' ? nullableReference(value) : undefined;
      return reference ? ['anyOf', [reference, { type: 'null' }]] : [key, rewrite(value)];
    },
  );
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

function nullableEnum({ type, enum: values, ...others }: Node): Node | undefined {
  if (!Array.isArray(values) || !Array.isArray(type) || !values.includes(null)) return undefined;
  const [kind] = type.filter((name) => name !== 'null');
  const strings = { type: kind, enum: values.filter((value) => value !== null) };
  return { anyOf: [strings, { type: 'null' }], ...others };
}
