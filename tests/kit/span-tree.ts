/** The members of a span that determine its place in a trace. */
export interface Placed {
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly startedAt: bigint;
}

/** The spans below one, as indented lines of kind and name, ordered by start time. */
export function treeBelow(spans: readonly Placed[], parentId: string | null, depth = 0): string[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .flatMap((span) => [
      `${'  '.repeat(depth)}${span.kind} ${span.name}`,
      ...treeBelow(spans, span.spanId, depth + 1),
    ]);
}
