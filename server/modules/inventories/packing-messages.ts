import type { Chunk } from './chunks.ts';
import type { PackedInventory } from './pack-inventory.ts';

/** The first request. The bytes of the inventory come over standard input. */
export interface OpenPackingRequest {
  readonly kind: 'open';
  readonly format: 'ndjson' | 'json';
  readonly maxBytes: number;
  readonly maxRecordBytes: number;
  /** The bytes of the seed. */
  readonly seed: Uint8Array;
}

/** Asks for the next chunk. The first one waits until the whole inventory was read. */
interface NextRequest {
  readonly kind: 'next';
}

export type PackingRequest = OpenPackingRequest | NextRequest;

export type PackingAnswer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'chunk'; readonly chunk: Chunk }
  /** After the last chunk. */
  | { readonly kind: 'packed'; readonly packed: PackedInventory }
  /** The parts of an `InventoryError`. */
  | {
      readonly kind: 'refused';
      readonly code: 'malformed' | 'too_large';
      readonly line: number;
      readonly message: string;
    }
  /** The parts of a `TooManyReferences`. */
  | { readonly kind: 'too-many-references'; readonly message: string }
  /** A `ScratchError`. */
  | { readonly kind: 'no-room'; readonly message: string };
