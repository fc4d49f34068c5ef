import { shared } from './process-registry.ts';

const CAPACITY = 500;

/** Tokens for retries. Plain data, because copies of this package may share it. */
export interface Budget {
  tokens: number;
}

/**
 * The budget shared by all clients of an origin and credential in this process. The credential is hashed, not stored; a
 * collision only shares a budget.
 */
export function budgetOf(origin: string, secret = ''): Budget {
  let hash = 0;
  for (const character of secret) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return shared(`${hash} ${origin}`, () => ({ tokens: CAPACITY }));
}

/** A success returns what its retries had cost and one token more. */
export function refund(budget: Budget, spent: number): void {
  budget.tokens = Math.min(CAPACITY, budget.tokens + spent + 1);
}
