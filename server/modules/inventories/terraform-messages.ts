import type { InventoryRecord } from '@cspm/scanner';
import type { SkippedSummary } from './skipped-resources.ts';

/** One slice of the document, in order. */
export interface SliceRequest {
  readonly kind: 'slice';
  readonly data: Uint8Array;
}

/** Asks for the next batch of records. The first one ends the document. */
export interface NextRequest {
  readonly kind: 'next';
}

export type TerraformRequest = SliceRequest | NextRequest;

export type TerraformAnswer =
  | { readonly kind: 'taken' }
  | {
      readonly kind: 'records';
      readonly records: readonly InventoryRecord[];
      /** Whether this is the last batch. */
      readonly isLast: boolean;
      /** What the document contains besides the records; complete with the last batch. */
      readonly skipped: SkippedSummary;
    }
  /** The parts of an `InventoryError`. */
  | {
      readonly kind: 'refused';
      readonly code: 'malformed' | 'too_large';
      readonly line: number;
      readonly message: string;
    };
