import type { SkippedResource } from '../terraform/assets.ts';
import { beginsTerraformDocument } from '../terraform/document.ts';
import { TerraformReader } from '../terraform/reader.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';
import { InventoryError } from './inventory-error.ts';
import { ArraySplitter } from './json-array.ts';
import { LineSplitter } from './lines.ts';
import { type InventoryRecord, parseRecord } from './record.ts';

export interface ReadOptions {
  /**
   * `ndjson`: one object per line; blank lines and those beginning with `#` are skipped. `json`: one array of objects.
   */
  readonly format: 'ndjson' | 'json';
  /** Maximum size of the whole, in bytes after decompression. */
  readonly maxBytes: number;
  /** Maximum size of one record, in bytes. */
  readonly maxRecordBytes: number;
  /** Maximum size of a Terraform document, in bytes. Default: the limit of `TerraformReader`. */
  readonly maxDocumentBytes?: number;
  /**
   * Converts a Terraform document elsewhere, such as in another process. It receives the bytes in chunks, without a
   * byte order mark. Default: synchronous conversion in this process.
   */
  readonly convertDocument?: (document: readonly Uint8Array[]) => AsyncIterable<InventoryRecord>;
  /** Called for each skipped resource of a Terraform document, before its first record is yielded. */
  readonly onSkipped?: (resource: SkippedResource) => void;
}

/**
 * Reads a Cloud Asset Inventory export from its decompressed bytes, in the memory of one record and one chunk. Records
 * before a fault are yielded; the caller decides whether to use them. A single JSON object is treated as the output of
 * `terraform show -json`: the Google resources of the plan or state are yielded as assets.
 *
 * @throws InventoryError with the line of the fault; an error of `source` passes unchanged
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
    if (bytes === 0 && format === 'json' && beginsTerraformDocument(chunk)) {
      terraform = new TerraformReader(options.maxDocumentBytes);
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
    yield* withinBytes(
      options.convertDocument?.(terraform.takePieces()) ?? terraform.end(options.onSkipped),
      maxBytes,
    );
    return;
  }
  for (const raw of splitter.end()) yield parseRecord(raw);
}

/**
 * Records from a document can be far larger than the document: a grant is repeated on each asset that it may apply to.
 */
async function* withinBytes(
  records: AsyncIterable<InventoryRecord> | Iterable<InventoryRecord>,
  maxBytes: number,
): AsyncGenerator<InventoryRecord, void, undefined> {
  let bytes = 0;
  for await (const record of records) {
    bytes += Buffer.byteLength(record.text);
    if (bytes > maxBytes) {
      throw new InventoryError(
        'too_large',
        1,
        `The assets of the Terraform document need more than ${maxBytes} bytes. Split the document.`,
      );
    }
    yield record;
  }
}
