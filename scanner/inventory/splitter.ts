/** The bytes of one record. A view of reused memory, valid until the next record is requested. */
export interface RawRecord {
  /** The physical line on which the record begins, counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
}

/** Splits a byte stream into records, buffering at most one incomplete record. */
export interface RecordSplitter {
  /** The current physical line, counted from 1. */
  readonly line: number;
  /** The records that end in `chunk`. @throws InventoryError */
  push(chunk: Buffer): Iterable<RawRecord>;
  /** The record that the end of the stream completes, if any. @throws InventoryError */
  end(): Iterable<RawRecord>;
}
