import {
  INVENTORY_LIMITS,
  InventoryError,
  type InventoryRecord,
  isNameTooLong,
  readInventory,
} from '@cspm/scanner';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import schema from '../docs/inventory-format.schema.json' with { type: 'json' };
import { inventoryLines } from './inventory-lines.ts';

/** An error of an inventory, at a place within a record. */
export interface InventoryFault {
  readonly line: number;
  /** A JSON pointer (RFC 6901); '' for the record itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Errors of one record. A record in which everything is wrong must not hide the others. */
const FAULTS_OF_RECORD = 10;
const POINTER_MAX = 256;

const NAME_TOO_LONG = `This and the asset type together must NOT have more than ${INVENTORY_LIMITS.nameBytes} bytes.`;

/**
 * Compares each record with the JSON Schema, and its name with the limit of an upload.
 * @param onRecord called for each valid record
 */
export async function* faultsIn(
  source: AsyncIterable<Uint8Array>,
  format: 'json' | 'ndjson',
  onRecord: () => void,
): AsyncGenerator<InventoryFault> {
  const check = schemaCheck();
  for await (const read of format === 'json' ? records(source, format) : recordsByLine(source)) {
    const faults = 'message' in read ? [read] : check(read);
    if (faults.length === 0) onRecord();
    yield* faults;
  }
}

/** NDJSON: a line that is malformed does not end the check. */
async function* recordsByLine(source: AsyncIterable<Uint8Array>) {
  for await (const { number, bytes } of inventoryLines(source)) {
    if (bytes === null) {
      const message = `The record is longer than ${INVENTORY_LIMITS.recordBytes} bytes.`;
      yield { line: number, pointer: '', message };
      continue;
    }
    for await (const read of records(only(bytes), 'ndjson')) yield { ...read, line: number };
  }
}

/** The records up to the first one that the reader refuses, and the reason. */
async function* records(
  source: AsyncIterable<Uint8Array>,
  format: 'json' | 'ndjson',
): AsyncGenerator<InventoryRecord | InventoryFault> {
  const options = {
    format,
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxRecordBytes: INVENTORY_LIMITS.recordBytes,
  };
  try {
    yield* readInventory(source, options);
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    yield { line: error.line, pointer: '', message: error.message };
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function schemaCheck(): (record: InventoryRecord) => readonly InventoryFault[] {
  const ajv = new Ajv2020({ allErrors: true });
  // The types of the package describe a CommonJS module.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const validate = ajv.compile(schema);
  return ({ line, text, name, type }) => {
    if (validate(JSON.parse(text))) {
      // JSON Schema can express neither bytes nor a sum of lengths.
      return isNameTooLong({ name, type })
        ? [{ line, pointer: '/name', message: NAME_TOO_LONG }]
        : [];
    }
    return (validate.errors ?? []).slice(0, FAULTS_OF_RECORD).map((error) => ({
      line,
      pointer: error.instancePath.slice(0, POINTER_MAX),
      message: messageOf(error),
    }));
  };
}

function messageOf({ message = 'is invalid' }: ErrorObject): string {
  return `This ${message}.`;
}
