import { AssetBounds } from './asset-bounds.ts';
import type { ContentKind } from './envelope.ts';
import { InventoryError } from './inventory-error.ts';
import { INVENTORY_LIMITS } from './limits.ts';
import type { MergeWarning } from './merge.ts';
import { assetsIn, type PartitionAsset } from './partition-merge.ts';
import type { InventoryRecord } from './record.ts';
import { type HashSeed, randomSeed, seededHash } from './seeded-hash.ts';
import { Spill } from './spill.ts';
import { assetKey, partsOf } from './stored-record.ts';

/** One asset, merged from all its records in the export, as JSON on one line. */
export class MergedAsset {
  readonly name: string;
  readonly type: string;
  /** Where the resource is, in lower case. */
  readonly location: string | null;
  /** The kinds of content of all its records. */
  readonly kinds: readonly ContentKind[];
  /** The JSON in UTF-8. A view: keeping it may keep several megabytes alive. */
  readonly bytes: Buffer;

  constructor({ records, bytes }: PartitionAsset) {
    this.name = records[0].name;
    this.type = records[0].type;
    this.location = records.find(({ location }) => location !== null)?.location ?? null;
    this.kinds =
      records.length === 1
        ? records[0].kinds
        : [...new Set(records.flatMap((record) => record.kinds))];
    this.bytes = bytes;
  }

  /** The JSON, decoded at each access. */
  get text(): string {
    return this.bytes.toString('utf8');
  }
}

export interface IntakeOptions {
  /** Number of bytes held in memory before writing to disk. */
  readonly heldBytes?: number;
  /**
   * Determines the order of the assets. For inventories from untrusted sources it must be secret. Default: `randomSeed()`.
   */
  readonly seed?: HashSeed;
}

const PARTITIONS = 256;
const HELD_BYTES = 4 * 1024 * 1024;
const REMEMBERED_ASSETS = 4_096;
const UNREADABLE_POLICY =
  'The IAM policy of this record is not in the form of the API: bindings must be a list of objects whose members are a list of strings. Rules on it do not pass.';
const UNREADABLE_DATA =
  'The data of the resource is not a JSON object, so it counts as absent. Export the resource as the Cloud Asset API writes it.';

/** The contents of an inventory. */
export interface IntakeSummary {
  readonly assets: number;
  /** Sorted by the number of assets, largest first. */
  readonly assetTypes: readonly { readonly type: string; readonly count: number }[];
  /** The warnings of the first lines. */
  readonly warnings: readonly MergeWarning[];
  /** Total number. */
  readonly warningCount: number;
}

/**
 * Groups the records of each asset, wherever they are in the export, in constant memory: records are partitioned by a
 * hash of type and name, and each partition is merged separately at the end. What does not fit into memory is written
 * to disk. The limits are INVENTORY_LIMITS.
 */
export class Intake {
  readonly #spill: Spill;
  readonly #seed: HashSeed;
  readonly #partitionOf: (key: string) => number;
  readonly #bounds = new AssetBounds(REMEMBERED_ASSETS);
  readonly #types = new Set<string>();
  readonly #typeCounts = new Map<string, number>();
  readonly #ofRecords = new Warnings();
  #ofMerging = new Warnings();
  #assets = 0;

  constructor({ heldBytes = HELD_BYTES, seed = randomSeed() }: IntakeOptions = {}) {
    this.#spill = new Spill({ partitions: PARTITIONS, heldBytes });
    this.#seed = seed;
    const hash = seededHash(seed);
    this.#partitionOf = (key) => hash(key) % PARTITIONS;
  }

  /**
   * @throws {InventoryError} for a name that is too long, or when the record exceeds the limits of its asset or of
   * asset types; {ScratchError} when the disk is full.
   */
  async add(record: InventoryRecord): Promise<void> {
    checkName(record);
    this.#checkType(record);
    const key = assetKey(record);
    const parts = partsOf(record);
    if (record.hasUnreadablePolicy) {
      this.#ofRecords.add([{ line: record.line, message: UNREADABLE_POLICY }]);
    }
    if (record.hasUnreadableData) {
      this.#ofRecords.add([{ line: record.line, message: UNREADABLE_DATA }]);
    }
    this.#bounds.count(key, Buffer.byteLength(record.text), record.line);
    await this.#spill.add(this.#partitionOf(key), parts);
  }

  /**
   * The assets, once each, after the last record. May be iterated several times.
   * @throws {InventoryError} for an asset over a limit; {ScratchError}
   */
  async *assets(): AsyncGenerator<MergedAsset, void, undefined> {
    this.#typeCounts.clear();
    this.#ofMerging = new Warnings();
    this.#assets = 0;
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      for await (const group of assetsIn(this.#spill, partition, this.#seed)) {
        for (const merged of group) {
          this.#ofMerging.add(merged.warnings);
          const asset = new MergedAsset(merged);
          this.#typeCounts.set(asset.type, (this.#typeCounts.get(asset.type) ?? 0) + 1);
          this.#assets += 1;
          yield asset;
        }
      }
    }
  }

  /** The result, after the last asset. */
  summary(): IntakeSummary {
    return {
      assets: this.#assets,
      assetTypes: [...this.#typeCounts]
        .map(([type, count]) => ({ type, count }))
        .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
      warnings: firstOf([...this.#ofRecords.first, ...this.#ofMerging.first]),
      warningCount: this.#ofRecords.count + this.#ofMerging.count,
    };
  }

  #checkType({ line, type }: InventoryRecord): void {
    if (this.#types.has(type)) return;
    if (this.#types.size >= INVENTORY_LIMITS.assetTypes) {
      throw new InventoryError(
        'malformed',
        line,
        `The inventory has more than ${INVENTORY_LIMITS.assetTypes} asset types, which is the limit. Does "asset_type" contain names?`,
      );
    }
    this.#types.add(type);
  }

  /** Deletes the data on disk. */
  async close(): Promise<void> {
    await this.#spill.close();
  }
}

/** The warnings of the first lines, in any order, in bounded memory. */
class Warnings {
  #first: MergeWarning[] = [];
  #count = 0;

  get first(): readonly MergeWarning[] {
    return this.#first;
  }

  /** Total number. */
  get count(): number {
    return this.#count;
  }

  add(warnings: readonly MergeWarning[]): void {
    this.#count += warnings.length;
    this.#first.push(...warnings.slice(0, INVENTORY_LIMITS.warnings));
    if (this.#first.length > 4 * INVENTORY_LIMITS.warnings) this.#first = firstOf(this.#first);
  }
}

function checkName(record: InventoryRecord): void {
  if (!isNameTooLong(record)) return;
  throw new InventoryError(
    'malformed',
    record.line,
    `The name and the asset type together have more than ${INVENTORY_LIMITS.nameBytes} bytes.`,
  );
}

/** Whether name and asset type together exceed the limit of an upload. */
export function isNameTooLong({ name, type }: Pick<InventoryRecord, 'name' | 'type'>): boolean {
  return Buffer.byteLength(name) + Buffer.byteLength(type) > INVENTORY_LIMITS.nameBytes;
}

function firstOf(warnings: readonly MergeWarning[]): MergeWarning[] {
  return warnings.toSorted((a, b) => a.line - b.line).slice(0, INVENTORY_LIMITS.warnings);
}
