import { type CelFunc, type CelValue, celError, isCelList } from '@bufbuild/cel';

/*
 * A predicate can double a value in each step of a `map`, so thirty steps turn one byte into a gigabyte. The values
 * that functions create are therefore limited. Inventories hold smaller ones.
 */

/** Strings in UTF-16 code units, bytes in bytes. */
export const LENGTH_MAX = 8 * 1024 * 1024;
export const ELEMENTS_MAX = 1_000_000;

/** The error for a predicate that creates too large a value. */
export const TOO_LARGE = 'a value created by the predicate is too large';

/** The `+` of these functions refuses to create too large a value. */
export function boundedAdditions(functions: readonly CelFunc[]): CelFunc[] {
  return functions.map((one) =>
    one.name !== '_+_'
      ? one
      : wrapped(one, (values) => {
          if (values.some(isCelList)) return sum(values, sizeOfList) <= ELEMENTS_MAX;
          return sum(values, lengthOf) <= LENGTH_MAX;
        }),
  );
}

/**
 * The standard string functions, which are not called if their result might be too large: `replace` can insert the
 * longest string between any two characters, `join` and `format` combine all strings of a list.
 */
export function boundedTexts(functions: readonly CelFunc[]): CelFunc[] {
  return functions.map((one) => {
    switch (one.name) {
      case 'replace':
        return wrapped(
          one,
          ([text, , by]) => (lengthOf(text) + 1) * (lengthOf(by) + 1) <= LENGTH_MAX,
        );
      case 'join':
        return wrapped(one, ([list, by]) => lengthOfAll(list, lengthOf(by)) <= LENGTH_MAX);
      case 'format':
        return wrapped(
          one,
          ([text, list]) => lengthOf(text) * (1 + lengthOfAll(list, 0)) <= LENGTH_MAX,
        );
      default:
        return one;
    }
  });
}

/** @param fits receives the target, if there is one, and the arguments. */
function wrapped(one: CelFunc, fits: (values: readonly CelValue[]) => boolean): CelFunc {
  const call: CelFunc['call'] = (id, target, args) => {
    if (!fits(target === undefined ? args : [target, ...args])) {
      return celError(new RangeError(TOO_LARGE), id);
    }
    return one.call(id, target, args);
  };
  // It replaces the function of the same name and types.
  return Object.create(one, { call: { value: call } });
}

function sum(values: readonly CelValue[], size: (value: CelValue) => number): number {
  return values.reduce<number>((total, value) => total + size(value), 0);
}

function sizeOfList(value: CelValue): number {
  return isCelList(value) ? value.size : 0;
}

function lengthOf(value: CelValue | undefined): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

/** The length of the joined strings with separators; stops counting above the limit. */
function lengthOfAll(list: CelValue | undefined, between: number): number {
  if (list === undefined || !isCelList(list)) return 0;
  let length = 0;
  for (const one of list) {
    // Other values, such as numbers, have short text forms; nested lists are not inspected.
    length += Math.max(lengthOf(one), 32) + between;
    if (length > LENGTH_MAX) break;
  }
  return length;
}
