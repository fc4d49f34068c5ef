/**
 * Limits of one inventory. They bound the memory of an upload for any size and content, and are far above real Google
 * exports.
 */
export const INVENTORY_LIMITS = {
  /** One record: a line of NDJSON or an element of a JSON array, in bytes. */
  recordBytes: 4 * 1024 * 1024,
  /** Name and asset type of a record together, in bytes: they are part of index keys in the database. */
  nameBytes: 1_500,
  /** All records that describe one asset together, in bytes: two records of full size. */
  assetBytes: 8 * 1024 * 1024,
  /** Maximum number of records that describe one asset. */
  assetRecords: 1_000,
  /** Distinct asset types. Cloud Asset Inventory has some hundreds. */
  assetTypes: 1_000,
  /** Maximum number of warnings; those of the first lines are kept. */
  warnings: 100,
} as const;
