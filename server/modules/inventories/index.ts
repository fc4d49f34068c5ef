// What other modules may import from this one, in addition to queries.ts.

export { holdIndex } from './asset-index.ts';
export { backfillAssetIndex } from './backfill-asset-index.ts';
export { readChunks, readReferenceAssets, unpack } from './chunks.ts';
export type { InventoryContents } from './contents.ts';
export { deleteLeftIndexes } from './delete-indexes.ts';
export { PackingBySize } from './packing.ts';
export { isLackOfCapacity, PackingProcesses } from './packing-process.ts';
export { TooManyReferences } from './reference-budget.ts';
export { storeInventory } from './store-inventory.ts';
export { findStoredAsset } from './stored-asset.ts';
export { ingest, type UploadOptions } from './upload.ts';
export { type GiveWayReason, type UploadSlotOptions, UploadSlots } from './upload-slots.ts';
