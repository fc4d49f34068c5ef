/** The parts of an asset that identify its project. */
export interface Placed {
  readonly name: string;
  /** From the project upwards: `projects/1`, `folders/2`, `organizations/3`. */
  readonly ancestors: readonly string[];
}

/** `projects/_` in bucket names stands for an unspecified project. */
const IN_NAME = /^\/\/[^/]+\/((?:projects|folders|organizations|billingAccounts)\/(?!_\/)[^/]+)/;

/**
 * All references of an asset to the container that it is in (project, folder, organization or billing account): its
 * ancestors contain a project's number, its full resource name usually the id. Only the nearest container.
 */
export function containersOf({ name, ancestors }: Placed): readonly string[] {
  const byName = IN_NAME.exec(name)?.[1];
  const [byAncestor] = ancestors;
  if (byName === undefined) return byAncestor === undefined ? [] : [byAncestor];
  if (byAncestor === undefined || byAncestor === byName) return [byName];
  return kindOf(byName) === kindOf(byAncestor) ? [byAncestor, byName] : [byAncestor];
}

/**
 * The project of an asset, by number, by id or by both if both are present: `projects/123 projects/shop-prod`. Null for
 * an asset outside of projects.
 */
export function projectOf(asset: Placed): string | null {
  const containers = containersOf(asset);
  return containers[0]?.startsWith('projects/') === true ? containers.join(' ') : null;
}

function kindOf(container: string): string {
  return container.slice(0, container.indexOf('/'));
}
