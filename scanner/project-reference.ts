/** The parts of an asset that tell whose it is. */
export interface Placed {
  readonly name: string;
  /** From the project outwards: `projects/1`, `folders/2`, `organizations/3`. */
  readonly ancestors: readonly string[];
}

/** `projects/_` is how names of buckets say that they say nothing. */
const IN_NAME = /^\/\/[^/]+\/((?:projects|folders|organizations|billingAccounts)\/(?!_\/)[^/]+)/;

/**
 * The project, folder, organisation or billing account in which an asset lies, by each of the names that it gives it: its ancestors
 * have the number of a project, its full resource name mostly the id. The nearest one only.
 */
export function containersOf({ name, ancestors }: Placed): readonly string[] {
  const byName = IN_NAME.exec(name)?.[1];
  const [byAncestor] = ancestors;
  if (byName === undefined) return byAncestor === undefined ? [] : [byAncestor];
  if (byAncestor === undefined || byAncestor === byName) return [byName];
  return kindOf(byName) === kindOf(byAncestor) ? [byAncestor, byName] : [byAncestor];
}

/**
 * The project of an asset, by number, by id or by both where it gives both: `projects/123 projects/shop-prod`. Null for
 * an asset of a folder, of an organisation, or of nobody it knows.
 */
export function projectOf(asset: Placed): string | null {
  const containers = containersOf(asset);
  return containers[0]?.startsWith('projects/') === true ? containers.join(' ') : null;
}

function kindOf(container: string): string {
  return container.slice(0, container.indexOf('/'));
}
