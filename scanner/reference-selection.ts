import { knownDestinationBucketOf } from './facts/sink-destination.ts';
import { parseAsset } from './inventory/normalise.ts';
import { containersOf } from './project-reference.ts';
import { isReferenceAssetType, referenceAssetOf } from './reference-asset.ts';

const SINK = 'logging.googleapis.com/LogSink';
const BUCKET = 'storage.googleapis.com/Bucket';

/** Memory for the names of buckets that sinks write to: their UTF-16 code units, and a fixed number for each entry. */
const DESTINATION_UNITS_MAX = 8 * 1024 * 1024;
const UNITS_AN_ENTRY = 64;

/**
 * Selects the reference assets of an inventory while it is read. Of buckets, which may be a large part of an inventory,
 * only those are selected that a sink writes to, and those whose name contains a project. If the sinks write to more
 * buckets than are remembered, every bucket is selected.
 */
export class ReferenceSelection {
  readonly #destinations = new Set<string>();
  #units = 0;

  /** Notes a record. All records must be noted before the first call of `referenceAssetOf`. */
  note({ type, text }: { readonly type: string; readonly text: string }): void {
    if (type !== SINK || this.#isOverfull) return;
    const bucket = knownDestinationBucketOf(parseAsset(text).data);
    if (bucket === null || this.#destinations.has(bucket)) return;
    this.#units += bucket.length + UNITS_AN_ENTRY;
    if (this.#isOverfull) this.#destinations.clear();
    // A copy: a part of the text would keep all of it in memory.
    else this.#destinations.add(Buffer.from(bucket).toString());
  }

  get #isOverfull(): boolean {
    return this.#units > DESTINATION_UNITS_MAX;
  }

  /**
   * @param asset with all its records merged
   * @returns null for an asset that no other depends on
   */
  referenceAssetOf(asset: {
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }): string | null {
    const { name, type } = asset;
    if (!isReferenceAssetType(type)) return null;
    if (type === BUCKET && !this.#isWantedBucket(name)) return null;
    return referenceAssetOf(parseAsset(asset.text));
  }

  #isWantedBucket(name: string): boolean {
    if (this.#isOverfull) return true;
    const bucket = name.slice(name.lastIndexOf('/') + 1);
    return this.#destinations.has(bucket) || containersOf({ name, ancestors: [] }).length > 0;
  }
}
