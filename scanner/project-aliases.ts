/** What is known about one project from all of its references. */
export interface ProjectAlias {
  /** Folders and organizations above it; empty if unknown. */
  readonly above: Set<string>;
  /** Whether an asset lists its ancestors, so that none are missing in `above`. */
  isPlaced: boolean;
  /** Its reference by number, such as `projects/123`; the smallest text if the inventory has several. */
  readonly number: string | null;
  /** Its reference by id, such as `projects/shop`; the smallest text if there are several. */
  readonly id: string | null;
  /** The asset of Resource Manager; the smallest name if there are several, so their order does not matter. */
  resourceManagerName: string | null;
  /** The asset of Compute Engine; likewise the smallest name. */
  computeName: string | null;
}

/** A node of the union-find structure; `mergedInto` leads to the root, which holds the data. */
interface AliasSet extends ProjectAlias {
  mergedInto: AliasSet | null;
  above: Set<string>;
  /** How many references were merged. */
  size: number;
  number: string | null;
  id: string | null;
}

/**
 * Finds references to the same project: a union-find structure with path compression and union by size. An inventory
 * may merge any number of references in any order; each costs nearly constant time.
 */
export class ProjectAliases {
  readonly #byReference = new Map<string, AliasSet>();

  /**
   * Records that these references mean one project.
   *
   * @returns its data; valid until the next call
   */
  join(references: readonly string[]): ProjectAlias {
    let whole: AliasSet | undefined;
    for (const reference of references) {
      const one = this.#find(reference) ?? this.#add(reference);
      whole = whole === undefined ? one : merged(whole, one);
    }
    return whole ?? aliasSet();
  }

  /** The project of a reference; undefined if it was never recorded. */
  find(reference: string): ProjectAlias | undefined {
    return this.#find(reference);
  }

  /** Each project once, in the order of their first references. */
  all(): Set<ProjectAlias> {
    const all = new Set<ProjectAlias>();
    for (const one of this.#byReference.values()) all.add(rootOf(one));
    return all;
  }

  /** If exactly one project has only a number and exactly one has only an id, they are the same. */
  pairTheLast(): void {
    const numbered: ProjectAlias[] = [];
    const named: ProjectAlias[] = [];
    for (const one of this.all()) {
      if (one.id === null) numbered.push(one);
      if (one.number === null) named.push(one);
    }
    if (numbered.length !== 1 || named.length !== 1) return;
    this.join([numbered[0]?.number, named[0]?.id].filter((one) => typeof one === 'string'));
  }

  #find(reference: string): AliasSet | undefined {
    const one = this.#byReference.get(reference);
    return one === undefined ? undefined : rootOf(one);
  }

  #add(reference: string): AliasSet {
    const one = aliasSet();
    one.size = 1;
    if (/^projects\/\d+$/.test(reference)) one.number = reference;
    else one.id = reference;
    this.#byReference.set(reference, one);
    return one;
  }
}

/** The smaller of two texts, each of which may be missing. */
export function smaller<T extends string | null>(a: string | null, b: T): string | T {
  return a !== null && (b === null || a < b) ? a : b;
}

function aliasSet(): AliasSet {
  return {
    mergedInto: null,
    above: new Set(),
    isPlaced: false,
    size: 0,
    number: null,
    id: null,
    resourceManagerName: null,
    computeName: null,
  };
}

function rootOf(one: AliasSet): AliasSet {
  let root = one;
  while (root.mergedInto !== null) root = root.mergedInto;
  for (let at = one; at.mergedInto !== null && at.mergedInto !== root; ) {
    const next: AliasSet = at.mergedInto;
    at.mergedInto = root;
    at = next;
  }
  return root;
}

/** Merges the smaller set into the larger one, including the containers above. */
function merged(a: AliasSet, b: AliasSet): AliasSet {
  if (a === b) return a;
  const [large, small] = a.size >= b.size ? [a, b] : [b, a];
  small.mergedInto = large;
  large.size += small.size;
  if (small.above.size > large.above.size) {
    [large.above, small.above] = [small.above, large.above];
  }
  for (const one of small.above) large.above.add(one);
  small.above = new Set();
  large.isPlaced ||= small.isPlaced;
  large.number = smaller(large.number, small.number);
  large.id = smaller(large.id, small.id);
  large.resourceManagerName = smaller(large.resourceManagerName, small.resourceManagerName);
  large.computeName = smaller(large.computeName, small.computeName);
  return large;
}
