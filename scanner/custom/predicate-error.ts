/** A predicate that cannot be evaluated for any asset; compilation refuses it. */
export class PredicateError extends Error {
  override readonly name = 'PredicateError';

  /** @param offset position in the predicate, in UTF-16 code units; null: the predicate as a whole. */
  constructor(predicate: string, offset: number | null, fault: string) {
    super(offset === null ? fault : `${placeIn(predicate, offset)}: ${fault}`);
  }
}

/** `line 2, column 5`: both counted from 1. */
export function placeIn(predicate: string, offset: number): string {
  const before = predicate.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** A function as a predicate spells it; the evaluator's names for operators are `_+_` or `@in`. */
export function spelled(name: string): string {
  return /^[a-zA-Z]/.test(name) ? name : name.replace('@', '').replaceAll('_', '');
}
