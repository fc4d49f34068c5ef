/** Any JSON value (RFC 8259), as JSON.parse gives it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/*
 * An inventory is untrusted input, so its values may have any type. These functions treat a value of the wrong type as
 * absent, so no rule has to check types and no input can make a rule throw.
 */

const NOTHING: readonly never[] = Object.freeze([]);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `member`, or null. Accepts a null parent for chaining. */
export function child(parent: JsonObject | null, member: string): JsonObject | null {
  const value = parent?.[member];
  return isObject(value) ? value : null;
}

/** The string at `member`; null also for the empty one, which Google's APIs write for a field that is not set. */
export function text(parent: JsonObject | null, member: string): string | null {
  const value = parent?.[member];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether `member` is the boolean true; "true" as a string is not. */
export function isTrue(parent: JsonObject | null, member: string): boolean {
  return parent?.[member] === true;
}

/**
 * The array at `member`, or at its other spelling if the first has none or an empty one; else an empty array. Compute
 * exports use plural names as the API does, singular ones, or both (`disks`, `disk`).
 */
export function items(
  parent: JsonObject | null,
  member: string,
  otherSpelling?: string,
): readonly JsonValue[] {
  const value = parent?.[member];
  if (Array.isArray(value) && value.length > 0) return value;
  return otherSpelling === undefined ? NOTHING : items(parent, otherSpelling);
}

/** Like `items`, objects only. */
export function objects(
  parent: JsonObject | null,
  member: string,
  otherSpelling?: string,
): readonly JsonObject[] {
  return matching(items(parent, member, otherSpelling), isObject);
}

/** Like `items`, strings only. */
export function strings(
  parent: JsonObject | null,
  member: string,
  otherSpelling?: string,
): readonly string[] {
  return matching(items(parent, member, otherSpelling), isString);
}

/** Returns the list itself if all elements match, which is the usual case; copying would be expensive. */
function matching<T extends JsonValue>(
  list: readonly JsonValue[],
  is: (value: JsonValue) => value is T,
): readonly T[] {
  return list.every(is) ? list : list.filter(is);
}

function isString(value: JsonValue): value is string {
  return typeof value === 'string';
}
