import type { Asset } from './inventory/normalise.ts';
import { projectsOf } from './project.ts';
import { containersOf, type Placed } from './project-reference.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

/**
 * A canonical reference to a resource: from its full resource name
 * `//compute.googleapis.com/projects/p/global/networks/n`, from a URL with any host and API version, or from a path,
 * which may omit the project.
 *
 * @param owner the asset that contains the reference; an omitted project is the owner's
 */
export function canonicalReference(reference: string, owner: Placed, snapshot: Snapshot): string {
  const path = pathOf(reference);
  const inProject = /^(projects\/[^/]+)(\/[\s\S]*)?$/.exec(path);
  const projects = snapshot.derive(projectsOf);
  if (inProject?.[1] !== undefined) {
    return `${projects.canonical(inProject[1])} ${inProject[2] ?? ''}`;
  }
  const own = projects.of(owner)?.asset.name ?? containersOf(owner)[0] ?? '';
  return `${own} /${path}`;
}

const PROJECTS = 'projects/';

/** The path after the host and the API version; starts at the first `projects/` if there is one. */
function pathOf(reference: string): string {
  if (reference.startsWith(PROJECTS)) return reference;
  const inProject = reference.indexOf(`/${PROJECTS}`);
  if (inProject !== -1) return reference.slice(inProject + 1);
  return reference.replace(/^(?:https?:)?\/\/[^/]+\//, '').replace(/^\/+/, '');
}

/** The reference assets that refer to other assets, by target. */
export class References {
  readonly #byTarget = new Map<string, Asset[]>();
  readonly #answers = new Map<
    (referenceAsset: Asset) => boolean,
    Map<string, boolean | UnknownValue>
  >();
  /** Why not all references are known: some of a planned resource are known only after apply. */
  #unknown: UnknownValue | null = null;
  /** Whether a reference asset was exported without content, so that it may refer to any asset. */
  readonly isIncomplete: boolean;

  /** @param targets returns the references in a reference asset */
  constructor(
    snapshot: Snapshot,
    types: readonly string[],
    targets: (referenceAsset: Asset) => readonly string[],
  ) {
    const referenceAssets = types.flatMap((type) => snapshot.of(type));
    this.isIncomplete = referenceAssets.some(({ data }) => data === null);
    for (const referenceAsset of referenceAssets) {
      for (const target of this.#unlessUnknown(() => targets(referenceAsset))) {
        const key = canonicalReference(target, referenceAsset, snapshot);
        const others = this.#byTarget.get(key);
        if (others === undefined) this.#byTarget.set(key, [referenceAsset]);
        else others.push(referenceAsset);
      }
    }
  }

  /**
   * Whether a reference asset that refers to the asset of this canonical reference matches. Reference assets of one
   * target are evaluated once, regardless of how many assets share the reference.
   *
   * @param isAsAskedFor must live as long as the program, such as a function declared in a module
   * @throws UnknownValue if none is known to match, and one may
   */
  some(reference: string, isAsAskedFor: (referenceAsset: Asset) => boolean = isAny): boolean {
    const answer = this.#answer(reference, isAsAskedFor);
    if (answer === true) return true;
    if (answer instanceof UnknownValue) throw answer;
    if (this.#unknown !== null) throw this.#unknown;
    return false;
  }

  #answer(
    reference: string,
    isAsAskedFor: (referenceAsset: Asset) => boolean,
  ): boolean | UnknownValue {
    const referenceAssets = this.#byTarget.get(reference);
    if (referenceAssets === undefined) return false;
    let answers = this.#answers.get(isAsAskedFor);
    if (answers === undefined) {
      answers = new Map();
      this.#answers.set(isAsAskedFor, answers);
    }
    const known = answers.get(reference);
    if (known !== undefined) return known;
    const answer = knownOrNot(() => someKnown(referenceAssets, isAsAskedFor));
    answers.set(reference, answer);
    return answer;
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

function isAny(): boolean {
  return true;
}

/**
 * Memoises what is read of a reference asset, which many assets may share: its size must not count for each of them.
 *
 * @param read depends only on the object
 * @throws UnknownValue as `read` does
 */
export function readOnce<K extends object, T>(read: (object: K) => T): (object: K) => T {
  const results = new WeakMap<K, { readonly value: T | UnknownValue }>();
  return (object) => {
    let result = results.get(object);
    if (result === undefined) {
      result = { value: knownOrNot(() => read(object)) };
      results.set(object, result);
    }
    return certain(result.value);
  };
}

/** @throws UnknownValue if the value is known only after apply */
export function certain<T>(value: T | UnknownValue): T {
  if (value instanceof UnknownValue) throw value;
  return value;
}

/** The value, or the reason why it is known only after apply. */
export function knownOrNot<T>(read: () => T): T | UnknownValue {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownValue) return error;
    throw error;
  }
}

/**
 * As `list.some(is)`, for a list in which some values are known only after apply: one known match is enough, wherever
 * it is.
 *
 * @throws UnknownValue if none is known to match, and one may
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
