/** The members that a change gives another value. A list or an object counts as a whole. */
export function changesOf<Content extends object>(
  before: Content,
  after: Content,
): Partial<Content> {
  const names = Object.keys(after) as (keyof Content)[];
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Content>;
}
