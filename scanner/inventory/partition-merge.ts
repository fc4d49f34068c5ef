import { AssetBounds } from './asset-bounds.ts';
import { EventLoopYield } from './event-loop-yield.ts';
import { AssetMerge, type MergeWarning } from './merge.ts';
import { type HashSeed, seededHash, seedOfPart } from './seeded-hash.ts';
import { Spill } from './spill.ts';
import { assetKey, StoredRecord } from './stored-record.ts';

/** Maximum data merged in memory at once. Record headers are kept as objects, so their number is limited as well. */
const PARTITION_BYTES = 8 * 1024 * 1024;
const PARTITION_RECORDS = 10_000;
/** A larger partition is split again into this many, at most this many times. */
const FAN_OUT = 64;
const LEVELS = 3;
const HELD_BYTES = 2 * 1024 * 1024;
const REMEMBERED_ASSETS = 4_096;
/** Merged assets are passed on in groups of about this size, because passing them singly costs as much as merging. */
const GROUP_BYTES = 256 * 1024;

/** The records of one asset within a partition. */
export interface PartitionAsset {
  /** Its records, in insertion order. */
  readonly records: readonly [StoredRecord, ...StoredRecord[]];
  /** One merged record, on one line in UTF-8. */
  readonly bytes: Buffer;
  readonly warnings: readonly MergeWarning[];
}

/**
 * The assets of one partition in batches, each merged from its records. A partition that is too large to be merged in
 * memory is split again with another seed.
 * @param seed determines the order of the assets of such a partition
 * @throws {InventoryError} for an asset over a limit; {ScratchError}
 */
export async function* assetsIn(
  spill: Spill,
  partition: number,
  seed: HashSeed,
  level = 0,
): AsyncGenerator<readonly PartitionAsset[], void, undefined> {
  const { bytes, lines } = spill.sizeOf(partition);
  const fits = bytes <= PARTITION_BYTES && lines <= PARTITION_RECORDS;
  // Beyond the last level only a few large assets can still share a partition, since the seeds are secret.
  if (fits || level === LEVELS) yield* mergedIn(spill, partition);
  else yield* dealtAgain(spill, partition, seedOfPart(seed, `${partition}`), level + 1);
}

async function* dealtAgain(
  spill: Spill,
  partition: number,
  seed: HashSeed,
  level: number,
): AsyncGenerator<readonly PartitionAsset[], void, undefined> {
  const smaller = new Spill({ partitions: FAN_OUT, heldBytes: HELD_BYTES });
  const hash = seededHash(seed);
  const bounds = new AssetBounds(REMEMBERED_ASSETS);
  const turn = new EventLoopYield();
  try {
    for await (const { bytes, places } of spill.read(partition)) {
      for (const [record, line] of recordsIn(bytes, places)) {
        const key = assetKey(record);
        bounds.count(key, record.size, record.line);
        await smaller.add(hash(key) % FAN_OUT, [line()]);
        if (turn.isDue) await turn.now();
      }
    }
    for (let index = 0; index < FAN_OUT; index += 1) yield* assetsIn(smaller, index, seed, level);
  } finally {
    await smaller.close();
  }
}

async function* mergedIn(
  spill: Spill,
  partition: number,
): AsyncGenerator<readonly PartitionAsset[], void, undefined> {
  const bounds = new AssetBounds(Number.POSITIVE_INFINITY);
  const assets = new Map<string, [StoredRecord, ...StoredRecord[]]>();
  const turn = new EventLoopYield();
  for await (const { bytes, places } of spill.read(partition)) {
    for (const [record] of recordsIn(bytes, places)) {
      const key = assetKey(record);
      const same = assets.get(key);
      if (same === undefined) assets.set(key, [record]);
      else same.push(record);
      bounds.count(key, record.size, record.line);
      if (turn.isDue) await turn.now();
    }
  }
  let some: PartitionAsset[] = [];
  let size = 0;
  for (const records of assets.values()) {
    const asset = records.length === 1 ? alone(records[0]) : await merged(records, turn);
    some.push(asset);
    size += asset.bytes.length;
    if (size < GROUP_BYTES) continue;
    yield some;
    some = [];
    size = 0;
  }
  if (some.length > 0) yield some;
}

function alone(record: StoredRecord): PartitionAsset {
  return { records: [record], bytes: record.bytes, warnings: [] };
}

async function merged(
  records: readonly [StoredRecord, ...StoredRecord[]],
  turn: EventLoopYield,
): Promise<PartitionAsset> {
  const merge = new AssetMerge(records);
  for (const record of merge.inOrder) {
    merge.take(record);
    if (turn.isDue) await turn.now();
  }
  return { records, bytes: Buffer.from(merge.text()), warnings: merge.warnings };
}

/** Each record, and a function that returns its line in the spill. */
function* recordsIn(
  bytes: Buffer,
  places: readonly number[],
): Generator<readonly [StoredRecord, () => Buffer], void, undefined> {
  for (let at = 0; at < places.length; at += 2) {
    const start = places[at] ?? 0;
    const end = places[at + 1] ?? start;
    yield [new StoredRecord(bytes, start, end), () => bytes.subarray(start, end)];
  }
}
