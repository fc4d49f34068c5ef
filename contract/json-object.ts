import { z } from 'zod';

/** Limits of a free-form member of a body. */
export interface JsonObjectLimits {
  /** Maximum depth of nested objects and arrays. The member itself is level 1. */
  readonly depth: number;
  /** Maximum number of values at all levels, including the member itself. */
  readonly values: number;
  /** Maximum length of its JSON without white space, in UTF-16 code units. */
  readonly characters: number;
}

/** The limits of every free-form member of the contract. */
export const JSON_OBJECT_LIMITS = {
  /** The parameters of one rule in a profile. */
  parameters: { depth: 8, values: 1_000, characters: 16_384 },
  /** The asset of an embedded test of a custom rule. */
  testAsset: { depth: 56, values: 5_000, characters: 262_144 },
} as const satisfies Record<string, JsonObjectLimits>;

/** A value as `JSON.parse` returns it. */
export type JsonValue = z.core.util.JSONType;

/**
 * Any JSON value of a response. `z.json()` would try every kind for each value, and its errors nest as deeply as the
 * value: a large value can block the event loop for seconds. A number that is out of range is accepted, because
 * `JSON.stringify` writes it as null. Generators recognize a JSON value by its lazy schema, like the one of `z.json()`.
 */
export const jsonValue: z.ZodType<JsonValue> = z.lazy(() => anything);

const anything = z.unknown().refine(isJson) as z.ZodType<JsonValue>;

/** A JSON object of a response, with arbitrary members. */
export const jsonMembers = z.record(z.string(), jsonValue);

/**
 * A JSON object of a body with arbitrary members within limits. All its strings can be stored in Postgres: no NUL, no
 * lone surrogates. Its numbers are finite.
 */
export function jsonObject(limits: JsonObjectLimits) {
  return checkedBefore(withoutProto(jsonMembers), (value) =>
    isObject(value) ? faultOf(value, limits) : null,
  );
}

/**
 * A schema for an object that refuses a member named `__proto__`. Records of zod leave such a member out without an
 * error.
 */
export function withoutProto<T extends z.ZodType>(schema: T) {
  return checkedBefore(schema, (value) =>
    isObject(value) && Object.hasOwn(value, '__proto__')
      ? 'has an unknown member: "__proto__"; remove it'
      : null,
  );
}

/**
 * A schema that sees only values without a fault. Schemas list every fault of a value, which takes long for a large
 * one.
 * @param faultOf returns what is wrong, or null
 */
export function checkedBefore<T extends z.ZodType>(
  schema: T,
  faultOf: (value: unknown) => string | null,
): z.ZodType<z.output<T>, z.input<T>> {
  const checked: z.ZodType<z.output<T>, unknown> = z.preprocess((value, context) => {
    const message = faultOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
    return value;
  }, schema);
  // It accepts the same types, although a preprocessed schema is typed to take anything.
  return checked as z.ZodType<z.output<T>, z.input<T>>;
}

/** Walks without recursion and stops at the first value that is not JSON. */
function isJson(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (one === null || typeof one === 'boolean' || typeof one === 'string') continue;
    if (typeof one === 'number') continue;
    if (!Array.isArray(one) && !isPlainObject(one)) return false;
    for (const member of Object.values(one)) rest.push(member);
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlainObject(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const UNSTORABLE = /[\0\p{Cs}]/u;

/** Walks without recursion and stops at the first fault. */
function faultOf(value: object, limits: JsonObjectLimits): string | null {
  let level: unknown[] = [value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (values > limits.values) return `must hold at most ${limits.values} values at all levels`;
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one === 'string' && UNSTORABLE.test(one)) return UNSTORABLE_MESSAGE;
      if (typeof one === 'number' && !Number.isFinite(one)) return INFINITE_MESSAGE;
      if (!isObject(one)) continue;
      if (depth >= limits.depth) return `must be nested at most ${limits.depth} levels deep`;
      for (const [name, member] of Object.entries(one)) {
        if (UNSTORABLE.test(name)) return UNSTORABLE_MESSAGE;
        below.push(member);
      }
    }
    level = below;
  }
  return JSON.stringify(value).length > limits.characters
    ? `must have at most ${limits.characters} characters as JSON`
    : null;
}

const UNSTORABLE_MESSAGE = 'must be well-formed Unicode without the NUL character';
const INFINITE_MESSAGE = 'must not contain a number that is out of range, such as 1e999';
