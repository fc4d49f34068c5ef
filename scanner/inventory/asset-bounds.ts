import { InventoryError } from './inventory-error.ts';
import { INVENTORY_LIMITS } from './limits.ts';

interface Sum {
  records: number;
  bytes: number;
}

/**
 * Refuses an asset with too many records or bytes. It tracks a limited number of assets and then starts over, so its
 * memory is bounded. It never refuses an asset within the limit, and it refuses an asset that fills much of an inventory
 * during the upload.
 */
export class AssetBounds {
  readonly #assets = new Map<string, Sum>();
  readonly #remembered: number;

  /** @param remembered how many assets are tracked; Infinity if they are known to be few */
  constructor(remembered: number) {
    this.#remembered = remembered;
  }

  /** Counts one record. @throws {InventoryError} `too_large`, with its line */
  count(key: string, bytes: number, line: number): void {
    let sum = this.#assets.get(key);
    if (sum === undefined) {
      if (this.#assets.size >= this.#remembered) this.#assets.clear();
      sum = { records: 0, bytes: 0 };
      this.#assets.set(key, sum);
    }
    sum.records += 1;
    sum.bytes += bytes;
    if (sum.records > INVENTORY_LIMITS.assetRecords) {
      throw new InventoryError(
        'too_large',
        line,
        `More than ${INVENTORY_LIMITS.assetRecords} records describe the asset of this record. Upload one export at a time.`,
      );
    }
    if (sum.bytes > INVENTORY_LIMITS.assetBytes) {
      throw new InventoryError(
        'too_large',
        line,
        `The records of the asset of this record have more than ${INVENTORY_LIMITS.assetBytes} bytes in total. Upload one export at a time.`,
      );
    }
  }
}
