import { isUtf8 } from 'node:buffer';
import { describeInfiniteNumber } from '../inventory/infinite-number.ts';
import { InventoryError, NOT_UTF8 } from '../inventory/inventory-error.ts';
import { type InventoryRecord, parseRecord } from '../inventory/record.ts';
import type { JsonObject } from '../json.ts';
import { checkJsonText, JSON_LIMITS, JsonLimitError } from '../json-limits.ts';
import { assetsOf, type SkippedResource } from './assets.ts';
import { isStateFile, isTerraform, STATE_FILE } from './document.ts';

/** A plan is one JSON value and is read as a whole. Plans of large estates have some tens of megabytes. */
const DOCUMENT_BYTES_MAX = 128 * 1024 * 1024;
/**
 * Terraform writes at least this much per value, with its member's name. A document of tiny values needs far more
 * memory.
 */
const BYTES_A_VALUE = 13;

/** Reads the output of `terraform show -json`: a plan or a state, in the format of Terraform 0.12 and later. */
export class TerraformReader {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  readonly #maxBytes: number;

  /** @param maxBytes maximum size of the document */
  constructor(maxBytes = DOCUMENT_BYTES_MAX) {
    this.#maxBytes = maxBytes;
  }

  /** @throws InventoryError for a document that is too large */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      throw new InventoryError(
        'too_large',
        1,
        `A Terraform document may have at most ${this.#maxBytes} bytes.${this.#maxBytes < DOCUMENT_BYTES_MAX ? ` cspm scan --local accepts up to ${DOCUMENT_BYTES_MAX}.` : ''}`,
      );
    }
    // Makes a copy: `slice` of a Buffer would be a view.
    this.#chunks.push(new Uint8Array(chunk));
  }

  /** The buffered bytes in chunks; the reader discards them. */
  takePieces(): readonly Uint8Array[] {
    const pieces = this.#chunks;
    this.#chunks = [];
    return pieces;
  }

  /**
   * The buffered document; null if it is not from Terraform.
   * @throws InventoryError for a text that is no UTF-8, is nested too deeply, has too many values, or a number that is out
   * of range
   */
  document(): JsonObject | null {
    const bytes = this.#checkedBytes();
    const document = parse(bytes.toString('utf8'));
    // UTF-16 without a byte order mark is valid UTF-8, with zero bytes.
    if (document === undefined && (!isUtf8(bytes) || bytes.includes(0))) {
      throw new InventoryError('malformed', 1, NOT_UTF8);
    }
    if (document === undefined) return null;
    if (isStateFile(document)) throw new InventoryError('malformed', 1, STATE_FILE);
    if (!isTerraform(document)) return null;
    // The records are written from the parsed document, which would make null of such a number.
    const infinite = describeInfiniteNumber(bytes, 1);
    if (infinite !== null) throw new InventoryError('malformed', 1, infinite);
    return document;
  }

  /**
   * @param onSkipped called for each resource without an asset, before the first record
   * @throws InventoryError for a text that is not JSON, or not from Terraform
   */
  *end(onSkipped?: (resource: SkippedResource) => void): Generator<InventoryRecord> {
    const document = this.document();
    if (document === null) {
      throw new InventoryError(
        'malformed',
        1,
        'An application/json inventory must be an array of assets, or the output of `terraform show -json` for a plan or a state. For exports with one asset per line use application/x-ndjson; for cspm, rename the file to .ndjson. If an asset takes several lines, write it as one with jq -c.',
      );
    }
    const { records, skipped } = assetsOf(document);
    if (onSkipped !== undefined) skipped.forEach((resource) => void onSkipped(resource));
    let line = 0;
    for (const record of records) {
      line += 1;
      yield parseRecord({ line, bytes: Buffer.from(JSON.stringify(record)) });
    }
  }

  /** The whole document; depth and size are checked before parsing. */
  #checkedBytes(): Buffer {
    const bytes = Buffer.concat(this.takePieces());
    try {
      const values = Math.floor(this.#maxBytes / BYTES_A_VALUE);
      checkJsonText(bytes, { ...JSON_LIMITS.document, values });
    } catch (error) {
      if (!(error instanceof JsonLimitError)) throw error;
      const place = error.pointer === '' ? '' : `At ${error.pointer}: `;
      throw new InventoryError('malformed', 1, `${place}${error.message}`);
    }
    return bytes;
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
