/** Reference assets are looked up by rules on other assets. A scan holds all of them in memory. */
export const REFERENCES_MAX = 100_000;
/** In UTF-16 code units of their stored data. */
export const REFERENCE_CHARACTERS_MAX = 48 * 1024 * 1024;

/** An inventory has more reference assets than a scan can hold. The message is for its sender. */
export class TooManyReferences extends Error {
  override readonly name = 'TooManyReferences';
}

/** Counts an inventory's reference assets and refuses more than a scan can hold. */
export class ReferenceBudget {
  #count = 0;
  #characters = 0;

  /** @throws {TooManyReferences} */
  spend(type: string, referenceAsset: string): void {
    this.#count += 1;
    this.#characters += referenceAsset.length;
    if (this.#count > REFERENCES_MAX) throw refused(`${REFERENCES_MAX} of them`, type);
    if (this.#characters > REFERENCE_CHARACTERS_MAX) {
      throw refused(`${REFERENCE_CHARACTERS_MAX / 1024 ** 2} MiB of them`, type);
    }
  }
}

function refused(bound: string, type: string): TooManyReferences {
  return new TooManyReferences(
    `The inventory has too many assets that rules look up, such as projects, folders, log metrics, sinks and the buckets that sinks write to: more than ${bound}. The last one has the type ${type.slice(0, 100)}. Split the export into several projects.`,
  );
}
