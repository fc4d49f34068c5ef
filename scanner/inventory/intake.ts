import type { ContentKind } from './envelope.ts';
import { InventoryError } from './inventory-error.ts';
import { type MergeWarning, mergeRecords } from './merge.ts';
import type { InventoryRecord } from './record.ts';
import { Spill } from './spill.ts';

/** One asset, merged from all that the export says of it, as JSON on one line. */
export interface MergedAsset {
  readonly type: string;
  /** What is said of it, in all of its records. */
  readonly kinds: readonly ContentKind[];
  readonly text: string;
}

export interface IntakeOptions {
  /** Text that is held in memory before it goes to disk, in characters. */
  readonly heldCharacters: number;
}

const PARTITIONS = 256;
/** Names are part of index keys in the database, which have a bound. */
const MAX_NAME_BYTES = 1_500;
const MAX_WARNINGS = 100;

/**
 * Brings the records of one asset together, wherever they stand in the export, in constant memory: records are dealt out
 * by a hash of type and name, and each part is merged by itself at the end. What does not fit into memory waits on disk.
 */
export class Intake {
  readonly #spill: Spill;
  readonly #typeCounts = new Map<string, number>();
  #warnings: MergeWarning[] = [];
  #assets = 0;

  constructor(options: IntakeOptions = { heldCharacters: 8 * 1024 * 1024 }) {
    this.#spill = new Spill({ partitions: PARTITIONS, heldCharacters: options.heldCharacters });
  }

  /** @throws {InventoryError} for a name that is too long to be kept. */
  async add(record: InventoryRecord): Promise<void> {
    if (Buffer.byteLength(record.name) + Buffer.byteLength(record.type) > MAX_NAME_BYTES) {
      throw new InventoryError(
        'malformed',
        record.line,
        `name and asset type have more than ${MAX_NAME_BYTES} bytes`,
      );
    }
    await this.#spill.add(partitionOf(record), lineOf(record));
  }

  /** The assets, once each, after the last record. */
  async *assets(): AsyncGenerator<MergedAsset> {
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const lines = await this.#spill.read(partition);
      for (const records of byAsset(lines.map(recordFrom))) {
        const { text, warnings } = mergeRecords(records);
        this.#warn(warnings);
        const type = records[0]?.type ?? '';
        this.#typeCounts.set(type, (this.#typeCounts.get(type) ?? 0) + 1);
        this.#assets += 1;
        const kinds = new Set(records.flatMap((record) => record.kinds));
        yield { type, kinds: [...kinds], text };
      }
    }
  }

  /** What was found, after the last asset. */
  summary() {
    return {
      assets: this.#assets,
      assetTypes: [...this.#typeCounts]
        .map(([type, count]) => ({ type, count }))
        .sort((a, b) => (a.type < b.type ? -1 : 1)),
      warnings: firstOf(this.#warnings),
    };
  }

  /** Keeps the first ones of the file; they do not come in its order. */
  #warn(warnings: readonly MergeWarning[]): void {
    this.#warnings.push(...warnings.slice(0, MAX_WARNINGS));
    if (this.#warnings.length > 2 * MAX_WARNINGS) this.#warnings = firstOf(this.#warnings);
  }

  /** Removes what waits on disk. */
  async close(): Promise<void> {
    await this.#spill.close();
  }
}

function firstOf(warnings: readonly MergeWarning[]): MergeWarning[] {
  return warnings.toSorted((a, b) => a.line - b.line).slice(0, MAX_WARNINGS);
}

/** The records of each asset, in the order of their lines. */
function byAsset(records: readonly InventoryRecord[]): Iterable<InventoryRecord[]> {
  const assets = new Map<string, InventoryRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    const same = assets.get(key);
    if (same === undefined) assets.set(key, [record]);
    else same.push(record);
  }
  return assets.values();
}

/** JSON writes a tab within a string as \t, so the first raw tab of a line ends its head. */
function lineOf(record: InventoryRecord): string {
  const { line, name, type, kinds, updateTime, project } = record;
  return `${JSON.stringify([line, name, type, kinds, updateTime, project])}\t${record.text}`;
}

function recordFrom(text: string): InventoryRecord {
  const tab = text.indexOf('\t');
  const [line, name, type, kinds, updateTime, project] = JSON.parse(text.slice(0, tab));
  return { line, name, type, kinds, updateTime, project, text: text.slice(tab + 1) };
}

function keyOf(record: InventoryRecord): string {
  return `${record.type}\0${record.name}`;
}

/** FNV-1a over the UTF-16 code units: quick, and even enough to deal assets out by. */
function partitionOf(record: InventoryRecord): number {
  const key = keyOf(record);
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % PARTITIONS;
}
