import { INVENTORY_LIMITS } from '@cspm/scanner';
import { startingWith } from './decompressed.ts';
import { inventoryLines } from './inventory-lines.ts';

/** The bytes of an inventory, and how to read them. */
export interface OpenInventory {
  readonly format: 'json' | 'ndjson';
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Tells NDJSON from one JSON value by the first line, because `gcloud asset export` writes NDJSON whatever the name of the
 * file. Reads ahead at most one record.
 */
export async function openByContent(source: AsyncIterable<Uint8Array>): Promise<OpenInventory> {
  const pieces = source[Symbol.asyncIterator]();
  const ahead: Uint8Array[] = [];
  let length = 0;
  const reading = {
    // Without the method `return`, the source stays open after the first line.
    async next(): Promise<IteratorResult<Uint8Array>> {
      if (length > INVENTORY_LIMITS.recordBytes) return { done: true, value: undefined };
      const next = await pieces.next();
      if (next.done !== true) {
        ahead.push(next.value);
        length += next.value.length;
      }
      return next;
    },
  };
  const isNdjson = await beginsWithRecord({ [Symbol.asyncIterator]: () => reading });
  return { format: isNdjson ? 'ndjson' : 'json', bytes: startingWith(ahead, pieces) };
}

async function beginsWithRecord(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const { bytes } of inventoryLines(source)) {
    if (bytes === null) return false;
    const line = new TextDecoder().decode(bytes).trim();
    if (line !== '' && !line.startsWith('#')) return isRecord(line);
  }
  return false;
}

function isRecord(line: string): boolean {
  try {
    const { asset_type, assetType } = JSON.parse(line);
    return typeof (asset_type ?? assetType) === 'string';
  } catch {
    return false;
  }
}
