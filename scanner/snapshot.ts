import { type Asset, parseAsset } from './inventory/normalise.ts';

/** What a snapshot is made of; intake collects it while it reads the inventory. */
export interface SnapshotContent {
  /** How many merged assets of each type the inventory holds. */
  readonly assetTypes: ReadonlyMap<string, number>;
  /** What `landmarkOf` gave for its assets, in any order. */
  readonly landmarks?: Iterable<string>;
  /**
   * The distinct values of `project` of its records: so a project is known although only assets without landmarks are
   * there. A bounded number will do, say the first 1,000.
   */
  readonly projects?: Iterable<string>;
}

/**
 * What the rules of a scan may know besides the asset they look at: what types were exported, and the landmarks. One
 * scan of one inventory makes one; it is read only, so that what it holds can be worked out once.
 */
export class Snapshot {
  readonly assetTypes: ReadonlyMap<string, number>;
  /** References to projects that assets gave, as `projectOf` writes them. */
  readonly projects: readonly string[];
  readonly #landmarks = new Map<string, string[]>();
  readonly #derived = new Map<unknown, unknown>();

  constructor({ assetTypes, landmarks = [], projects = [] }: SnapshotContent) {
    this.assetTypes = assetTypes;
    this.projects = [...projects];
    for (const landmark of landmarks) {
      const { type } = parseAsset(landmark);
      const alike = this.#landmarks.get(type);
      if (alike === undefined) this.#landmarks.set(type, [landmark]);
      else alike.push(landmark);
    }
  }

  /** The types of which there are landmarks. */
  get landmarkTypes(): readonly string[] {
    return [...this.#landmarks.keys()];
  }

  /** The landmarks of a type, parsed anew each time: call it where `derive` keeps what is made of them. */
  of(type: string): readonly Asset[] {
    return [...this.each(type)];
  }

  /** As `of`, one at a time, for types of which there may be many. */
  *each(type: string): Generator<Asset, void, undefined> {
    for (const landmark of this.#landmarks.get(type) ?? []) yield parseAsset(landmark);
  }

  /**
   * What `make` makes of this snapshot, made once: so a rule that judges a million assets builds its table one time.
   *
   * @param make a function that lives as long as the program, such as one declared in a module; its result must not
   *   depend on anything else
   */
  derive<T>(make: (snapshot: Snapshot) => T): T {
    const derived = this.#derived;
    if (!derived.has(make)) derived.set(make, make(this));
    // The only thing ever stored under `make` is what it returned.
    return derived.get(make) as T;
  }
}
