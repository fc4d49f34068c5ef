import { isUtf8 } from 'node:buffer';
import { hasReadableBindings, isAbsent } from '../facts/policy-form.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { checkJsonText, JSON_LIMITS, JsonLimitError, type JsonLimits } from '../json-limits.ts';
import { projectOf } from '../project-reference.ts';
import { isStateFile, STATE_FILE } from '../terraform/document.ts';
import { fromBigQuery } from './bigquery-form.ts';
import {
  ancestorsOf,
  assetTypeOf,
  type ContentKind,
  contentOf,
  kindsOf,
  locationOf,
  updateTimeOf,
} from './envelope.ts';
import { describeInfiniteNumber } from './infinite-number.ts';
import { InventoryError, NOT_UTF8 } from './inventory-error.ts';
import { findJsonFault, placeIn } from './json-fault.ts';
import type { RawRecord } from './splitter.ts';

/** A record as it is in the export. */
export interface InventoryRecord {
  /** The physical line on which it begins, counted from 1. */
  readonly line: number;
  /** The full resource name of the asset, unchanged. */
  readonly name: string;
  readonly type: string;
  /** The content types of the record; empty for a record that has only a name and a type. */
  readonly kinds: readonly ContentKind[];
  /** RFC 3339, unchanged; null also for text that is too long to be a time. */
  readonly updateTime: string | null;
  /** Where the resource is, in lower case. */
  readonly location: string | null;
  /** The project that it names, for `SnapshotContent.projects`; null if none. */
  readonly project: string | null;
  /** Its IAM policy is in another form than the API writes, so no rule passes by it. */
  readonly hasUnreadablePolicy: boolean;
  /** Its `resource.data` is not an object, so it counts as absent. */
  readonly hasUnreadableData: boolean;
  /** Its JSON on one line: not normalised, without a line feed or carriage return. */
  readonly text: string;
}

/** In UTF-16 code units, far above the longest names of Google's services. */
const NAME_MAX = 2048;
const TYPE_MAX = 256;
/** RFC 3339 times and references to projects are far shorter; longer text is neither. */
const TIME_MAX = 64;
const PROJECT_MAX = 200;

const OPEN_BRACE = 0x7b;

const ARRAY =
  'Each record must be a JSON object, but this is an array. For a JSON array of assets use application/json; for cspm, rename the file to .json.';

const SEVERAL_LINES =
  'A record must be one line, as jq -c writes it. Send a document of several lines, such as a Terraform plan, with content-type: application/json; for cspm, rename the file to .json.';

const TERRAFORM =
  'This is the output of terraform show -json. Send it with content-type: application/json; for cspm, rename the file to .json.';

const FEED =
  'This is a message of a feed or a history of assets. Send the values of its member asset, as jq -c .asset writes them.';

/**
 * Parses one record.
 * @throws InventoryError `malformed`, with a message that never quotes the record
 */
export function parseRecord({ line, bytes }: RawRecord): InventoryRecord {
  const refuse = (message: string) => new InventoryError('malformed', line, message);
  if (!isUtf8(bytes)) throw refuse(NOT_UTF8);
  checkLimits(bytes, refuse);
  const whole = bytes.toString('utf8');
  const parsed = parseJson(whole);
  if (parsed === undefined) {
    throw refuse(whole.trimStart().startsWith('[') ? ARRAY : describeFault(whole, line));
  }
  if (!isObject(parsed)) {
    throw refuse(
      Array.isArray(parsed) ? ARRAY : 'Each record must be a JSON object that describes an asset.',
    );
  }
  if (parsed['name'] === undefined && typeof parsed['format_version'] === 'string') {
    throw refuse(TERRAFORM);
  }
  if (parsed['name'] === undefined && isStateFile(parsed)) throw refuse(STATE_FILE);
  if (parsed['name'] === undefined && isObject(parsed['asset'])) throw refuse(FEED);
  checkNumbers(bytes, line, refuse);
  const parseText = (json: string) => parseWithin(json, line, refuse);
  const { value, text } = fromBigQuery({ value: parsed, text: whole }, parseText);
  const name = nameOf(value, refuse);
  return {
    line,
    name,
    type: typeOf(value, refuse),
    kinds: kindsOf(value),
    updateTime: noLongerThan(TIME_MAX, updateTimeOf(value)),
    location: locationOf(value),
    project: noLongerThan(PROJECT_MAX, projectOf({ name, ancestors: ancestorsOf(value) })),
    hasUnreadablePolicy: hasUnreadablePolicy(value),
    hasUnreadableData: hasUnreadableData(value),
    text: onOneLine(text),
  };
}

/** The record of a planned resource has gaps, where values are known only after apply. */
function hasUnreadablePolicy(record: JsonObject): boolean {
  const policy = contentOf(record, 'IAM_POLICY');
  return (
    policy !== null && record.unknown_after_apply === undefined && !hasReadableBindings(policy)
  );
}

function hasUnreadableData(record: JsonObject): boolean {
  const data = contentOf(record, 'RESOURCE')?.data;
  return !isAbsent(data) && !isObject(data);
}

/** Parses `resource.data` in a text, with the limits of a record. */
function parseWithin(
  json: string,
  line: number,
  refuse: (message: string) => InventoryError,
): JsonValue | undefined {
  const bytes = Buffer.from(json);
  checkLimits(bytes, refuse, LIMITS_OF_DATA);
  const value = parseJson(json);
  if (value !== undefined) checkNumbers(bytes, line, refuse);
  return value;
}

/** @param bytes well-formed JSON */
function checkNumbers(bytes: Buffer, line: number, refuse: (message: string) => InventoryError) {
  const infinite = describeInfiniteNumber(bytes, line);
  if (infinite !== null) throw refuse(infinite);
}

/** Two objects are around it. */
const LIMITS_OF_DATA = { ...JSON_LIMITS.record, depth: JSON_LIMITS.record.depth - 2 };

/** Checked before parsing: deep nesting or many values need a multiple of the text's memory. */
function checkLimits(
  bytes: Buffer,
  refuse: (message: string) => InventoryError,
  limits: JsonLimits = JSON_LIMITS.record,
): void {
  if (isSmall(bytes, limits.depth)) return;
  try {
    checkJsonText(bytes, limits);
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error;
    throw refuse(error.pointer === '' ? error.message : `At ${error.pointer}: ${error.message}`);
  }
}

/** Whether the bytes cannot exceed any limit. This holds for nearly all records, and the check is cheap. */
function isSmall(bytes: Buffer, depth: number): boolean {
  const { values, members } = JSON_LIMITS.record;
  // A value takes at least two bytes, with its comma, and a member five: `"":1,`.
  if (bytes.length >= Math.min(2 * values, 5 * members)) return false;
  let opened = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    // [ and { differ in this bit.
    if (((bytes[at] ?? 0) | 0x20) === OPEN_BRACE) opened += 1;
  }
  return opened <= depth;
}

function noLongerThan(length: number, text: string | null): string | null {
  return text !== null && text.length > length ? null : text;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Well-formed JSON has line breaks only between tokens, so they and the indentation after them can be removed. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n][\r\n\t ]*/g, '') : text;
}

function describeFault(text: string, line: number): string {
  const fault = findJsonFault(text);
  if (fault === null) return 'This is not JSON.';
  const place = placeIn(text, fault.offset, line);
  const hint = text.trim() === '{' ? SEVERAL_LINES : 'A record must be one complete JSON object.';
  return `This is not JSON: expected ${fault.expected} at ${place}. ${hint}`;
}

function nameOf(record: JsonObject, refuse: (message: string) => InventoryError): string {
  const { name } = record;
  if (typeof name !== 'string' || name === '') {
    throw refuse(
      'The record has no name. It must have "name": the full resource name of the asset, //service/path.',
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
      'The record has no asset type. It must have "asset_type" or "assetType", such as storage.googleapis.com/Bucket.',
    );
  }
  if (type.length > TYPE_MAX) throw refuse(`The asset type is longer than ${TYPE_MAX} characters.`);
  if (!isStorable(type)) throw refuse(`The asset type ${NOT_STORABLE}`);
  return type;
}

const NOT_STORABLE = 'contains a NUL or a lone surrogate, which cannot be stored.';

function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
