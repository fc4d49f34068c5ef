/** What is kept of the evaluation of a chunk, for look-ups and for later scans. */
export interface ChunkRecord {
  /** Packed by `VerdictPacker`. */
  readonly verdicts: Uint8Array;
  /** Null: a later scan must evaluate the chunk itself. */
  readonly repeatable: Repeatable | null;
}

/** What a later scan of the same inventory by the same rules writes instead of evaluating the chunk. */
export interface Repeatable {
  /** The SHA-256 fingerprints of its findings, one after the other. */
  readonly fingerprints: Uint8Array;
  /** Whether a rule gave no result for some asset. */
  readonly undecided: boolean;
  /** Until when the rules give the same results. Null: regardless of the time. */
  readonly sameUntil: Date | null;
}
