import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { projectOf } from '../project-reference.ts';
import { ancestorsOf, assetTypeOf, type ContentKind, kindsOf, updateTimeOf } from './envelope.ts';
import { InventoryError } from './inventory-error.ts';
import { findJsonFault } from './json-fault.ts';
import type { RawRecord } from './splitter.ts';

/** A record as it stands in the export. */
export interface InventoryRecord {
  /** The physical line on which it begins, counted from 1. */
  readonly line: number;
  /** The full resource name of the asset, as it is. */
  readonly name: string;
  readonly type: string;
  /** What it says of the asset; empty for a record of a name and a type alone. */
  readonly kinds: readonly ContentKind[];
  /** RFC 3339, as it is. */
  readonly updateTime: string | null;
  /** The project that it names, for `SnapshotContent.projects`; null where it names none. */
  readonly project: string | null;
  /** Its JSON on one line: not normalised, without a raw line feed or carriage return. */
  readonly text: string;
}

/** In UTF-16 code units. The longest names that Google's services give stay far below. */
const NAME_MAX = 2048;
const TYPE_MAX = 256;

const ARRAY =
  'Each record must be a JSON object, and this is an array. A JSON array of assets is application/json.';

/** Reads one record. @throws InventoryError `malformed`, in words that never quote the record */
export function parseRecord({ line, bytes }: RawRecord): InventoryRecord {
  const refuse = (message: string) => new InventoryError('malformed', line, message);
  if (!isUtf8(bytes)) throw refuse('This is not UTF-8. Save the export as UTF-8.');
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  if (value === undefined) {
    throw refuse(text.trimStart().startsWith('[') ? ARRAY : describeFault(text, line));
  }
  if (!isObject(value)) {
    throw refuse(
      Array.isArray(value) ? ARRAY : 'Each record must be a JSON object that describes an asset.',
    );
  }
  const name = nameOf(value, refuse);
  return {
    line,
    name,
    type: typeOf(value, refuse),
    kinds: kindsOf(value),
    updateTime: updateTimeOf(value),
    project: projectOf({ name, ancestors: ancestorsOf(value) }),
    text: onOneLine(text),
  };
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Well-formed JSON has line breaks between its tokens only: they can go, and the indentation after them. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n][\r\n\t ]*/g, '') : text;
}

function describeFault(text: string, line: number): string {
  const fault = findJsonFault(text);
  if (fault === null) return 'This is not JSON.';
  const before = text.slice(0, fault.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const place =
    before.length === 1 ? `column ${column}` : `line ${line + before.length - 1}, column ${column}`;
  return `This is not JSON: ${fault.expected} is expected at ${place}. A record must be one whole JSON object.`;
}

function nameOf(record: JsonObject, refuse: (message: string) => InventoryError): string {
  const { name } = record;
  if (typeof name !== 'string' || name === '') {
    throw refuse(
      'The record has no name. It must hold "name": the full resource name of the asset, //service/path.',
    );
  }
  if (name.length > NAME_MAX) throw refuse(`The name is longer than ${NAME_MAX} characters.`);
  if (!isStorable(name)) throw refuse(`The name ${NOT_STORABLE}`);
  return name;
}

function typeOf(record: JsonObject, refuse: (message: string) => InventoryError): string {
  const type = assetTypeOf(record);
  if (typeof type !== 'string' || type === '') {
    throw refuse(
      'The record has no asset type. It must hold "asset_type" or "assetType", such as storage.googleapis.com/Bucket.',
    );
  }
  if (type.length > TYPE_MAX) throw refuse(`The asset type is longer than ${TYPE_MAX} characters.`);
  if (!isStorable(type)) throw refuse(`The asset type ${NOT_STORABLE}`);
  return type;
}

const NOT_STORABLE = 'holds a NUL or half of a surrogate pair, which no database stores.';

function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
