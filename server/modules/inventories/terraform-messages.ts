import type { InventoryRecord } from '@cspm/scanner';

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
    }
  /** The parts of an `InventoryError`. */
  | {
      readonly kind: 'refused';
      readonly code: 'malformed' | 'too_large';
      readonly line: number;
      readonly message: string;
    };
