import { knownDestinationBucketOf } from './facts/sink-destination.ts';
import { parseAsset } from './inventory/normalise.ts';
import { containersOf } from './project-reference.ts';
import { isReferenceAssetType, referenceAssetOf } from './reference-asset.ts';

const SINK = 'logging.googleapis.com/LogSink';
const BUCKET = 'storage.googleapis.com/Bucket';

/**
 * Selects the reference assets of an inventory while it is read. Of buckets, which may be a large part of an inventory,
 * only those are selected that a sink writes to, and those whose name contains a project.
 */
export class ReferenceSelection {
  readonly #destinations = new Set<string>();

  /** Notes a record. All records must be noted before the first call of `referenceAssetOf`. */
  note({ type, text }: { readonly type: string; readonly text: string }): void {
    if (type !== SINK) return;
    const bucket = knownDestinationBucketOf(parseAsset(text).data);
    if (bucket !== null) this.#destinations.add(bucket);
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
    const bucket = name.slice(name.lastIndexOf('/') + 1);
    return this.#destinations.has(bucket) || containersOf({ name, ancestors: [] }).length > 0;
  }
}
