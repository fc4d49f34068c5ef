import { type CelInput, type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Converts a JSON value to CEL: objects become maps, and every number a double, as the CEL specification maps JSON. */
export function celFromJson(value: JsonValue): CelInput {
  if (isObject(value)) return new JsonMap(value);
  return Array.isArray(value)
    ? value.map(celFromJson)
    : (value as string | number | boolean | null);
}

/**
 * An object as a map that converts its members lazily. The evaluator accepts plain objects too, but recognizes them by
 * their `constructor`, which may be a member name in an inventory, and would copy them at each read.
 */
export class JsonMap extends Map<string, CelInput> {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  override get size(): number {
    return Object.keys(this.#object).length;
  }

  override get(name: string): CelInput | undefined {
    const known = super.get(name);
    if (known !== undefined || !this.has(name)) return known;
    const made = celFromJson(this.#object[name] ?? null);
    this.set(name, made);
    return made;
  }

  override has(name: string): boolean {
    return super.has(name) || (typeof name === 'string' && Object.hasOwn(this.#object, name));
  }

  override keys(): MapIterator<string> {
    return Object.keys(this.#object)[Symbol.iterator]();
  }

  override *values(): MapIterator<CelInput> {
    for (const [, value] of this.entries()) yield value;
  }

  override *entries(): MapIterator<[string, CelInput]> {
    for (const name of Object.keys(this.#object)) yield [name, this.get(name) ?? null];
  }

  override forEach(
    visit: (value: CelInput, name: string, map: Map<string, CelInput>) => void,
  ): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  override [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }
}

/** Converts a value of a predicate to JSON; values that JSON lacks become null. */
export function jsonFromCel(value: CelValue): JsonValue {
  if (isCelList(value)) return [...value].map(jsonFromCel);
  if (isCelMap(value)) {
    const members = [...value.entries()].map(
      ([key, member]) => [String(key), jsonFromCel(member)] as const,
    );
    return Object.fromEntries(members);
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return value;
    case 'bigint':
      return Number(value);
    default:
      return null;
  }
}
