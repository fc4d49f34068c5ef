import type { ContentKind } from './inventory/envelope.ts';
import { type Asset, parseAsset } from './inventory/normalise.ts';

/** The contents of a snapshot, which ingestion collects while it reads the inventory. */
export interface SnapshotContent {
  /** Number of merged assets of each type. */
  readonly assetTypes: ReadonlyMap<string, number>;
  /** The results of `referenceAssetOf` for its assets, in any order. */
  readonly referenceAssets?: Iterable<string>;
  /**
   * The distinct values of `project` in its records, so a project without reference assets is known too. A limited
   * number is enough, such as the first 1,000.
   */
  readonly projects?: Iterable<string>;
  /**
   * The kinds of content that the source of the inventory refused to show, so that their absence proves nothing. None by
   * default: an export does not tell.
   */
  readonly refusedKinds?: readonly ContentKind[];
}

/**
 * What rules know besides the evaluated asset: the exported types, and the reference assets. Created once per scan of
 * an inventory and read-only, so derived data can be cached.
 */
export class Snapshot {
  readonly assetTypes: ReadonlyMap<string, number>;
  /** References to projects in assets, as `projectOf` writes them. */
  readonly projects: readonly string[];
  readonly #refusedKinds: readonly ContentKind[];
  readonly #referenceAssets = new Map<string, string[]>();
  readonly #derived = new Map<unknown, unknown>();

  constructor({
    assetTypes,
    referenceAssets = [],
    projects = [],
    refusedKinds = [],
  }: SnapshotContent) {
    this.assetTypes = assetTypes;
    this.#refusedKinds = refusedKinds;
    this.projects = [...projects];
    for (const referenceAsset of referenceAssets) {
      const { type } = parseAsset(referenceAsset);
      const alike = this.#referenceAssets.get(type);
      if (alike === undefined) this.#referenceAssets.set(type, [referenceAsset]);
      else alike.push(referenceAsset);
    }
  }

  /** Whether the source of the inventory refused to show this kind of content. */
  isRefused(kind: ContentKind): boolean {
    return this.#refusedKinds.includes(kind);
  }

  /** The types that have reference assets. */
  get referenceAssetTypes(): readonly string[] {
    return [...this.#referenceAssets.keys()];
  }

  /** The reference assets of a type, parsed at each call; use `derive` to cache results. */
  of(type: string): readonly Asset[] {
    return [...this.each(type)];
  }

  /** Like `of`, but lazily, for types with many reference assets. */
  *each(type: string): Generator<Asset, void, undefined> {
    for (const referenceAsset of this.#referenceAssets.get(type) ?? [])
      yield parseAsset(referenceAsset);
  }

  /**
   * Memoises `make` for this snapshot, so a rule that evaluates a million assets builds its table once.
   *
   * @param make a function that lives as long as the program, such as one declared in a module; its result must depend
   * on the snapshot alone
   */
  derive<T>(make: (snapshot: Snapshot) => T): T {
    const derived = this.#derived;
    if (!derived.has(make)) derived.set(make, make(this));
    // The value under `make` is always its own result.
    return derived.get(make) as T;
  }
}
