import { InventoryError } from '../inventory/inventory-error.ts';
import { type InventoryRecord, parseRecord } from '../inventory/record.ts';
import { assetsOf } from './assets.ts';
import { isTerraform } from './document.ts';

/** A plan is one JSON value and is held as a whole. Those of large estates are some ten megabytes. */
const DOCUMENT_BYTES_MAX = 128 * 1024 * 1024;

/** Reads the output of `terraform show -json`: a plan or a state, in the format of Terraform 0.12 and later. */
export class TerraformReader {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Whether the first bytes of a JSON text begin an object; an export begins an array. */
  static knows(first: Uint8Array): boolean {
    return /^\s*\{/.test(Buffer.from(first).toString('latin1'));
  }

  /** @throws InventoryError for a document that is too large to be held */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > DOCUMENT_BYTES_MAX) {
      throw new InventoryError(
        'too_large',
        1,
        `A Terraform document may have at most ${DOCUMENT_BYTES_MAX} bytes.`,
      );
    }
    this.#chunks.push(Uint8Array.from(chunk));
  }

  /** @throws InventoryError for a text that is not JSON, or not of Terraform */
  *end(): Generator<InventoryRecord> {
    const document = parse(Buffer.concat(this.#chunks).toString('utf8'));
    if (document === undefined || !isTerraform(document)) {
      throw new InventoryError(
        'malformed',
        1,
        'As application/json an inventory is an array of assets, or what `terraform show -json` writes of a plan or a state. Exports with one asset a line are application/x-ndjson.',
      );
    }
    let line = 0;
    for (const record of assetsOf(document).records) {
      line += 1;
      yield parseRecord({ line, bytes: Buffer.from(JSON.stringify(record)) });
    }
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
