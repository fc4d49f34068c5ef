import type { Asset } from './inventory/normalise.ts';
import { projectsOf } from './project.ts';
import { containersOf, type Placed } from './project-reference.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

/**
 * The same text for the same resource, however it is referred to: by its full resource name
 * `//compute.googleapis.com/projects/p/global/networks/n`, by a URL of any host and version of the API, or by a path,
 * which may leave out the project.
 *
 * @param owner the asset that holds the reference; what leaves out the project is in its own
 */
export function canonicalReference(reference: string, owner: Placed, snapshot: Snapshot): string {
  const path = pathOf(reference);
  const inProject = /^(projects\/[^/]+)(\/.*)?$/.exec(path);
  const projects = snapshot.derive(projectsOf);
  if (inProject?.[1] !== undefined) {
    return `${projects.canonical(inProject[1])} ${inProject[2] ?? ''}`;
  }
  const own = projects.of(owner)?.asset.name ?? containersOf(owner)[0] ?? '';
  return `${own} /${path}`;
}

/** What follows the host and the version of the API; from the first `projects/` on where there is one. */
function pathOf(reference: string): string {
  const inProject = /(?:^|\/)(projects\/.*)$/.exec(reference)?.[1];
  return inProject ?? reference.replace(/^(?:https?:)?\/\/[^/]+\//, '').replace(/^\/+/, '');
}

/** The landmarks that refer to other assets, by what they refer to. */
export class References {
  readonly #byTarget = new Map<string, Asset[]>();
  /** Why not all references are known: some of a planned resource are not, yet. */
  #unknown: UnknownValue | null = null;

  /** @param targets the references that a landmark holds */
  constructor(
    snapshot: Snapshot,
    types: readonly string[],
    targets: (landmark: Asset) => readonly string[],
  ) {
    for (const landmark of types.flatMap((type) => snapshot.of(type))) {
      for (const target of this.#unlessUnknown(() => targets(landmark))) {
        const key = canonicalReference(target, landmark, snapshot);
        const others = this.#byTarget.get(key);
        if (others === undefined) this.#byTarget.set(key, [landmark]);
        else others.push(landmark);
      }
    }
  }

  /**
   * Whether a landmark that refers to the asset of this canonical reference is as asked for.
   *
   * @throws UnknownValue where none is known to be, and one may be
   */
  some(reference: string, isAsAskedFor: (landmark: Asset) => boolean = () => true): boolean {
    if (someKnown(this.#byTarget.get(reference) ?? [], isAsAskedFor)) return true;
    if (this.#unknown !== null) throw this.#unknown;
    return false;
  }

  #unlessUnknown(targets: () => readonly string[]): readonly string[] {
    try {
      return targets();
    } catch (error) {
      if (!(error instanceof UnknownValue)) throw error;
      this.#unknown ??= error;
      return [];
    }
  }
}

/**
 * As `list.some(is)`, for a list in which some have values that nobody knows yet: one that is known to be as asked for
 * settles it, wherever it stands.
 *
 * @throws UnknownValue where none is known to be, and one may be
 */
export function someKnown<T>(list: readonly T[], is: (one: T) => boolean): boolean {
  let unknown: UnknownValue | null = null;
  for (const one of list) {
    try {
      if (is(one)) return true;
    } catch (error) {
      if (!(error instanceof UnknownValue)) throw error;
      unknown ??= error;
    }
  }
  if (unknown !== null) throw unknown;
  return false;
}
