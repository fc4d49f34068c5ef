import { TerraformReader } from '../terraform/reader.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';
import { InventoryError } from './inventory-error.ts';
import { ArraySplitter } from './json-array.ts';
import { LineSplitter } from './lines.ts';
import { type InventoryRecord, parseRecord } from './record.ts';

export interface ReadOptions {
  /** `ndjson`: one object a line; blank lines and those beginning with `#` are skipped. `json`: one array of objects. */
  readonly format: 'ndjson' | 'json';
  /** The most that the whole may have, in bytes after inflating. */
  readonly maxBytes: number;
  /** The most that one record may have, in bytes. */
  readonly maxRecordBytes: number;
}

/**
 * Reads a Cloud Asset Inventory export from its inflated bytes, in the memory of one record and one chunk. The records
 * that precede a fault are yielded; whether they count is for the caller to decide. A single JSON object is what
 * `terraform show -json` writes of a plan or a state: its Google resources are yielded as the assets that they describe.
 *
 * @throws InventoryError with the line of what is malformed or too large; an error of `source` passes unchanged
 */
export async function* readInventory(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<InventoryRecord, void, undefined> {
  const { format, maxBytes, maxRecordBytes } = options;
  const splitter =
    format === 'ndjson' ? new LineSplitter(maxRecordBytes) : new ArraySplitter(maxRecordBytes);
  let bytes = 0;
  let terraform: TerraformReader | null = null;
  for await (const chunk of withoutByteOrderMark(source)) {
    if (bytes === 0 && format === 'json' && TerraformReader.knows(chunk)) {
      terraform = new TerraformReader();
    }
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new InventoryError(
        'too_large',
        splitter.line,
        `The inventory is larger than ${maxBytes} bytes.`,
      );
    }
    if (terraform === null) for (const raw of splitter.push(chunk)) yield parseRecord(raw);
    else terraform.push(chunk);
  }
  if (terraform !== null) {
    yield* terraform.end();
    return;
  }
  for (const raw of splitter.end()) yield parseRecord(raw);
}
