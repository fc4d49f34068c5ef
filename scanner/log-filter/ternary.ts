/** A truth value; null if it is unknown, because a part of a log filter cannot be evaluated. */
export type Ternary = boolean | null;

export function not(value: Ternary): Ternary {
  return value === null ? null : !value;
}

/** True if one of the values is true, else unknown if one is unknown. */
export function some<T>(list: readonly T[], test: (one: T) => Ternary): Ternary {
  let result: Ternary = false;
  for (const one of list) {
    const value = test(one);
    if (value === true) return true;
    if (value === null) result = null;
  }
  return result;
}

/** False if one of the values is false, else unknown if one is unknown. */
export function every<T>(list: readonly T[], test: (one: T) => Ternary): Ternary {
  return not(some(list, (one) => not(test(one))));
}
