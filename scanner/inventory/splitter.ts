/** The bytes of one record. They are a view of memory that is used again: good until the next one is asked for. */
export interface RawRecord {
  /** The physical line on which the record begins, counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into records, holding back at most one that is incomplete. */
export interface RecordSplitter {
  /** The physical line reached, counted from 1. */
  readonly line: number;
  /** The records that end in `chunk`. @throws InventoryError */
  push(chunk: Buffer): Iterable<RawRecord>;
  /** The record that the end of the stream completes, if any. @throws InventoryError */
  end(): Iterable<RawRecord>;
}
