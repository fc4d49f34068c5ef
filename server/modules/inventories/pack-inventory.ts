import {
  type HashSeed,
  Intake,
  type IntakeSummary,
  type InventoryRecord,
  type MergedAsset,
  ReferenceSelection,
} from '@cspm/scanner';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { ContentsNotes, type NotedContents } from './contents.ts';

/** What is known of an inventory when all its chunks are packed. */
export interface PackedInventory {
  readonly summary: IntakeSummary;
  readonly contents: NotedContents;
}

/** An inventory that is being packed. */
export interface Packing {
  /**
   * Reads all records, then yields the chunks. Iterate once.
   * @throws {InventoryError} | {ScratchError} | {TooManyReferences} | what reading throws
   */
  chunks(): AsyncIterable<Chunk>;
  /** After the last chunk. */
  result(): PackedInventory;
  /** Ends it at any time, and deletes its temporary files. */
  close(): Promise<void>;
}

/** Packs an inventory in this process. */
export class PackingHere implements Packing {
  readonly #records: AsyncIterable<InventoryRecord>;
  readonly #intake: Intake;
  readonly #notes = new ContentsNotes();
  readonly #references = new ReferenceSelection();

  /** @param seed determines the order of the assets */
  constructor(records: AsyncIterable<InventoryRecord>, seed: HashSeed) {
    this.#records = records;
    this.#intake = new Intake({ seed });
  }

  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    await this.#receive();
    yield* chunksOf(this.#noted(), this.#references);
  }

  result(): PackedInventory {
    const summary = this.#intake.summary();
    return { summary, contents: { ...this.#notes.contents(), warnings: summary.warningCount } };
  }

  async close(): Promise<void> {
    await this.#intake.close();
  }

  /** Reads all records. */
  async #receive(): Promise<void> {
    const yielder = new EventLoopYielder();
    for await (const record of this.#records) {
      await this.#intake.add(record);
      // The record, of up to 4 MiB, was parsed before; that of a sink is parsed again.
      if (yielder.isDue) await yielder.yieldNow();
      this.#notes.record(record);
      this.#references.note(record);
      if (yielder.isDue) await yielder.yieldNow();
    }
  }

  async *#noted(): AsyncGenerator<MergedAsset> {
    for await (const asset of this.#intake.assets()) {
      this.#notes.asset(asset);
      yield asset;
    }
  }
}
