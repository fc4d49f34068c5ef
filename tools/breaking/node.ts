/** A part of a document of unknown shape. */
export type Node = Readonly<Record<string, unknown>>;

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Node)
    : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/**
 * Resolves a reference within the document; returns anything else unchanged.
 * @throws {Error} for a reference to another document, to nothing, or in a cycle.
 */
export function resolve(document: Node, value: unknown): Node {
  let found: unknown = value;
  for (const seen = new Set<string>(); ; ) {
    const { $ref } = node(found);
    if (typeof $ref !== 'string') return node(found);
    if (seen.has($ref) || !$ref.startsWith('#/'))
      throw new Error(`Reference ${$ref} has no target.`);
    seen.add($ref);
    const steps = $ref
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step));
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    found = names.reduce<unknown>((current, name) => node(current)[name], document);
    if (found === undefined) throw new Error(`Reference ${$ref} has no target.`);
  }
}
