/** A predicate that cannot be evaluated whatever the asset: it is refused when it is compiled. */
export class PredicateError extends Error {
  override readonly name = 'PredicateError';

  /** @param offset where in the predicate, in UTF-16 code units; null: it is the predicate as a whole. */
  constructor(predicate: string, offset: number | null, fault: string) {
    super(offset === null ? fault : `${placeIn(predicate, offset)}: ${fault}`);
  }
}

/** `line 2, column 5`: both counted from 1. */
export function placeIn(predicate: string, offset: number): string {
  const before = predicate.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** A function as a predicate spells it; the evaluator calls an operator `_+_` or `@in`. */
export function spelled(name: string): string {
  return /^[a-zA-Z]/.test(name) ? name : name.replace('@', '').replaceAll('_', '');
}
